/** The search in an index: reads the tables by which `search/` ranks symbols. */
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import type { SymbolRow, SymbolTable } from "../../../../search/Candidates.ts"
import * as PostingCache from "../../../../search/PostingCache.ts"
import * as PostingLists from "../../../../search/PostingLists.ts"
import type { Similar } from "../../../../search/Similarity.ts"
import * as SymbolSearch from "../../../../search/SymbolSearch.ts"
import * as FileEntry from "../../../FileEntry.ts"
import type { IndexEntry } from "../../../IndexEntry.ts"
import type { Hit, SearchOptions, SimilarSymbol, TermCounts } from "../../../IndexStore.ts"
import * as CallerTable from "../references/CallerTable.ts"
import { BELOW, byId } from "./Queries.ts"

export const search = (sql: Statements, text: string, options: SearchOptions): ReadonlyArray<Hit> => {
  const { path = ".", similar: versions = [], ...others } = options
  const within = path === "." ? undefined : fileNumbersIn(sql, path)
  const similar = versions.length === 0 ? undefined : positionsOf(sql, versions)
  return SymbolSearch.search(sql, symbolTable(sql, within), text, { ...others, within, similar }).map(
    ({ id, match, score }) => ({ entry: entryOf(sql, id), score, ...(options.corpus !== undefined && { match }) }),
  )
}

/** Returns the symbol with this id, or the file if `fileId` has made the id. */
const entryOf = (sql: Statements, id: number): IndexEntry => {
  if (id >= 0) return byId(sql, id)
  const row = sql("select path, entry from file where id = ?").get(fileOf(id))
  return FileEntry.of(String(row?.path), FileEntry.decode(row?.entry))
}

/** An id for a file among those of symbols, which are above 0. */
const fileId = (file: number): number => -1 - file
const fileOf = (id: number): number => -1 - id

const positionsOf = (sql: Statements, symbols: ReadonlyArray<SimilarSymbol>): ReadonlyArray<Similar> =>
  selectArrays(
    sql,
    `select s.file, s.ordinal, j.value ->> 2 from json_each(?) j
     cross join symbol s on s.qualified = j.value ->> 0 and s.hash = j.value ->> 1`,
    JSON.stringify(symbols.map(({ hash, qualifiedName, similarity }) => [qualifiedName, hash, similarity])),
  ).map(([file, symbol, similarity]) => ({
    file: Number(file),
    symbol: Number(symbol),
    similarity: Number(similarity),
  }))

const fileNumbersIn = (sql: Statements, path: string): ReadonlySet<number> =>
  new Set(selectArrays(sql, `select f.id from file f where ${BELOW}`, path).map(([id]) => Number(id)))

/** `within` has the files to which names are restricted. */
const symbolTable = (sql: Statements, within: ReadonlySet<number> | undefined): SymbolTable => ({
  withName: (name, limit, which) =>
    selectArrays(
      sql,
      `select ${SEARCH_COLUMNS} from symbol s where (name = ?1 or qualified = ?1)
       ${within === undefined ? "" : "and s.file in (select value from json_each(?2))"}
       ${which === "mostUsed" ? "order by used_by desc" : ""} limit ${limit}`,
      name,
      ...(within === undefined ? [] : [JSON.stringify(Array.from(within))]),
    ).map(toSymbolRow),
  atPositions: (positions) => {
    const keys = JSON.stringify(positions.map(({ file, symbol }) => file * MAX_ORDINALS + symbol))
    const symbols = selectArrays(
      sql,
      `select ${SEARCH_COLUMNS} from json_each(?) j
       cross join symbol s on s.file = j.value / ${MAX_ORDINALS} and s.ordinal = j.value % ${MAX_ORDINALS}`,
      keys,
    ).map(toSymbolRow)
    if (symbols.length === positions.length) return symbols
    const files = selectArrays(
      sql,
      `select f.id, f.path, f.entry, j.value % ${MAX_ORDINALS} as ordinal from json_each(?) j
       cross join file f on f.id = j.value / ${MAX_ORDINALS} and f.entry is not null
       where ordinal = (select count(*) from symbol s where s.file = f.id)`,
      keys,
    ).map(toFileRow)
    return [...symbols, ...files]
  },
  explained: (files) =>
    new Map(
      selectArrays(
        sql,
        `select s.file, json_group_array(s.ordinal) from json_each(?) j
         cross join symbol s indexed by symbol_explained on s.file = j.value and s.origin = 'model' group by s.file`,
        JSON.stringify(files),
      ).map(([file, ordinals]) => [Number(file), toNumbers(ordinals)]),
    ),
  callers: (ids) => CallerTable.read(sql, ids),
  paths: (files) =>
    new Map(
      selectArrays(
        sql,
        "select f.id, f.path from json_each(?) j cross join file f on f.id = j.value",
        JSON.stringify(files),
      ).map(([id, path]) => [Number(id), String(path)]),
    ),
})

/** A factor larger than the number of symbols in a file, so that file and ordinal fit into one number. */
const MAX_ORDINALS = 2 ** 24

const SEARCH_COLUMNS = `s.id, s.file, s.ordinal, s.used_by, s.kind, s.name, s.qualified, substr(s.doc, 1, 300),
  iif(s.origin = 'model', s.purpose, null)`

const toNumbers = (json: unknown): ReadonlyArray<number> => {
  const numbers: ReadonlyArray<unknown> = JSON.parse(String(json))
  return numbers.map(Number)
}

const toSymbolRow = (row: ReadonlyArray<unknown>): SymbolRow => {
  const [id = 0, file = 0, symbol = 0, usedBy = 0] = row.slice(0, 4).map(Number)
  const [kind = "", name = "", qualifiedName = "", doc = "", purpose = ""] = row
    .slice(4)
    .map((value) => String(value ?? ""))
  return { id, file, symbol, usedBy, kind, name, qualifiedName, doc, purpose }
}

/**
 * A candidate needs neither the digest nor the purpose of its entry, which take ten times as long as all of the row.
 */
const toFileRow = ([file, path, entry, ordinal]: ReadonlyArray<unknown>): SymbolRow => {
  const name = FileEntry.nameOf(String(path))
  const { doc = "", isDocumented, reexports } = FileEntry.decode(entry)
  return {
    id: fileId(Number(file)),
    file: Number(file),
    symbol: Number(ordinal),
    usedBy: 0,
    kind: FileEntry.KIND,
    name,
    qualifiedName: name,
    doc: doc.slice(0, 300),
    purpose: "",
    isDocumented,
    reexports,
  }
}

export const termCounts = (sql: Statements, terms: ReadonlyArray<string>): TermCounts => {
  const { documents, read } = PostingCache.of(sql)
  const lists = new Map(terms.map((term) => [term, read(term)]))
  const count = (term: string) =>
    (lists.get(term) ?? []).reduce(
      (sum, { collection, postings }) => sum + (collection === PostingLists.SYMBOLS ? postings.length : 0),
      0,
    )
  const isAnywhere = (term: string) =>
    (lists.get(term) ?? []).some(
      ({ collection, postings }) => collection !== PostingLists.PURPOSES && postings.length > 0,
    )
  return {
    counts: new Map(terms.map((term) => [term, count(term)])),
    anywhere: new Set(terms.filter(isAnywhere)),
    symbols: documents.symbols,
  }
}
