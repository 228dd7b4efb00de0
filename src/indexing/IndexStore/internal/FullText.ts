/** The full-text search of an index: which symbols come into question, and in which order. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Hit } from "../../IndexStore.ts"
import * as Search from "../../Search.ts"
import * as Lookup from "./Lookup.ts"
import * as Matches from "./Matches.ts"
import * as Postings from "./Postings.ts"
import * as Roster from "./Roster.ts"

/** How many files, and how many of their symbols, are looked at more closely. */
const FILES = 60
const SYMBOLS = 60

/** How many postings are summed up in one search: that bounds its time, whatever the size of the index. */
const POSTINGS = 75_000

export const search = (sql: Statements, text: string, limit: number): ReadonlyArray<Hit> => {
  const roster = Roster.latest(sql)
  const terms = telling(Search.asked(text).map((term) => Postings.find(sql, term)))
  const fileMatches = Matches.files(roster, terms)
  const files = Matches.bestFiles(roster, fileMatches, Search.weightOfAsides(text), FILES)
  const symbols = Matches.bestSymbols(roster, terms, files, SYMBOLS)

  const name = text.trim()
  const names = new Set(Search.names(text))
  const candidates = new Map<number, Search.Candidate>()
  for (const row of [...withName(sql, name), ...withNumbers(sql, symbols)]) {
    const [id, file] = [Number(row.id), Number(row.file)]
    const own = [String(row.name), String(row.qualified)]
    candidates.set(id, {
      id,
      file,
      kind: String(row.kind),
      isAside: Roster.isAside(Roster.entry(roster, file)),
      usedBy: Number(row.usedBy),
      match: symbols[Number(row.at)]?.match ?? 0,
      fileMatch: fileMatches[file] ?? 0,
      named: own.includes(name) ? "alone" : own.some((each) => names.has(each)) ? "within" : undefined,
    })
  }
  return Search.rank(text, Array.from(candidates.values()))
    .slice(0, limit)
    .map(({ id, score }) => ({ entry: Lookup.byId(sql, id), score }))
}

const COLUMNS = "s.id, s.file, s.name, s.qualified, s.kind, s.used_by as usedBy"

/** Those that are used most of what has that name. */
const withName = (sql: Statements, name: string) =>
  sql(
    `select ${COLUMNS}, -1 as at from symbol s where name = ?1 or qualified = ?1 order by used_by desc limit ${SYMBOLS}`,
  ).all(name)

/** `at`: which of `symbols` it is. */
const withNumbers = (sql: Statements, symbols: ReadonlyArray<Matches.Symbol>) =>
  sql(
    `select ${COLUMNS}, j.key as at
     from json_each(?) j cross join symbol s on s.file = j.value ->> 0 and s.ordinal = j.value ->> 1`,
  ).all(JSON.stringify(symbols.map(({ file, symbol }) => [file, symbol])))

/** The rarest first, as many as can be summed up: they tell most. The rarest of all is always among them. */
const telling = (terms: ReadonlyArray<Matches.Term>): ReadonlyArray<Matches.Term> => {
  let left = POSTINGS
  return terms
    .map((term) => ({ term, count: term.reduce((sum, { postings }) => sum + postings.length, 0) }))
    .sort((one, other) => one.count - other.count)
    .filter(({ count }, position) => {
      left -= count
      return position === 0 || left >= 0
    })
    .map(({ term }) => term)
}
