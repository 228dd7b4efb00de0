/** A declaration without its body, on one line. */
import type { Aside } from "./Comment.ts"
import { oneLine } from "./Rules.ts"

/** The limit that the port promises. */
const MAX_SIGNATURE_CHARS = 200

/** The most characters of a declaration that are read; the rest is ignored. */
const MAX_DECLARATION_CHARS = 4_000

/** Makes a signature of `lead` and the text between two offsets without the asides in it, at most 200 characters. */
export const make = (
  text: string,
  asides: ReadonlyArray<Aside>,
  declaration: { readonly lead: string; readonly start: number; readonly end: number; readonly isValue: boolean },
): string => {
  const source = withoutAsides(
    text,
    asides,
    declaration.start,
    Math.min(declaration.end, declaration.start + MAX_DECLARATION_CHARS),
  )
  // A value is part of the signature only if it is on one line.
  const declared = declaration.isValue && source.trim().includes("\n") ? source.replace(assignment, "") : source
  const line = trimPunctuation(oneLine(`${declaration.lead} ${declared}`).replace(opening, "$1").replace(closing, "$1"))
  return line.length <= MAX_SIGNATURE_CHARS
    ? line
    : `${line.slice(0, MAX_SIGNATURE_CHARS - 1).replace(/[\ud800-\udbff]$/, "")}…`
}

/** These match white space inside brackets, and a trailing comma before a closing one. */
const opening = /([([]) /g
const closing = /,? ([)\]])/g

/** Removes the punctuation at the end, one character at a time: a pattern for all of it would take quadratic time. */
const trimPunctuation = (line: string): string => {
  let end = line.length
  for (;;) {
    const [mark] = / ?(?:=>|[{:;,=])$/.exec(line.slice(Math.max(0, end - 3), end)) ?? []
    if (mark === undefined) return line.slice(0, end)
    end -= mark.length
  }
}

/** Matches the `=` of an assignment (no comparison, no arrow), and everything after it. */
const assignment = /(?<![=!<>])(?:\|\||\?\?)?=(?![=>]).*$/s

const withoutAsides = (text: string, asides: ReadonlyArray<Aside>, start: number, end: number): string => {
  let source = ""
  let from = start
  for (let index = firstAsideFrom(asides, start); index < asides.length; index++) {
    const aside = asides[index]
    if (aside === undefined || aside.start >= end) break
    source += text.slice(from, aside.start)
    from = aside.end
  }
  return source + text.slice(from, Math.max(from, end))
}

/** Finds the index of the first aside at or after an offset, by binary search. */
const firstAsideFrom = (asides: ReadonlyArray<Aside>, offset: number): number => {
  let low = 0
  let high = asides.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((asides[middle]?.start ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
