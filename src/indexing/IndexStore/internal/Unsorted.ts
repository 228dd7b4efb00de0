/** Postings that wait to be sorted into their lists: a row for what a batch of files has added to a block. */
import type { Statements, Steps } from "../../../disk/Sqlite.ts"
import * as Blob from "./Blob.ts"
import type { Vocabulary } from "./Vocabulary.ts"

/** What is added to the lists of a block, by term. */
export interface Added<Term, Postings> {
  readonly part: number
  readonly block: number
  readonly byTerm: Map<Term, Postings>
}

export const put = (
  sql: Statements,
  vocabulary: Vocabulary,
  { block, byTerm, part }: Added<number, ReadonlyArray<number>>,
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
  sql("insert into unsorted (part, block, terms, ends, postings) values (?, ?, ?, ?, ?)").run(
    part,
    block,
    Array.from(byTerm.keys(), vocabulary.term).join(" "),
    Blob.of(ends),
    Blob.of(postings),
  )
}

export const count = (sql: Statements): number => Number(sql("select count(*) as n from unsorted").get()?.n)

/** Everything, what belongs together brought together; nothing is left. */
export function* takeAll(sql: Statements): Steps<ReadonlyArray<Added<string, ReadonlyArray<Int32Array>>>> {
  const all = new Map<string, Added<string, Array<Int32Array>>>()
  for (const row of sql("select part, block, terms, ends, postings from unsorted order by id").all()) {
    const [part, block] = [Number(row.part), Number(row.block)]
    const place = `${part} ${block}`
    const { byTerm } = all.get(place) ?? { byTerm: new Map<string, Array<Int32Array>>() }
    all.set(place, { part, block, byTerm })
    const [ends, postings] = [Blob.numbers32(row.ends), Blob.numbers32(row.postings)]
    const terms = String(row.terms).split(" ")
    for (const [position, term] of terms.entries()) {
      const added = postings.subarray(ends[position - 1] ?? 0, ends[position])
      const list = byTerm.get(term)
      if (list === undefined) byTerm.set(term, [added])
      else list.push(added)
    }
    yield
  }
  sql("delete from unsorted").run()
  return Array.from(all.values())
}
