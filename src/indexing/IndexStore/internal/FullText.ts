/** The full-text search of an index: which symbols come into question, and in which order. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Hit } from "../../IndexStore.ts"
import * as Search from "../../Search.ts"
import * as Latest from "./Latest.ts"
import * as Lookup from "./Lookup.ts"
import * as Matches from "./Matches.ts"
import * as Roster from "./Roster.ts"
import * as Row from "./Row.ts"

/** How many files, and how many of their symbols, are looked at more closely. */
const FILES = 60
const SYMBOLS = 60

/** How many of those symbols are read at a time: mostly no more are needed. */
const SOME = 20

/**
 * How many postings are summed up in one search: that bounds its time, whatever the size of the index. The questions of
 * the retrieval benchmark ask for fewer, of up to 25,000 symbols.
 */
const POSTINGS = 60_000

export const search = (sql: Statements, text: string, limit: number): ReadonlyArray<Hit> => {
  const { count, find, roster } = Latest.of(sql)
  const terms = telling(count, Search.asked(text)).map(find)
  const fileMatches = Matches.files(roster, terms)
  const files = Matches.bestFiles(roster, fileMatches, Search.weightOfAsides(text), FILES)
  const symbols = Matches.bestSymbols(roster, terms, files, SYMBOLS)

  const toCandidate = candidacy(text, roster, fileMatches, symbols)
  const candidates = new Map<number, Search.Candidate>()
  const add = (rows: ReadonlyArray<ReadonlyArray<unknown>>) => {
    for (const each of rows.map(toCandidate)) if (each !== undefined) candidates.set(each.id, each)
  }
  const alone = withName(sql, text.trim())
  const within = Search.names(text).map((name) => someWithName(sql, name))
  add([...alone, ...within.flat()])
  // Where all that is named is among them now, what is still unread cannot score more than its value says.
  const areKnown = alone.length === 0 && within.every(({ length }) => length < SYMBOLS)
  const some = areKnown ? SOME : SYMBOLS
  for (let read = 0; ; read += some) {
    add(withPlaces(sql, symbols.slice(read, read + some)))
    const ranked = Search.rank(text, Array.from(candidates.values()))
    const unread = symbols[read + some]
    if (unread === undefined || Search.most(unread.value) < (ranked[limit - 1]?.score ?? 0)) {
      return ranked.slice(0, limit).map(({ id, score }) => ({ entry: Lookup.byId(sql, id), score }))
    }
  }
}

/** Makes candidates of rows of `COLUMNS`: of the best symbols, and of those whose name the question is. */
const candidacy = (
  text: string,
  roster: Roster.Roster,
  fileMatches: Float32Array,
  symbols: ReadonlyArray<Matches.Symbol>,
) => {
  const matches = new Map(symbols.map((symbol) => [placeOf(symbol.file, symbol.symbol), symbol.match]))
  const name = text.trim()
  const names = new Set(Search.names(text))
  return (row: ReadonlyArray<unknown>): Search.Candidate | undefined => {
    const [id = 0, file = 0, ordinal = 0, usedBy = 0] = row.slice(0, 4).map(Number)
    const [kind = "", ...own] = row.slice(4).map(String)
    const named = own.includes(name) ? "alone" : own.some((each) => names.has(each)) ? "within" : undefined
    const match = matches.get(placeOf(file, ordinal))
    if (match === undefined && named !== "alone") return undefined
    return {
      id,
      file,
      kind,
      isAside: Roster.isAside(Roster.entry(roster, file)),
      usedBy,
      match: match ?? 0,
      fileMatch: fileMatches[file] ?? 0,
      named,
    }
  }
}

/** The place of a symbol as one number. */
const placeOf = (file: number, ordinal: number): number => file * PLACES + ordinal

/** More than a file has symbols. */
const PLACES = 2 ** 24

const COLUMNS = "s.id, s.file, s.ordinal, s.used_by, s.kind, s.name, s.qualified"
const WITH_NAME = `select ${COLUMNS} from symbol s where name = ?1 or qualified = ?1`

/** Those that are used most of what has that name. */
const withName = (sql: Statements, name: string) =>
  Row.values(sql, `${WITH_NAME} order by used_by desc limit ${SYMBOLS}`, name)

/** All that has that name, unless it is much. */
const someWithName = (sql: Statements, name: string) => Row.values(sql, `${WITH_NAME} limit ${SYMBOLS}`, name)

const withPlaces = (sql: Statements, symbols: ReadonlyArray<Matches.Symbol>) =>
  Row.values(
    sql,
    `select ${COLUMNS} from json_each(?) j
     cross join symbol s on s.file = j.value / ${PLACES} and s.ordinal = j.value % ${PLACES}`,
    JSON.stringify(symbols.map(({ file, symbol }) => placeOf(file, symbol))),
  )

/** The rarest first, as many as can be summed up: they tell most. The rarest of all is always among them. */
const telling = (countOf: Latest.Latest["count"], terms: ReadonlyArray<string>): ReadonlyArray<string> => {
  let left = POSTINGS
  return terms
    .map((term) => ({ term, count: countOf(term) }))
    .sort((one, other) => one.count - other.count)
    .filter(({ count }, position) => {
      left -= count
      return position === 0 || left >= 0
    })
    .map(({ term }) => term)
}
