/** The full-text search of an index: which symbols come into question, and in which order. */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Hit } from "../../IndexStore.ts"
import * as Search from "../../Search.ts"
import * as Lookup from "./Lookup.ts"

/** For the columns of `symbol_words` and of `file_words`, in their order. */
const SYMBOL_WEIGHTS = "bm25(3, 2, 1, 2, 1, 1, 3)"
const FILE_WEIGHTS = "bm25(3, 1)"

/** How many symbols, and how many files, are looked at more closely. */
const CANDIDATES = 200

/** How many occurrences of words are weighed in one search: that bounds its time, whatever the size of the index. */
const OCCURRENCES = 10_000

export const search = (sql: Statements, text: string, limit: number): ReadonlyArray<Hit> => {
  const candidates = new Map<number, Search.Candidate>()
  for (const name of Search.names(text)) {
    for (const each of withName(sql, name)) candidates.set(each.id, { ...each, named: "within" })
  }
  for (const each of withName(sql, text.trim())) candidates.set(each.id, { ...each, named: "alone" })
  const files = new Map<number, number>()
  const terms = telling(sql, Search.terms(text))
  if (terms.length > 0) {
    const expression = Search.expression(terms)
    for (const each of withWords(sql, expression)) {
      // A symbol may be there twice: for its source, and for what a model wrote of it.
      const known = candidates.get(each.id)
      candidates.set(each.id, known === undefined ? each : { ...known, match: known.match + each.match })
    }
    for (const row of filesWithWords(sql, expression)) files.set(Number(row.id), Number(row.match))
  }
  return Search.rank(text, Array.from(candidates.values()), files)
    .slice(0, limit)
    .map(({ id, score }) => ({ entry: Lookup.byId(sql, id), score }))
}

/** The rarest first, as many as can be weighed: they tell most. The rarest of all is always among them. */
const telling = (sql: Statements, terms: ReadonlyArray<string>): ReadonlyArray<string> => {
  let left = OCCURRENCES
  return terms
    .map((term) => ({
      term,
      count: Number(sql("select count(*) as n from symbol_words where symbol_words match ?").get(`"${term}"`)?.n),
    }))
    .sort((one, other) => one.count - other.count)
    .filter(({ count }, position) => {
      left -= count
      return position === 0 || left >= 0
    })
    .map(({ term }) => term)
}

const withWords = (sql: Statements, expression: string): ReadonlyArray<Search.Candidate> =>
  sql(
    `select s.id, s.file, f.path, s.used_by as usedBy, -w.rank as match
     from (select abs(rowid) as id, rank from symbol_words
           where symbol_words match ? and rank match '${SYMBOL_WEIGHTS}' order by rank limit ${CANDIDATES}) w
     join symbol s on s.id = w.id join file f on f.id = s.file`,
  )
    .all(expression)
    .map((row) => ({ ...decodeCandidate(row), named: undefined }))

const withName = (sql: Statements, name: string) =>
  sql(
    `select s.id, s.file, f.path, s.used_by as usedBy, 0 as match from symbol s join file f on f.id = s.file
     where s.name = ? or s.qualified = ? order by s.used_by desc limit ${CANDIDATES}`,
  )
    .all(name, name)
    .map((row) => decodeCandidate(row))

const filesWithWords = (sql: Statements, expression: string) =>
  sql(
    `select rowid as id, -rank as match from file_words
     where file_words match ? and rank match '${FILE_WEIGHTS}' order by rank limit ${CANDIDATES}`,
  ).all(expression)

const decodeCandidate = Schema.decodeUnknownSync(
  Schema.Struct({
    id: Schema.Number,
    file: Schema.Number,
    path: Schema.String,
    usedBy: Schema.Number,
    match: Schema.Number,
  }),
)
