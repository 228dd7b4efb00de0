/** Parts that the tables of several languages share. */
import type { Literal } from "../Masked.ts"

export const lineComment = (open: string): Literal => ({ open, kind: "comment" })
export const blockComment: Literal = { open: "\\/\\*", close: "*/", kind: "comment" }
export const nestedComment: Literal = { ...blockComment, nests: true }
export const slashComments: ReadonlyArray<Literal> = [lineComment("\\/\\/"), blockComment]
export const nestedSlashComments: ReadonlyArray<Literal> = [lineComment("\\/\\/"), nestedComment]

/** `"…"` on one line. `code`: what begins code in it. */
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

/** `'a'` and `'\n'`: a quote alone, of a symbol or a lifetime, is none. */
export const character: Literal = { open: "'(?:\\\\[^\\n]{1,8}?|[^'\\\\\\n])'", close: "" }

/** Words in any order before a declaration; sticky. At most twelve, so that each statement costs the same at most. */
export const modifiers = (words: string, flags = ""): RegExp =>
  new RegExp(`(?:(?:${words.replaceAll(" ", "|")})\\s+){0,12}`, `y${flags}`)

/** `@Name`, `@a.Name<B>`; brackets behind it belong to it. Sticky. */
export const atAnnotation = /@(?:\w+:)?[\w.]+(?:<[^<>\n]{0,200}>)?/y
