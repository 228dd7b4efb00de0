/** The lines of a symbol that are worth showing. */
import * as Tokenizer from "../search/Tokenizer.ts"

export interface Excerpt {
  /** 1-based. */
  readonly firstLine: number
  readonly lines: ReadonlyArray<string>
}

/** As many as an answer shows of a symbol. */
export const height = 10

/** The ten lines in a row that name most words of the query; the first ten where none names any. */
export const best = (
  text: string,
  { endLine, startLine }: { readonly startLine: number; readonly endLine: number },
  query: string,
): Excerpt => {
  // To split all of a file by a pattern takes longer than the rest.
  const body = text
    .split("\n")
    .slice(startLine - 1, endLine)
    .map((line) => line.replace(/\r$/, ""))
  const words = wordsOf(query)
  const named = body.map((line) => new Set(words.filter((word) => line.toLowerCase().includes(word))))
  let from = 0
  let most = 0
  for (let start = 0; start + height <= Math.max(body.length, height); start++) {
    const inside = named.slice(start, start + height)
    // Different words count more than the same one again.
    const score =
      new Set(inside.flatMap((words) => [...words])).size * 100 + inside.reduce((n, words) => n + words.size, 0)
    if (score > most) {
      most = score
      from = start
    }
  }
  return { firstLine: startLine + from, lines: body.slice(from, from + height) }
}

/** The parts of identifiers and words in a query, of at least three letters. */
const wordsOf = (query: string): ReadonlyArray<string> =>
  Array.from(new Set(Tokenizer.parts(query).filter((word) => word.length >= 3)))
