/**
 * A source text as the readers of routes see it: blank strings and comments, matched brackets, calls with arguments.
 */

import { firstFrom, lineStarts } from "../../../base/Text.ts"
import { type Literal, maskWith } from "../../Symbols/internal/patterns/Masked.ts"

export interface RouteSource {
  readonly text: string
  /** The text with blank comments and strings; the quote that opens a string stays. Offsets are those of `text`. */
  readonly code: string
  /** Returns the content of the string that begins at an offset; undefined if there is none, or if it contains code. */
  readonly stringAt: (offset: number) => StringLiteral | undefined
  /** Returns the offset of the bracket that closes the one at an offset; undefined if nothing closes it. */
  readonly closeOf: (open: number) => number | undefined
  /** Returns the end of the innermost brackets around an offset, or the end of the text. */
  readonly endAround: (offset: number) => number
  /** Returns the arguments between the bracket at an offset and its end, without the space around them. */
  readonly argumentsIn: (open: number) => ReadonlyArray<Part>
  /** Returns the line of an offset, counted from 1. */
  readonly lineOf: (offset: number) => number
}

interface StringLiteral {
  readonly value: string
  /** The offset after the string. */
  readonly end: number
}

/** A part of the source. `code` has blank strings. */
export interface Part {
  readonly start: number
  readonly end: number
  readonly code: string
}

/** Makes a function that reads texts of a language with these comments and strings. The time is linear. */
export const makeReader = (literals: ReadonlyArray<Literal>): ((text: string) => RouteSource) => {
  const mask = maskWith(literals)
  return (text) => {
    const { code, literals } = mask(text)
    const ends = new Map(literals.flatMap(({ end, isComment, start }) => (isComment ? [] : [[start, end] as const])))
    const { closes, opens, parents } = matchBrackets(code)
    const lines = lineStarts(text)
    const argumentsIn = (open: number): ReadonlyArray<Part> => {
      const close = closes.get(open)
      if (close === undefined) return []
      const parts: Array<Part> = []
      const add = (from: number, to: number): void => {
        const part = code.slice(from, to)
        const start = from + (part.length - part.trimStart().length)
        const trimmed = part.trimEnd()
        // A string at the end is blank behind its quote.
        const end = Math.max(from + trimmed.length, ends.get(from + trimmed.length - 1) ?? 0)
        if (start < end) parts.push({ start, end, code: code.slice(start, end) })
      }
      let from = open + 1
      for (let at = from; at < close; at++) {
        if (code[at] === ",") {
          add(from, at)
          from = at + 1
        } else at = closes.get(at) ?? at
      }
      add(from, close)
      return parts
    }
    return {
      text,
      code,
      stringAt: (offset) => {
        const end = ends.get(offset)
        return end === undefined || end - offset > MAX_LITERAL ? undefined : contentOf(text.slice(offset, end), end)
      },
      closeOf: (open) => closes.get(open),
      endAround: (offset) => {
        let open: number | undefined = opens[firstFrom(opens, offset) - 1]
        for (let depth = 0; open !== undefined && (closes.get(open) ?? -1) < offset; depth++) {
          open = depth < MAX_DEPTH ? parents.get(open) : undefined
        }
        return open === undefined ? code.length : (closes.get(open) ?? code.length)
      },
      argumentsIn,
      lineOf: (offset) => firstFrom(lines, offset + 1),
    }
  }
}

/** Returns the content of a literal such as `"a"`, `r"a"`, `'''a'''` or `` `a` `` without escapes. */
const contentOf = (literal: string, end: number): StringLiteral | undefined => {
  const [, mark = "", content] = /^[@$a-zA-Z]{0,3}#?("""|'''|["'`])([\s\S]*)\1#?$/.exec(literal) ?? []
  if (content === undefined || /[\n\\]/.test(content.replace(regexEscape, ""))) {
    return undefined
  }
  const hasCode = (mark === "`" && content.includes("${")) || content.includes("#{") || /^\$|^[fF]/.test(literal)
  return hasCode ? undefined : { value: content, end }
}

/** Escapes that patterns of paths use, such as `(?P<id>\d+)` and `:id(\\d+)`. */
const regexEscape = /\\{1,2}[dwsDWSAzZ.\-/]/g

/** The most characters of a literal with a path. */
const MAX_LITERAL = 300

/** Matches the brackets of a text. Brackets that nothing opens or closes are left out. */
const matchBrackets = (code: string) => {
  const closes = new Map<number, number>()
  const parents = new Map<number, number>()
  const opens: Array<number> = []
  const stack: Array<number> = []
  for (const { 0: bracket, index } of code.matchAll(/[()[\]{}]/g)) {
    const opener = openers[bracket]
    if (opener === undefined) {
      const parent = stack.at(-1)
      if (parent !== undefined) parents.set(index, parent)
      opens.push(index)
      stack.push(index)
      continue
    }
    // A few brackets that were left open by a syntax error are skipped.
    const depth = stack.slice(-MAX_SKIPPED).findLastIndex((open) => code[open] === opener)
    if (depth === -1) continue
    stack.length = Math.max(0, stack.length - MAX_SKIPPED) + depth + 1
    const open = stack.pop()
    if (open !== undefined) closes.set(open, index)
  }
  return { closes, opens, parents }
}

const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" }

/** How many brackets around an offset are looked at. */
const MAX_DEPTH = 1_000

/** How many open brackets a closing one of another kind may skip. */
const MAX_SKIPPED = 4
