/** Parts that the tables of several languages share. */
import type { Literal } from "../../Symbols/internal/patterns/Masked.ts"

export const lineComment = (open: string): Literal => ({ open, kind: "comment" })
export const blockComment: Literal = { open: "\\/\\*", close: "*/", kind: "comment" }
const nestedComment: Literal = { ...blockComment, nests: true }
export const slashComments: ReadonlyArray<Literal> = [lineComment("\\/\\/"), blockComment]
export const nestedSlashComments: ReadonlyArray<Literal> = [lineComment("\\/\\/"), nestedComment]

/** A string `"…"` on one line. `code` is the text that begins code in it. */
export const line = (quote: string, code?: string): Literal => ({
  open: quote,
  close: quote,
  isLine: true,
  escapes: true,
  ...(code !== undefined && { code }),
})

/** A string over several lines, with code that begins with `code`. */
export const block = (quote: string, code?: string): Literal => ({
  open: quote,
  close: quote,
  ...(code !== undefined && { code }),
})

/** A character such as `'a'` and `'\n'`. A lone quote, as in a symbol or a lifetime, does not begin one. */
export const character: Literal = { open: "'(?:\\\\[^\\n]{1,8}?|[^'\\\\\\n])'", close: "" }

/** A name in backticks, which may hold any characters: `` `a/*` ``. */
export const backtickName: Literal = { open: "`[^`\\n]+`", close: "", kind: "name" }

/**
 * Matches words in any order before a declaration; sticky. It takes at most twelve, so that the cost of each statement
 * has a bound.
 */
export const modifiers = (words: string, flags = ""): RegExp =>
  new RegExp(`(?:(?:${words.replaceAll(" ", "|")})\\s+){0,12}`, `y${flags}`)

/** Matches `@Name` and `@a.Name<B>`; brackets behind it belong to it. Sticky. */
export const atAnnotation = /@(?:\w+:)?[\w.]+(?:<[^<>\n]{0,200}>)?/y
