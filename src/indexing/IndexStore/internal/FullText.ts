/** The full-text search of an index: which symbols come into question, and in which order. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Hit } from "../../IndexStore.ts"
import * as Search from "../../Search.ts"
import * as Lookup from "./Lookup.ts"
import * as Matches from "./Matches.ts"
import * as Postings from "./Postings.ts"
import * as Roster from "./Roster.ts"

/** How many files, and how many of their symbols, are looked at more closely. */
const FILES = 100
const SYMBOLS = 100

/** How many postings are summed up in one search: that bounds its time, whatever the size of the index. */
const POSTINGS = 150_000

export const search = (sql: Statements, text: string, limit: number): ReadonlyArray<Hit> => {
  const roster = Roster.read(sql)
  const terms = telling(Search.asked(text).map((term) => Postings.find(sql, term)))
  const fileMatches = Matches.files(roster, terms)
  const files = Matches.bestFiles(roster, fileMatches, Search.weightOfAsides(text), FILES)
  const symbols = Matches.bestSymbols(roster, terms, files, SYMBOLS)

  const name = text.trim()
  const candidates = new Map<number, Search.Candidate>()
  for (const row of [...withName(sql, name), ...withNumbers(sql, symbols, name, Search.names(text))]) {
    const file = Number(row.file)
    candidates.set(Number(row.id), {
      id: Number(row.id),
      file,
      kind: String(row.kind),
      isAside: Roster.isAside(Roster.entry(roster, file)),
      usedBy: Number(row.usedBy),
      match: symbols[Number(row.at)]?.match ?? 0,
      fileMatch: fileMatches[file] ?? 0,
      named: row.alone === 1 ? "alone" : row.within === 1 ? "within" : undefined,
    })
  }
  return Search.rank(text, Array.from(candidates.values()))
    .slice(0, limit)
    .map(({ id, score }) => ({ entry: Lookup.byId(sql, id), score }))
}

/** Those that are used most of what has that name. */
const withName = (sql: Statements, name: string) =>
  sql(
    `select id, file, kind, used_by as usedBy, -1 as at, 1 as alone, 0 as within from symbol
     where name = ?1 or qualified = ?1 order by used_by desc limit ${SYMBOLS}`,
  ).all(name)

/** `at`: which of `symbols` it is; `alone`: whether it has that name; `within`: whether it has one of `names`. */
const withNumbers = (
  sql: Statements,
  symbols: ReadonlyArray<Matches.Symbol>,
  name: string,
  names: ReadonlyArray<string>,
) =>
  sql(
    `with names as materialized (select value from json_each(?3))
     select s.id, s.file, s.kind, s.used_by as usedBy, j.key as at, s.name = ?2 or s.qualified = ?2 as alone,
       s.name in names or s.qualified in names as within
     from json_each(?1) j cross join symbol s on s.file = j.value ->> 0 and s.ordinal = j.value ->> 1`,
  ).all(JSON.stringify(symbols.map(({ file, symbol }) => [file, symbol])), name, JSON.stringify(names))

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
