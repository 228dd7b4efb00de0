/** The lines of a symbol that are worth showing. */
import * as Tokenizer from "../../search/Tokenizer.ts"

export interface Excerpt {
  /** 1-based. */
  readonly firstLine: number
  readonly lines: ReadonlyArray<string>
}

/** Lines of each result. */
export const LINES = 10

/** The ten consecutive lines with most words of the query; the first ten where no line has one. */
export const best = (
  text: string,
  { endLine, startLine }: { readonly startLine: number; readonly endLine: number },
  query: string,
): Excerpt => {
  // Splitting the whole file by a regular expression would dominate the time.
  const body = text
    .split("\n")
    .slice(startLine - 1, endLine)
    .map((line) => line.replace(/\r$/, ""))
  const words = wordsOf(query)
  const named = body.map((line) => new Set(words.filter((word) => line.toLowerCase().includes(word))))
  let from = 0
  let most = 0
  for (let start = 0; start + LINES <= Math.max(body.length, LINES); start++) {
    const inside = named.slice(start, start + LINES)
    // Different words count more than repetitions of one.
    const score =
      new Set(inside.flatMap((words) => [...words])).size * 100 + inside.reduce((n, words) => n + words.size, 0)
    if (score > most) {
      most = score
      from = start
    }
  }
  return { firstLine: startLine + from, lines: body.slice(from, from + LINES) }
}

/** The parts of identifiers and words in a query, of at least three letters. */
const wordsOf = (query: string): ReadonlyArray<string> =>
  Array.from(new Set(Tokenizer.parts(query).filter((word) => word.length >= 3)))
