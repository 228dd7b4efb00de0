/**
 * The inverted index: where each term occurs. What a term has in a block of files is one list, so that a search reads
 * few of them, and none is longer than can be written anew. What a batch of files adds lies beside the lists, and is
 * sorted in together with that of others: most lists are then written once.
 *
 * A file that changes gets a new number. What was posted under the old one counts for nothing, and is swept away when it
 * is much.
 */
import type { Statements } from "../../../disk/Sqlite.ts"
import { isAside } from "../../Search.ts"
import * as Blob from "./Blob.ts"
import * as Posting from "./Posting.ts"
import * as Roster from "./Roster.ts"
import * as Unsorted from "./Unsorted.ts"
import * as Vocabulary from "./Vocabulary.ts"
import * as Words from "./Words.ts"

/** What the postings of a list are about: files, the source of symbols, or what models wrote of symbols. */
export const FILES = 0
export const SYMBOLS = 1
export const PURPOSES = 2

export interface List {
  readonly part: number
  readonly block: number
  readonly postings: Int32Array
}

/** Where a term occurs. */
export const find = (sql: Statements, term: string): ReadonlyArray<List> =>
  sql("select part, block, list from posting where term = ?").all(term).map(decode)

/** Files that come and go, written in one go; found when they are sorted in. */
export interface Batch {
  /** Returns the number of the file. */
  readonly add: (source: Words.Source) => number
  readonly remove: (file: number) => void
  readonly write: () => void
}

/** `vocabulary`: that of earlier batches, where there were some. */
export const batch = (sql: Statements, vocabulary: Vocabulary.Vocabulary = Vocabulary.make()): Batch => {
  const roster = Roster.open(sql)
  const tell = Words.teller(vocabulary)
  const added = new Map<string, Unsorted.Added<number, Array<number>>>()
  const post = (part: number, file: number, symbol: number, { impacts, terms }: Words.Impacts) => {
    const block = Posting.block(file)
    const place = `${part} ${block}`
    const { byTerm } = added.get(place) ?? { byTerm: new Map<number, Array<number>>() }
    added.set(place, { part, block, byTerm })
    terms.forEach((term, position) => {
      const posting = Posting.make(file, symbol, impacts[position] ?? 0)
      const list = byTerm.get(term)
      if (list === undefined) byTerm.set(term, [posting])
      else list.push(posting)
    })
  }
  return {
    add: (source) => {
      const file = roster.take(source.symbols.length, isAside(source.path))
      const told = tell(source)
      post(FILES, file, 0, told.file)
      told.symbols.slice(0, Posting.MAX_SYMBOLS).forEach((impacts, symbol) => {
        post(SYMBOLS, file, symbol, impacts)
      })
      return file
    },
    remove: roster.leave,
    write: () => {
      for (const each of added.values()) Unsorted.put(sql, vocabulary, each)
      added.clear()
      roster.save()
      if (Unsorted.count(sql) >= MOST_UNSORTED) sort(sql)
    },
  }
}

/** What is sorted in at a time: more rows are written in fewer goes, and each takes longer. */
const MOST_UNSORTED = 32

/** Sorts in what batches have added. */
export const sort = (sql: Statements): void => {
  for (const { block, byTerm, part } of Unsorted.takeAll(sql)) {
    // In the order of the table, so that its pages are written one after the other.
    for (const term of Array.from(byTerm.keys()).sort())
      append(sql, term, part, block, Blob.joined(byTerm.get(term) ?? []))
  }
}

/** `before`: the purpose that is posted for a symbol of a file; `after`: the one that is to be. */
export const replacePurpose = (
  sql: Statements,
  { file, symbol }: { readonly file: number; readonly symbol: number },
  before: string | undefined,
  after: string | undefined,
): void => {
  if (symbol >= Posting.MAX_SYMBOLS) return
  const block = Posting.block(file)
  for (const term of Words.ofPurpose(before ?? "").keys()) {
    for (const row of sql("select * from posting where term = ? and part = ? and block = ?").all(
      term,
      PURPOSES,
      block,
    )) {
      keep(sql, term, decode(row), (posting) => !Posting.isOf(posting, file, symbol))
    }
  }
  for (const [term, impact] of Words.ofPurpose(after ?? "")) {
    append(sql, term, PURPOSES, block, Int32Array.of(Posting.make(file, symbol, impact)))
  }
}

/** Takes away what was posted of files that are gone, where that is much. */
export const sweep = (sql: Statements): void => {
  const roster = Roster.read(sql)
  if (!Roster.isWorn(roster)) return
  for (const row of sql("select distinct term from posting").all()) {
    const term = String(row.term)
    for (const list of find(sql, term)) {
      const first = list.block * Posting.BLOCK
      keep(sql, term, list, (posting) => Roster.isThere(Roster.entry(roster, first + Posting.file(posting))))
    }
  }
  Roster.clear(sql)
}

const append = (sql: Statements, term: string, part: number, block: number, postings: Int32Array): void => {
  // SQLite calls what it joins a text, whatever it was.
  sql(
    `insert into posting (term, part, block, list) values (?, ?, ?, ?)
     on conflict do update set list = cast(list || excluded.list as blob)`,
  ).run(term, part, block, Blob.of(postings))
}

/** Keeps those postings of a list of which `isKept` says so. */
const keep = (sql: Statements, term: string, list: List, isKept: (posting: number) => boolean): void => {
  const kept = list.postings.filter(isKept)
  if (kept.length === list.postings.length) return
  if (kept.length === 0) {
    sql("delete from posting where term = ? and part = ? and block = ?").run(term, list.part, list.block)
  } else {
    sql("update posting set list = ? where term = ? and part = ? and block = ?").run(
      Blob.of(kept),
      term,
      list.part,
      list.block,
    )
  }
}

const decode = ({ block, list, part }: Readonly<Record<string, unknown>>): List => ({
  part: Number(part),
  block: Number(block),
  postings: Blob.numbers32(list),
})
