/**
 * Pending segments hold postings that are written but not yet merged into the posting lists. A row holds what one batch
 * of files adds to one collection in one block: the terms, separated by spaces, the end of the postings of each term,
 * and all postings.
 */
import type { Statements, Steps } from "../disk/Sqlite.ts"
import { toBlob, toInt32Array } from "./internal/blob.ts"
import type { Vocabulary } from "./Vocabulary.ts"

/** The postings to add to the lists of one collection in one block, by term. */
export interface Segment<Term, Postings> {
  readonly collection: number
  readonly block: number
  readonly byTerm: Map<Term, Postings>
}

export const write = (
  sql: Statements,
  vocabulary: Vocabulary,
  { block, byTerm, collection }: Segment<number, ReadonlyArray<number>>,
): void => {
  const lists = Array.from(byTerm.values())
  let end = 0
  const ends = Int32Array.from(lists, ({ length }) => {
    end += length
    return end
  })
  const postings = new Int32Array(end)
  lists.forEach((list, position) => {
    postings.set(list, ends[position - 1] ?? 0)
  })
  sql("insert into pending_segment (collection, block, terms, ends, postings) values (?, ?, ?, ?, ?)").run(
    collection,
    block,
    Array.from(byTerm.keys(), vocabulary.term).join(" "),
    toBlob(ends),
    toBlob(postings),
  )
}

export const count = (sql: Statements): number => Number(sql("select count(*) as n from pending_segment").get()?.n)

/** Removes all segments and returns them. Segments of the same collection and block become one. */
export function* takeAll(sql: Statements): Steps<ReadonlyArray<Segment<string, ReadonlyArray<Int32Array>>>> {
  const segments = new Map<string, Segment<string, Array<Int32Array>>>()
  for (const row of sql("select collection, block, terms, ends, postings from pending_segment order by id").all()) {
    const [collection, block] = [Number(row.collection), Number(row.block)]
    const key = `${collection} ${block}`
    const { byTerm } = segments.get(key) ?? { byTerm: new Map<string, Array<Int32Array>>() }
    segments.set(key, { collection, block, byTerm })
    const [ends, postings] = [toInt32Array(row.ends), toInt32Array(row.postings)]
    const terms = String(row.terms).split(" ")
    for (const [position, term] of terms.entries()) {
      const added = postings.subarray(ends[position - 1] ?? 0, ends[position])
      const list = byTerm.get(term)
      if (list === undefined) byTerm.set(term, [added])
      else list.push(added)
    }
    yield
  }
  sql("delete from pending_segment").run()
  return Array.from(segments.values())
}
