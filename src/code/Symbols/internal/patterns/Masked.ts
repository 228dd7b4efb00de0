/** A text with blank comments and strings, so that patterns and brackets see code alone. Every offset stays. */
import { escapePattern } from "../../../../base/Text.ts"

/** A comment or string of a language. */
export interface Literal {
  /** A regular expression without capturing groups. */
  readonly open: string
  /**
   * The text that ends it, or a function that makes this text from the one that opened it. An empty text ends it with
   * `open`; without `close` it ends at the end of the line.
   */
  readonly close?: string | ((open: string) => string)
  /**
   * `doc` is a string that documents the code after it. `name` is a quoted name, which stays, without its brackets.
   * Default: `string`.
   */
  readonly kind?: "comment" | "doc" | "string" | "name"
  /** It may hold others of its kind, with the same `open`, which must be a plain text. */
  readonly nests?: true
  /** It ends at the end of its line at the latest. */
  readonly isLine?: true
  /** The character that takes the next character's meaning; true stands for a backslash. */
  readonly escapes?: true | "`"
  /** The text that begins code within a string: `${`. The code ends with the bracket that closes it. */
  readonly code?: string
}

export interface Masked {
  /**
   * The masked text, which is as long as the text. The first character of a string remains, and with `keepsNames` so do
   * the names in it.
   */
  readonly code: string
  readonly comments: ReadonlyArray<{ readonly start: number; readonly end: number }>
  /** Comments and strings, in order; a string with code in it is several. */
  readonly literals: ReadonlyArray<{ readonly start: number; readonly end: number; readonly isComment: boolean }>
}

/**
 * Compiles the literals of a language. With `keepsNames`, strings of words alone stay, since declarations have their
 * names in strings.
 */
export const maskWith = (literals: ReadonlyArray<Literal>, keepsNames = false): ((text: string) => Masked) => {
  const openers = literals.map(({ open }) => `(${open})`).join("|")
  const outside = new RegExp(openers, "gm")
  const inside = new RegExp(`${openers}|[{}()]`, "gm")
  return (text) => mask(text, literals, { outside, inside }, keepsNames)
}

/** A string with code that is being read. The outermost comes first. */
interface Open {
  readonly literal: Literal
  readonly close: string
  /** Brackets that are open within the code. */
  depth: number
}

/** Blanks the literals of a text. It is linear, because each step begins at the end of the one before it. */
const mask = (
  text: string,
  literals: ReadonlyArray<Literal>,
  { inside, outside }: { readonly inside: RegExp; readonly outside: RegExp },
  keepsNames: boolean,
): Masked => {
  const pieces: Array<string> = []
  const comments: Array<{ readonly start: number; readonly end: number }> = []
  const found: Array<Masked["literals"][number]> = []
  const open: Array<Open> = []
  let at = 0

  /** Blanks a literal from `from`; its content is read from `start`. */
  const blank = (literal: Literal, close: string, from: number, start: number): void => {
    const { end, isCode } = endOf(text, literal, close, start)
    if (isCode) open.push({ literal, close, depth: 1 })
    if (literal.kind === "name") {
      pieces.push(text.slice(from, end).replace(/[{}()[\];=]/g, "_"))
      at = end
      return
    }
    const isComment = literal.kind === "comment" || literal.kind === "doc"
    found.push({ start: from, end, isComment })
    if (isComment) comments.push({ start: from + indentation(text.slice(from, start)), end })
    pieces.push(
      !isComment && keepsNames && isName.test(text.slice(start, end))
        ? text.slice(from, end)
        : blankOf(text, from, end, isComment),
    )
    at = end
  }

  while (at < text.length) {
    const current = open.at(-1)
    const pattern = current === undefined ? outside : inside
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) break
    pieces.push(text.slice(at, match.index))
    const literal = literals[match.slice(1).findIndex((group) => group !== undefined)]
    at = match.index + match[0].length
    if (literal !== undefined) {
      const close = typeof literal.close === "function" ? literal.close(match[0]) : (literal.close ?? "\n")
      blank(literal, close, match.index, at)
    } else if (current !== undefined) {
      const bracket = match[0]
      current.depth += bracket === "{" || bracket === "(" ? 1 : -1
      // The bracket that opened the code is blank too.
      pieces.push(current.depth === 0 ? " " : bracket)
      if (current.depth === 0) {
        open.pop()
        blank(current.literal, current.close, at, at)
      }
    }
  }
  pieces.push(text.slice(at))
  return { code: pieces.join(""), comments, literals: found }
}

const indentation = (opening: string): number => opening.length - opening.trimStart().length

const isName = /^[\w .:/-]{1,200}["']$/

const blankOf = (text: string, from: number, to: number, isComment: boolean): string => {
  const spaces = text.slice(from, to).replace(/[^\n]/g, " ")
  return isComment || spaces.length === 0 || spaces.startsWith("\n") ? spaces : `"${spaces.slice(1)}`
}

/** Finds the end of a literal's content, or of the bracket that begins code in it. */
const endOf = (text: string, literal: Literal, close: string, from: number): { end: number; isCode: boolean } => {
  const { code, escapes, isLine, nests, open } = literal
  if (literal.close === undefined) {
    const end = text.indexOf("\n", from)
    return { end: end === -1 ? text.length : end, isCode: false }
  }
  if (!escapes && !isLine && code === undefined && !nests) {
    const end = text.indexOf(close, from)
    return { end: end === -1 ? text.length : end + close.length, isCode: false }
  }
  const stop = stops(close, { code, escapes, isLine, nested: nests && open })
  stop.lastIndex = from
  let depth = 1
  for (let match = stop.exec(text); match !== null; match = stop.exec(text)) {
    if (match[1] !== undefined) {
      if (--depth === 0) return { end: stop.lastIndex, isCode: false }
    } else if (match[2] !== undefined) return { end: stop.lastIndex, isCode: true }
    else if (match[3] !== undefined) depth++
    else if (match[0] === "\n") return { end: match.index, isCode: false }
  }
  return { end: text.length, isCode: false }
}

interface Stops {
  readonly code: string | undefined
  readonly escapes: Literal["escapes"]
  readonly isLine: true | undefined
  readonly nested: string | undefined
}

/**
 * Matches what may end a literal or occur in it: its end (1), code (2), another one (3), an escape, the end of the
 * line.
 */
const stops = (close: string, { code, escapes, isLine, nested }: Stops): RegExp => {
  const key = JSON.stringify([close, code, escapes, isLine, nested])
  const known = compiled.get(key)
  if (known !== undefined) return known
  const never = "(?!)"
  // Code comes before an escape, since it may begin with a backslash.
  const pattern = new RegExp(
    [
      `(${escapePattern(close)})`,
      `(${code === undefined ? never : escapePattern(code)})`,
      `(${nested ?? never})`,
      ...(escapes === undefined ? [] : [`${escapePattern(escapes === true ? "\\" : escapes)}[^]`]),
      ...(isLine === undefined ? [] : ["\\n"]),
    ].join("|"),
    "g",
  )
  compiled.set(key, pattern)
  return pattern
}

const compiled = new Map<string, RegExp>()
