/**
 * The inverted index: where each term occurs. What a term has in a block of files is one list, so that a search reads
 * few of them, and none is longer than can be written anew. What a batch of files adds lies beside the lists, and is
 * sorted in together with that of others: most lists are then written once.
 *
 * A file that changes gets a new number. What was posted under the old one counts for nothing, and is swept away when it
 * is much.
 *
 * A list is found by a number that begins with the number of its term. By anything else SQLite would find its way to it
 * by comparing rows, and would read other lists for that.
 */
import { inSteps, type Statements, type Steps } from "../../../disk/Sqlite.ts"
import { isAside } from "../../Search.ts"
import * as Blob from "./Blob.ts"
import * as Posting from "./Posting.ts"
import * as Roster from "./Roster.ts"
import * as Row from "./Row.ts"
import * as Unsorted from "./Unsorted.ts"
import * as Vocabulary from "./Vocabulary.ts"
import * as Words from "./Words.ts"

/** What the postings of a list are about: files, the source of symbols, or what models wrote of symbols. */
export const FILES = 0
export const SYMBOLS = 1
export const PURPOSES = 2

export interface List {
  /** Its number in the table. */
  readonly id: number
  readonly part: number
  readonly block: number
  readonly postings: Int32Array
}

/** Where a term occurs. */
export const find = (sql: Statements, term: string): ReadonlyArray<List> =>
  Row.values(sql, `select p.id, p.list from ${OF_TERMS} where t.term = ?`, term).map(decode)

/** How many postings `find` finds, without reading them. */
export const count = (sql: Statements, term: string): number =>
  Number(sql(`select total(length(p.list)) / 4 as n from ${OF_TERMS} where t.term = ?`).get(term)?.n)

/** Files that come and go, written in one go; found when they are sorted in. */
export interface Batch {
  /** Returns the number of the file. */
  readonly add: (source: Words.Source) => number
  readonly remove: (file: number) => void
  readonly write: () => Steps<void>
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
    write: function* () {
      yield* inSteps(added.values(), 1, (each) => Unsorted.put(sql, vocabulary, each))
      added.clear()
      roster.save()
      if (Unsorted.count(sql) >= MOST_UNSORTED) yield* sort(sql)
    },
  }
}

/** What is sorted in at a time: more rows are written in fewer goes, and each takes longer. */
const MOST_UNSORTED = 32

/** Sorts in what batches have added. */
export function* sort(sql: Statements): Steps<void> {
  const numbers = new Map<string, number>()
  const numberOf = (term: string) => {
    const number = numbers.get(term) ?? numberFor(sql, term)
    numbers.set(term, number)
    return number
  }
  for (const { block, byTerm, part } of yield* Unsorted.takeAll(sql)) {
    const lists = Array.from(byTerm, ([term, added]) => ({ id: idOf(numberOf(term), part, block), added }))
    // In the order of the table, so that its pages are written one after the other.
    lists.sort((one, other) => one.id - other.id)
    yield* inSteps(lists, 1_000, ({ added, id }) => append(sql, id, Blob.joined(added)))
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
  const listOf = (term: string) => idOf(numberFor(sql, term), PURPOSES, Posting.block(file))
  for (const term of Words.ofPurpose(before ?? "").keys()) {
    for (const row of Row.values(sql, "select id, list from posting where id = ?", listOf(term))) {
      keep(sql, decode(row), (posting) => !Posting.isOf(posting, file, symbol))
    }
  }
  for (const [term, impact] of Words.ofPurpose(after ?? "")) {
    append(sql, listOf(term), Int32Array.of(Posting.make(file, symbol, impact)))
  }
}

/** Takes away what was posted of files that are gone, where that is much. */
export function* sweep(sql: Statements): Steps<void> {
  const roster = Roster.read(sql)
  if (!Roster.isWorn(roster)) return
  yield* inSteps(sql("select id from term").all(), 1_000, (term) => {
    for (const row of Row.values(sql, `select p.id, p.list from ${OF_TERMS} where t.id = ?`, Number(term.id))) {
      const list = decode(row)
      const first = list.block * Posting.BLOCK
      keep(sql, list, (posting) => Roster.isThere(Roster.entry(roster, first + Posting.file(posting))))
    }
  })
  sql(`delete from term where id not in (select p.id / ${LISTS} from posting p)`).run()
  Roster.clear(sql)
}

/** More blocks than there are, and numbers for the lists that a term can have in them. */
const BLOCKS = 2 ** 16
const LISTS = 4 * BLOCKS

const OF_TERMS = `term t join posting p on p.id between t.id * ${LISTS} and t.id * ${LISTS} + ${LISTS - 1}`

/** The lists of one part follow each other. `term`: its number. */
const idOf = (term: number, part: number, block: number): number => term * LISTS + part * BLOCKS + block

const decode = ([id, list]: ReadonlyArray<unknown>): List => {
  const place = Number(id) % LISTS
  return {
    id: Number(id),
    part: Math.floor(place / BLOCKS),
    block: place % BLOCKS,
    postings: Blob.numbers32(list),
  }
}

/** The number of a term, which it is given here where it has none. */
const numberFor = (sql: Statements, term: string): number =>
  Number(
    sql("select id from term where term = ?").get(term)?.id ??
      sql("insert into term (term) values (?)").run(term).lastInsertRowid,
  )

const append = (sql: Statements, id: number, postings: Int32Array): void => {
  // SQLite calls what it joins a text, whatever it was.
  sql(
    `insert into posting (id, list) values (?, ?)
     on conflict do update set list = cast(list || excluded.list as blob)`,
  ).run(id, Blob.of(postings))
}

/** Keeps those postings of a list of which `isKept` says so. */
const keep = (sql: Statements, { id, postings }: List, isKept: (posting: number) => boolean): void => {
  const kept = postings.filter(isKept)
  if (kept.length === postings.length) return
  if (kept.length === 0) sql("delete from posting where id = ?").run(id)
  else sql("update posting set list = ? where id = ?").run(Blob.of(kept), id)
}
