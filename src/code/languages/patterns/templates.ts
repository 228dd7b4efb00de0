/** Code in strings of Kotlin and Scala: `"$name"` and `"${code}"`. */
import type { Masked } from "../../Symbols/internal/patterns/Masked.ts"

/**
 * Returns the masked code with the names that strings hold. A plus stands before the code in a string, and a quote
 * behind a name, so that neither belongs to what is around the string. `isTemplate` tells whether the string that has a
 * part at an offset may hold code.
 */
export const withTemplates = (
  text: string,
  { code, literals }: Masked,
  isTemplate: (start: number) => boolean = () => true,
): string => {
  const pieces: Array<string> = []
  let at = 0
  const replace = (from: number, by: string): void => {
    pieces.push(code.slice(at, from), by)
    at = from + by.length
  }
  for (const { end, isComment, start } of literals) {
    if (isComment || text[start] === "'" || !isTemplate(start)) continue
    for (const { 0: whole, 1: name, index } of text.slice(start, end).matchAll(template)) {
      const from = start + index
      if (name === undefined || from + whole.length >= end) continue
      // The mark behind the name before may already be there.
      if (at <= from) replace(from, "+")
      replace(from + 1, name)
      if (text[at] !== "\n") replace(at, text[at] === "$" ? "+" : '"')
    }
    if (text.startsWith("${", end - 2) && at < end) replace(end - 1, "+")
  }
  pieces.push(code.slice(at))
  return pieces.join("")
}

/** Matches a name behind a dollar sign, or what a backslash escapes. */
const template = /\\[\s\S]|\$([\p{L}_][\p{L}\p{N}_]*)/gu
