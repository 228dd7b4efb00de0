/**
 * The table `purpose`: the purposes that models wrote for all known versions of symbols. Also chooses which one a
 * symbol shows.
 */
import { inSteps, type Statements, type Steps } from "../../../../disk/Sqlite.ts"
import * as PostingLists from "../../../../search/PostingLists.ts"
import type { Purpose } from "../../../IndexEntry.ts"
import * as Purposes from "../../../Purposes.ts"
import * as Metadata from "../Metadata.ts"
import * as Row from "../structure/Row.ts"

/** Adds a purpose, and chooses again which one its symbol shows. */
export const record = (sql: Statements, line: Purposes.Line): void => {
  insert(sql, line)
  choose(sql, line.symbol)
}

/** Replaces all purposes. `lines` begin with the oldest. */
export function* replaceAll(sql: Statements, lines: ReadonlyArray<Purposes.Line>): Steps<void> {
  const before = textBySymbol(sql("select * from purpose order by id").all().map(Row.purpose))
  const after = textBySymbol(lines)
  sql("delete from purpose").run()
  yield* inSteps(lines, 1_000, (line) => insert(sql, line))
  // The refresh that completes the structure chooses for all symbols.
  if (!Metadata.wasComplete(sql)) return
  yield* inSteps(new Set([...before.keys(), ...after.keys()]), 10, (symbol) => {
    if (before.get(symbol) !== after.get(symbol)) choose(sql, symbol)
  })
}

/**
 * Chooses again for all symbols that models have explained, or for those among them with a qualified name in `names`.
 */
export const chooseAll = (sql: Statements, names?: ReadonlySet<string>): Steps<void> =>
  inSteps(sql("select distinct symbol from purpose").all(), 10, ({ symbol }) => {
    const name = String(symbol)
    if (names?.has(name) ?? true) choose(sql, name)
  })

/** Chooses again which purpose the symbols with a qualified name show. */
const choose = (sql: Statements, name: string): void => {
  const known = sql("select * from purpose where symbol = ? order by id").all(name).map(Row.purpose)
  const subjects = sql(`select s.id, s.file, s.ordinal, ${Row.ENTRY} where s.qualified = ?`)
    .all(name)
    .map((row) => ({ id: Number(row.id), file: Number(row.file), symbol: Number(row.ordinal), entry: Row.entry(row) }))
  const siblings = Map.groupBy(
    subjects.map(({ entry }) => entry),
    ({ path }) => path,
  )
  for (const { entry, file, id, symbol } of subjects) {
    const choice = Purposes.choose(entry, known, siblings.get(entry.path) ?? [])
    const isNothing = choice === Purposes.NOTHING
    const chosen = isNothing ? undefined : choice
    if (isSame(chosen, entry.purpose) && isNothing === (entry.isSelfExplanatory ?? false)) continue
    sql(
      "update symbol set purpose = ?, origin = ?, model = ?, node = ?, stale = ?, weak = ?, confirmed = ?, lines = ? where id = ?",
    ).run(
      // See `Row.entry`. It is not stale, so the symbol counts as answered.
      isNothing ? Purposes.NOTHING : (chosen?.text ?? null),
      chosen?.origin ?? null,
      chosen?.model ?? null,
      chosen?.node ?? null,
      isNothing ? 0 : chosen === undefined ? null : Number(chosen.stale),
      chosen?.weak ?? null,
      confirmedOf(chosen),
      linesOf(chosen),
      id,
    )
    PostingLists.replacePurpose(sql, { file, symbol }, searchedText(entry.purpose), searchedText(chosen))
  }
}

/** Returns the text to search. Words of a comment are searched in the source already. */
const searchedText = (purpose: Purpose | undefined): string | undefined =>
  purpose?.origin === "model" ? purpose.text : undefined

const isSame = (one: Purpose | undefined, other: Purpose | undefined): boolean => identityOf(one) === identityOf(other)

/** A text that two purposes share if all their fields are equal. */
const identityOf = (purpose: Purpose | undefined): string | undefined => {
  if (purpose === undefined) return undefined
  const { confirmed, lines, model, node, origin, stale, text, weak } = purpose
  return JSON.stringify([text, origin, model, node, stale, weak, confirmed, lines])
}

const insert = (sql: Statements, line: Purposes.Line): void => {
  sql(
    "insert or replace into purpose (path, symbol, kind, hash, tokens, purpose, model, node, weak, confirmed, lines) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  ).run(
    line.path,
    line.symbol,
    line.kind,
    line.hash,
    line.tokens ?? null,
    line.purpose,
    line.model,
    line.node,
    line.weak ?? null,
    confirmedOf(line),
    linesOf(line),
  )
}

/**
 * Marks a weak line as confirmed if another call has recorded a weak one for the same version and model: the model was
 * asked for a better purpose and has none.
 */
export const confirm = (sql: Statements, line: Purposes.Line): Purposes.Line => {
  if (line.weak === undefined) return line
  const before = sql(
    "select 1 from purpose where symbol = ? and path = ? and hash = ? and model = ? and node <> ? and weak is not null",
  ).get(line.symbol, line.path, line.hash, line.model, line.node)
  return before === undefined ? line : { ...line, confirmed: true }
}

const confirmedOf = (purpose: { readonly confirmed?: boolean | undefined } | undefined): number | null =>
  purpose?.confirmed === true ? 1 : null

const linesOf = (purpose: { readonly lines?: ReadonlyArray<number> | undefined } | undefined): string | null =>
  purpose?.lines === undefined ? null : JSON.stringify(purpose.lines)

/** Joins the purposes of each symbol to one text, so that two states can be compared. */
const textBySymbol = (lines: ReadonlyArray<Purposes.Line>): ReadonlyMap<string, string> => {
  const known = new Map<string, string>()
  for (const line of lines) known.set(line.symbol, (known.get(line.symbol) ?? "") + Purposes.encode(line).text)
  return known
}
