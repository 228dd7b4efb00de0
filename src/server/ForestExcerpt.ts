/** Cuts out the part of a message that a search has found. Pure. */
import { cut } from "../base/DisplayWidth.ts"

/** The most characters of an excerpt. */
const WIDTH = 160

/** Returns one line around the first match of the terms, which are words in lower case; prefixes end in `*`. */
export const around = (text: string, terms: ReadonlyArray<string>): string => {
  const line = text.slice(0, MAX_READ).replaceAll(/\s+/g, " ").trim()
  const lower = lowered(line)
  const places = terms.map((term) => lower.indexOf(term.replace(/\*$/, ""))).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const wanted = first < WIDTH / 2 ? 0 : first - WIDTH / 4
  const start = /[\udc00-\udfff]/.test(line.charAt(wanted)) ? wanted + 1 : wanted
  return `${start === 0 ? "" : "…"}${cut(line.slice(start).toWellFormed(), WIDTH)}`
}

/** Returns the line in lower case, with each letter at the same place: `İ` becomes two in lower case, so it stays. */
const lowered = (line: string): string => {
  const lower = line.toLowerCase()
  if (lower.length === line.length) return lower
  return line.replaceAll(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase()
    return small.length === letter.length ? small : letter
  })
}

/** The most characters of a message that are searched for the terms; the rest of a longer one is not read. */
const MAX_READ = 100_000
