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
  const counts = new Int32Array(vocabulary.size())
  for (const term of terms) counts[term] = (counts[term] ?? 0) + 1
  const used = Array.from(counts.keys()).filter((term) => counts[term] !== 0)
  const ends = new Int32Array(used.length)
  // It has the place of the next posting of each term.
  const next = counts
  let end = 0
  used.forEach((term, position) => {
    const begin = end
    end += counts[term] ?? 0
    next[term] = begin
    ends[position] = end
  })
  const sorted = new Int32Array(end)
  terms.forEach((term, position) => {
    const at = next[term] ?? 0
    sorted[at] = postings[position] ?? 0
    next[term] = at + 1
  })
  sql("insert into pending_segment (collection, block, terms, ends, postings) values (?, ?, ?, ?, ?)").run(
    collection,
    block,
    used.map(vocabulary.term).join(" "),
    toBlob(ends),
    toBlob(sorted),
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
    additions.push({ collection: first.collection, block: first.block, postingsOf: byTerm(ofOne, positions.size) })
    yield
  }
  return { terms: Array.from(positions.keys()), additions }
}

/** A segment as it is stored, with the positions of its terms. */
interface Stored {
  readonly collection: number
  readonly block: number
  readonly terms: Int32Array
  readonly ends: Int32Array
  readonly postings: Int32Array
}

/** Puts the postings of each of `count` terms side by side, those of earlier segments first. */
const byTerm = (segments: ReadonlyArray<Stored>, count: number): ((term: number) => Int32Array) => {
  // It has the number of postings of each term, then the place of the first of them, and then that behind the last.
  const ends = new Int32Array(count)
  for (const segment of segments)
    segment.terms.forEach((term, position) => {
      ends[term] = (ends[term] ?? 0) + (segment.ends[position] ?? 0) - (segment.ends[position - 1] ?? 0)
    })
  let total = 0
  for (let term = 0; term < count; term++) {
    const begin = total
    total += ends[term] ?? 0
    ends[term] = begin
  }
  const all = new Int32Array(total)
  for (const segment of segments)
    segment.terms.forEach((term, position) => {
      let at = ends[term] ?? 0
      for (let next = segment.ends[position - 1] ?? 0; next < (segment.ends[position] ?? 0); next++)
        all[at++] = segment.postings[next] ?? 0
      ends[term] = at
    })
  return (term) => all.subarray(ends[term - 1] ?? 0, ends[term])
}
