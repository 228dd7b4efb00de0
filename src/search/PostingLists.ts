/**
 * Reads and writes the posting lists.
 *
 * There are three collections of documents: files, symbols, and purposes. A list holds the postings of one term in one
 * collection and one block of files. So a search reads few lists, and none is too long to be rewritten.
 *
 * Writing works as in a log-structured index. A batch of files adds pending segments. Once there are `MAX_SEGMENTS`, a
 * merge appends them to the lists, so that most lists are written once. Compaction removes the postings of tombstones.
 *
 * The id of a list is computed from the numbers of its term, collection and block, and is the row id of the table. Any
 * other key would make SQLite compare rows on its way, and read pages of other lists for that.
 */
import { inSteps, type Statements, type Steps, selectArrays } from "../disk/Sqlite.ts"
import * as Documents from "./Documents.ts"
import * as DocumentTable from "./DocumentTable.ts"
import { toBlob, toInt32Array } from "./internal/blob.ts"
import * as PendingSegment from "./PendingSegment.ts"
import * as Posting from "./Posting.ts"
import type { Vocabulary } from "./Vocabulary.ts"

/** The collections. */
export const FILES = 0
export const SYMBOLS = 1
export const PURPOSES = 2

/** The tables of the search. `document_block`: see `DocumentTable`; `pending_segment`: see `PendingSegment`. */
export const schema = `
  create table document_block (id integer primary key, entries blob not null) strict;
  create table pending_segment (
    id integer primary key,
    collection integer not null,
    block integer not null,
    terms text not null,
    ends blob not null,
    postings blob not null
  ) strict;
  create table term (id integer primary key, term text not null unique) strict;
  create table posting_list (id integer primary key, postings blob not null) strict;
`

export interface PostingList {
  /** See `listId`. */
  readonly id: number
  readonly collection: number
  readonly block: number
  readonly postings: Int32Array
}

/** All lists of a term. */
export const read = (sql: Statements, term: string): ReadonlyArray<PostingList> =>
  selectArrays(sql, `select p.id, p.postings from ${LISTS_OF_TERM} where t.term = ?`, term).map(decode)

/** Counts the postings that `read` returns, without reading them. */
export const count = (sql: Statements, term: string): number =>
  Number(sql(`select total(length(p.postings)) / 4 as n from ${LISTS_OF_TERM} where t.term = ?`).get(term)?.n)

/** Returns the lists without the postings of tombstones. */
export const onlyLive = (
  lists: ReadonlyArray<PostingList>,
  documents: DocumentTable.DocumentTable,
): ReadonlyArray<PostingList> =>
  documents.hasTombstones
    ? lists.map((list) => ({ ...list, postings: list.postings.filter(isLiveIn(list, documents)) }))
    : lists

const isLiveIn = ({ block }: PostingList, documents: DocumentTable.DocumentTable) => {
  const first = block * Posting.FILES_PER_BLOCK
  return (posting: number) => DocumentTable.isLive(DocumentTable.entry(documents, first + Posting.fileInBlock(posting)))
}

/** Adds and removes files. Both take effect with `flush`; a search finds added files after `mergeSegments`. */
export interface Writer {
  /** Returns the number of the file. `isAuxiliary`: see `Ranking.auxiliaryWeight`. */
  readonly add: (analyzed: Documents.Analyzed, isAuxiliary: boolean) => number
  readonly setAuxiliary: (file: number, isAuxiliary: boolean) => void
  readonly remove: (file: number) => void
  readonly flush: () => Steps<void>
}

export const writer = (sql: Statements): Writer => {
  const documents = DocumentTable.writer(sql)
  // A batch is in one or two blocks, and has one vocabulary or two, so these are few.
  const segments: Array<PendingSegment.Segment> = []
  const segmentOf = (vocabulary: Vocabulary, collection: number, block: number) => {
    const known = segments.find(
      (each) => each.block === block && each.collection === collection && each.vocabulary === vocabulary,
    )
    if (known !== undefined) return known
    const added = { vocabulary, collection, block, terms: [], postings: [] }
    segments.push(added)
    return added
  }
  const add = (segment: PendingSegment.Segment, file: number, symbol: number, analyzed: Documents.Impacts) => {
    analyzed.terms.forEach((term, position) => {
      segment.terms.push(term)
      segment.postings.push(Posting.encode(file, symbol, analyzed.impacts[position] ?? 0))
    })
  }
  return {
    add: ({ file: ofFile, symbols, vocabulary }, isAuxiliary) => {
      const file = documents.add(symbols.length, isAuxiliary)
      const block = Posting.blockOf(file)
      add(segmentOf(vocabulary, FILES, block), file, 0, ofFile)
      const segment = segmentOf(vocabulary, SYMBOLS, block)
      symbols.slice(0, Posting.MAX_SYMBOLS).forEach((ofSymbol, symbol) => {
        add(segment, file, symbol, ofSymbol)
      })
      return file
    },
    setAuxiliary: documents.setAuxiliary,
    remove: documents.remove,
    flush: function* () {
      yield* inSteps(segments.splice(0), 1, (segment) => PendingSegment.write(sql, segment))
      documents.save()
      if (PendingSegment.count(sql) >= MAX_SEGMENTS) yield* mergeSegments(sql)
    },
  }
}

/** The most segments that wait for a merge. With more of them, merges are fewer, but each takes longer. */
const MAX_SEGMENTS = 64

/** Appends all pending segments to the posting lists. */
export function* mergeSegments(sql: Statements): Steps<void> {
  const { additions, terms } = yield* PendingSegment.takeAll(sql)
  const isFirst = sql("select 1 from term limit 1").get() === undefined
  const ids = new Float64Array(terms.length)
  yield* inSteps(terms.entries(), 1_000, ([position, term]) => {
    ids[position] = isFirst ? addTerm(sql, term) : findOrAddTerm(sql, term)
  })
  // Lists are written in the order of the table, so that its pages are written one after the other.
  const ordered = Array.from(terms.keys()).sort((one, other) => (ids[one] ?? 0) - (ids[other] ?? 0))
  yield* inSteps(ordered, 1_000, (term) => {
    for (const { block, collection, postingsOf } of additions) {
      const added = postingsOf(term)
      if (added.length > 0) append(sql, listId(ids[term] ?? 0, collection, block), added)
    }
  })
}

/**
 * Replaces the postings of the purpose of one symbol. `before`, `after`: the texts; undefined if there is no purpose.
 */
export const replacePurpose = (
  sql: Statements,
  { file, symbol }: { readonly file: number; readonly symbol: number },
  before: string | undefined,
  after: string | undefined,
): void => {
  if (symbol >= Posting.MAX_SYMBOLS) return
  const idFor = (term: string) => listId(findOrAddTerm(sql, term), PURPOSES, Posting.blockOf(file))
  for (const term of Documents.analyzePurpose(before ?? "").keys()) {
    for (const row of selectArrays(sql, "select id, postings from posting_list where id = ?", idFor(term))) {
      filter(sql, decode(row), (posting) => !Posting.isOf(posting, file, symbol))
    }
  }
  for (const [term, impact] of Documents.analyzePurpose(after ?? "")) {
    append(sql, idFor(term), Int32Array.of(Posting.encode(file, symbol, impact)))
  }
}

/** Removes the postings of tombstones if there are many, and frees their numbers. Reads all lists. */
export function* compact(sql: Statements): Steps<void> {
  const documents = DocumentTable.read(sql)
  if (!DocumentTable.needsCompaction(documents)) return
  yield* inSteps(sql("select id from term").all(), 1_000, ({ id }) => {
    const lists = selectArrays(sql, `select p.id, p.postings from ${LISTS_OF_TERM} where t.id = ?`, Number(id))
    for (const list of lists.map(decode)) filter(sql, list, isLiveIn(list, documents))
  })
  sql(`delete from term where id not in (select p.id / ${LISTS_PER_TERM} from posting_list p)`).run()
  DocumentTable.freeTombstones(sql)
}

/** The most blocks: enough for 134 million files. */
const MAX_BLOCKS = 2 ** 16

/** The number of ids that are reserved for the lists of a term: a power of two above the three collections. */
const LISTS_PER_TERM = 4 * MAX_BLOCKS

const LISTS_OF_TERM = `term t
  join posting_list p on p.id between t.id * ${LISTS_PER_TERM} and t.id * ${LISTS_PER_TERM} + ${LISTS_PER_TERM - 1}`

const listId = (termId: number, collection: number, block: number): number =>
  termId * LISTS_PER_TERM + collection * MAX_BLOCKS + block

const decode = ([id, postings]: ReadonlyArray<unknown>): PostingList => {
  const withinTerm = Number(id) % LISTS_PER_TERM
  return {
    id: Number(id),
    collection: Math.floor(withinTerm / MAX_BLOCKS),
    block: withinTerm % MAX_BLOCKS,
    postings: toInt32Array(postings),
  }
}

const findOrAddTerm = (sql: Statements, term: string): number =>
  Number(sql("select id from term where term = ?").get(term)?.id ?? addTerm(sql, term))

const addTerm = (sql: Statements, term: string): number =>
  Number(sql("insert into term (term) values (?)").run(term).lastInsertRowid)

const append = (sql: Statements, id: number, postings: Int32Array): void => {
  // SQLite's || returns a text, even for two blobs.
  sql(
    `insert into posting_list (id, postings) values (?, ?)
     on conflict do update set postings = cast(postings || excluded.postings as blob)`,
  ).run(id, toBlob(postings))
}

/** Removes the postings of a list that do not pass, and the list itself if none is left. */
const filter = (sql: Statements, { id, postings }: PostingList, isKept: (posting: number) => boolean): void => {
  const kept = postings.filter(isKept)
  if (kept.length === postings.length) return
  if (kept.length === 0) sql("delete from posting_list where id = ?").run(id)
  else sql("update posting_list set postings = ? where id = ?").run(toBlob(kept), id)
}
