/** A declaration without its body, on one line. */
import type { Aside } from "./Comment.ts"
import { oneLine } from "./Rules.ts"

/** Characters; the port's promise. */
const limit = 200

/** More than this much of a declaration is not looked at. */
const reach = 4_000

/** `lead` and the text between two offsets without the asides in it, at most 200 characters. */
export const make = (
  text: string,
  asides: ReadonlyArray<Aside>,
  declaration: { readonly lead: string; readonly start: number; readonly end: number; readonly isValue: boolean },
): string => {
  const source = without(text, asides, declaration.start, Math.min(declaration.end, declaration.start + reach))
  // A value is worth its place in a signature only where it is short.
  const told = declaration.isValue && source.trim().includes("\n") ? source.replace(assignment, "") : source
  const line = bare(oneLine(`${declaration.lead} ${told}`).replace(opening, "$1").replace(closing, "$1"))
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`
}

/** The space inside brackets, and the comma that comes with it where they span lines. */
const opening = /([([]) /g
const closing = /,? ([)\]])/g

/** Without the marks at its end, taken off one by one: a pattern for all of them takes time in the square of their number. */
const bare = (line: string): string => {
  let end = line.length
  for (;;) {
    const [mark] = / ?(?:=>|[{:;,=])$/.exec(line.slice(Math.max(0, end - 3), end)) ?? []
    if (mark === undefined) return line.slice(0, end)
    end -= mark.length
  }
}

/** An `=` that is no comparison and no arrow, and all after it. */
const assignment = /(?<![=!<>])(?:\|\||\?\?)?=(?![=>]).*$/s

const without = (text: string, asides: ReadonlyArray<Aside>, start: number, end: number): string => {
  let source = ""
  let from = start
  for (let index = firstFrom(asides, start); index < asides.length; index++) {
    const aside = asides[index]
    if (aside === undefined || aside.start >= end) break
    source += text.slice(from, aside.start)
    from = aside.end
  }
  return source + text.slice(from, Math.max(from, end))
}

/** Index of the first aside at or after an offset. */
const firstFrom = (asides: ReadonlyArray<Aside>, offset: number): number => {
  let low = 0
  let high = asides.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((asides[middle]?.start ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
