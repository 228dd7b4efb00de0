/** The part of a message that a search has found. Pure. */
import { cut } from "../message/DisplayWidth.ts"

/** Characters of an excerpt. */
const WIDTH = 160

/** One line around the first of the terms, which are words in lower case; prefixes end in `*`. */
export const around = (text: string, terms: ReadonlyArray<string>): string => {
  const line = text.slice(0, MAX_READ).replaceAll(/\s+/g, " ").trim()
  const lower = line.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term.replace(/\*$/, ""))).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const start = first < WIDTH / 2 ? 0 : first - WIDTH / 4
  return `${start === 0 ? "" : "…"}${cut(line.slice(start).toWellFormed(), WIDTH)}`
}

/** Of a message that is longer, its beginning is shown. */
const MAX_READ = 100_000
