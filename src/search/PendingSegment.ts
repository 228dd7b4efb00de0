/**
 * Pending segments hold postings that are written but not yet merged into the posting lists. A row holds what one batch
 * of files adds to one collection in one block: the terms, separated by spaces, the end of the postings of each term,
 * and all postings.
 */
import type { Statements, Steps } from "../disk/Sqlite.ts"
import { toBlob, toInt32Array } from "./internal/blob.ts"
import type { Vocabulary } from "./Vocabulary.ts"

/** Postings to add to the lists of one collection in one block, as they came. */
export interface Segment {
  readonly collection: number
  readonly block: number
  readonly vocabulary: Vocabulary
  /** The term of each posting, by its number in the vocabulary. */
  readonly terms: Array<number>
  readonly postings: Array<number>
}

export const write = (sql: Statements, { block, collection, postings, terms, vocabulary }: Segment): void => {
  if (postings.length === 0) return
  const one = { terms, ends: terms.map((_, position) => position + 1), postings }
  const sorted = sortByTerm([one], vocabulary.size())
  const used = Array.from(sorted.ends.keys()).filter((term) => sorted.ends[term] !== (sorted.ends[term - 1] ?? 0))
  sql("insert into pending_segment (collection, block, terms, ends, postings) values (?, ?, ?, ?, ?)").run(
    collection,
    block,
    used.map(vocabulary.term).join(" "),
    toBlob(Int32Array.from(used, (term) => sorted.ends[term] ?? 0)),
    toBlob(sorted.postings),
  )
}

export const count = (sql: Statements): number => Number(sql("select count(*) as n from pending_segment").get()?.n)

/** The content of all segments. */
export interface Collected {
  /** The terms, each once. */
  readonly terms: ReadonlyArray<string>
  /** One for each collection and block, in the order of both. */
  readonly additions: ReadonlyArray<Addition>
}

/** The postings to add to the lists of one collection in one block. */
export interface Addition {
  readonly collection: number
  readonly block: number
  /** Returns the postings of a term, by its position in the terms; none if it has none here. */
  readonly postingsOf: (term: number) => Int32Array
}

/**
 * Removes all segments and returns what they hold. The postings of an addition are in one array, sorted by counting,
 * since an array for each of hundreds of thousands of lists would take several times their memory.
 */
export function* takeAll(sql: Statements): Steps<Collected> {
  const positions = new Map<string, number>()
  const positionOf = (term: string): number => {
    const known = positions.get(term)
    if (known !== undefined) return known
    positions.set(term, positions.size)
    return positions.size - 1
  }
  const segments: Array<Stored> = []
  const rows = sql(
    "select collection, block, terms, ends, postings from pending_segment order by collection, block, id",
  )
  for (const row of rows.all()) {
    segments.push({
      collection: Number(row.collection),
      block: Number(row.block),
      terms: Int32Array.from(String(row.terms).split(" "), positionOf),
      ends: toInt32Array(row.ends),
      postings: toInt32Array(row.postings),
    })
    yield
  }
  sql("delete from pending_segment").run()
  const additions: Array<Addition> = []
  for (const ofOne of Map.groupBy(segments, ({ block, collection }) => `${collection} ${block}`).values()) {
    const [first] = ofOne
    if (first === undefined) continue
    const { ends, postings } = sortByTerm(ofOne, positions.size)
    const postingsOf = (term: number) => postings.subarray(ends[term - 1] ?? 0, ends[term])
    additions.push({ collection: first.collection, block: first.block, postingsOf })
    yield
  }
  return { terms: Array.from(positions.keys()), additions }
}

/** Postings of one term after the other: the numbers of the terms, and the end of the postings of each. */
interface Postings {
  readonly terms: ArrayLike<number>
  readonly ends: ArrayLike<number>
  readonly postings: ArrayLike<number>
}

/** A segment as it is stored, with the positions of its terms. */
interface Stored extends Postings {
  readonly collection: number
  readonly block: number
}

/**
 * Puts the postings of each of `count` terms side by side, those of earlier segments first, and returns them with the
 * end of those of each term.
 */
const sortByTerm = (
  segments: ReadonlyArray<Postings>,
  count: number,
): { readonly ends: Int32Array; readonly postings: Int32Array } => {
  // It has the number of postings of each term, then the place of the first of them, and then that behind the last.
  const ends = new Int32Array(count)
  for (const segment of segments)
    for (let position = 0; position < segment.terms.length; position++) {
      const term = segment.terms[position] ?? 0
      ends[term] = (ends[term] ?? 0) + (segment.ends[position] ?? 0) - (segment.ends[position - 1] ?? 0)
    }
  let total = 0
  for (let term = 0; term < count; term++) {
    const begin = total
    total += ends[term] ?? 0
    ends[term] = begin
  }
  const postings = new Int32Array(total)
  for (const segment of segments)
    for (let position = 0; position < segment.terms.length; position++) {
      const term = segment.terms[position] ?? 0
      let at = ends[term] ?? 0
      for (let next = segment.ends[position - 1] ?? 0; next < (segment.ends[position] ?? 0); next++)
        postings[at++] = segment.postings[next] ?? 0
      ends[term] = at
    }
  return { ends, postings }
}
