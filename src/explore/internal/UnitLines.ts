/**
 * Chooses the lines of source that a batch shows of a symbol and of those in it: comments and attributes above it, its
 * beginning and its end, and members by their signatures. Pure.
 */
import { plural } from "../../base/Prose.ts"
import { indentOf } from "../../code/CommentLines.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import { clean, cutLine, MAX_LINE_CHARS, oneLine } from "./foreignText.ts"
import * as Squeeze from "./Squeeze.ts"
import type { SymbolNode } from "./SymbolTree.ts"

/** A line of source, or the place of a mark. */
type Line = string | { readonly entry: IndexEntry; readonly isNamed: boolean }

/** The part of a unit that says what is shown of it. */
export interface Shown {
  readonly node: SymbolNode
  /** True if the open symbols in it are shown in it; otherwise they are units of their own. */
  readonly nested: boolean
  /** The most lines of source that are shown of each symbol; twice as many of a function that several files use. */
  readonly lines: number
}

/**
 * Returns the lines of a unit without the white space with which all of them begin; signatures if there is no source.
 */
export const linesOf = (unit: Shown, source: ReadonlyArray<string> | undefined): ReadonlyArray<Line> =>
  dedent(chooseLines(unit, source))

const chooseLines = (unit: Shown, source: ReadonlyArray<string> | undefined): ReadonlyArray<Line> => {
  const output: Array<Line> = []
  const isMarked = (node: SymbolNode) => node.isOpen && (unit.nested || node === unit.node)
  const isShown = (node: SymbolNode): boolean => isMarked(node) || (unit.nested && node.children.some(isShown))
  const push = (node: SymbolNode): void => {
    const { entry } = node
    if (isMarked(node)) {
      // Its lines may be written already, if another symbol ends on the line on which it begins.
      output.push({ entry, isNamed: node.isNamed || entry.startLine <= written })
    }
    const start = Math.max(entry.startLine - 1, written)
    if (source === undefined || entry.startLine > source.length || unit.lines === 0) {
      output.push(...signatureOf(entry))
      for (const child of node.children) if (isShown(child)) push(child)
      return
    }
    if (node === unit.node && node.isOpen) {
      output.push(...commentOf(entry, source), ...attributesOf(entry, source))
    }
    const isBody = !hasMembers.has(entry.kind)
    const parts = partsOf(node, start, source, isShown).map((part) => ({
      ...part,
      own: isOwn(part) ? Squeeze.squeeze(source.slice(part.start, part.end), { name: entry.name, isBody }) : [],
    }))
    const own = parts.reduce((sum, part) => sum + part.own.length, 0)
    const most = isMuchUsed(entry) ? MUCH_USED * unit.lines : unit.lines
    const [head, tail] = [Math.ceil((most * 3) / 4), Math.floor(most / 4)]
    let seen = 0
    let skipped: Array<string> = []
    const tellSkipped = () => {
      if (skipped.length <= MIN_SKIPPED) output.push(...skipped.map(cutLine))
      else {
        const messages = clean(Squeeze.messagesOf(skipped, MAX_MESSAGES_CHARS))
        output.push(`… ${plural(skipped.length, "line")}${messages === "" ? "" : `: ${messages}`}`)
      }
      skipped = []
    }
    let signatures = 0
    let names: Array<string> = []
    const tellNames = () => {
      if (names.length > 0) output.push(`… members: ${oneLine(names.join(", "), MAX_LINE_CHARS)}`)
      names = []
    }
    for (const part of parts) {
      if (part.leftOut !== undefined) {
        tellSkipped()
        if (signatures++ < MAX_SIGNATURES) {
          const indent = indentOf(source[part.start] ?? "")
          output.push(...memberOf(part.leftOut, source.slice(part.start, part.end)).map((line) => `${indent}${line}`))
        } else names.push(part.leftOut.name)
        written = Math.max(written, part.end)
      } else if (part.node === undefined) {
        if (part.own.length > 0) tellNames()
        for (const line of part.own) {
          if (seen >= head && seen < own - tail) skipped.push(line)
          else {
            tellSkipped()
            output.push(cutLine(line))
          }
          seen++
        }
        written = Math.max(written, part.end)
      } else {
        tellSkipped()
        tellNames()
        push(part.node)
      }
    }
    tellSkipped()
    tellNames()
  }
  let written = 0
  push(unit.node)
  return output
}

/** So few lines are shown rather than counted, since the count would take a line too. */
const MIN_SKIPPED = 2

const MAX_MESSAGES_CHARS = 240

/** The most signatures of members that are not open; the others are listed by their names. */
const MAX_SIGNATURES = 12

const hasMembers: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])

const isFunction = ({ kind }: IndexEntry): boolean => kind === "function" || kind === "method"

/** Functions that other files use are those that readers ask about, and a cut often hides what a long one decides. */
const isMuchUsed = (entry: IndexEntry): boolean => isFunction(entry) && entry.usedBy >= MIN_USERS

const MIN_USERS = 2

/** How many times as many lines are shown of a much used function. */
const MUCH_USED = 2

/**
 * The comment above an open symbol, which its lines do not have. It is no purpose, or one that is to be explained all
 * the same.
 */
const commentOf = (
  { doc = "", purpose, startLine }: IndexEntry,
  source: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const above = source[startLine - 2] ?? ""
  if (purpose?.origin === "model" || above.trim() === "" || !isAbove.test(above)) return []
  const squeezed = Squeeze.squeeze(["/**", ...doc.split("\n"), "*/"], { name: "", isBody: true })
  const sign = lineCommentAbove(source, startLine)
  const lines =
    sign === undefined
      ? squeezed
      : squeezed
          .map((line) => line.replace(/^\s*(?:\/\*\*|\*(?!\/))?\s*/, "").replace(/\s*\*\/$/, ""))
          .filter((line) => line !== "")
          .map((line) => `${sign} ${line}`)
  // The lines get the indentation of the symbol, which is taken away from both.
  const indent = indentOf(source[startLine - 1] ?? "")
  return lines.map((line) => cutLine(`${indent}${line}`))
}

/**
 * The attributes above an open symbol without which its lines mean something else: under which condition it is
 * compiled, that a test is to fail, that it is not to be used any more.
 */
const attributesOf = ({ startLine }: IndexEntry, source: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = startLine - 2; at >= Math.max(0, startLine - 2 - MAX_ABOVE); at--) {
    const line = source[at] ?? ""
    if (!/^\s*(?:@|\/\/|\/?\*|#)/.test(line)) break
    if (turnsMeaning.test(line)) found.unshift(cutLine(line))
  }
  return found
}

const MAX_ABOVE = 20

const turnsMeaning = /^\s*(?:#\[(?:cfg\(|should_panic|ignore|deprecated)|@(?:available\(|deprecated\b|Deprecated\b))/

/**
 * The sign of the line comments above a symbol and its decorators, such as `#` in Python; undefined for a block
 * comment.
 */
const lineCommentAbove = (source: ReadonlyArray<string>, startLine: number): string | undefined => {
  for (let at = startLine - 2; at >= 0 && isAbove.test(source[at] ?? ""); at--) {
    const sign = /^\s*(#(?!\[)|--|\/\/[/!]?)/.exec(source[at] ?? "")?.[1]
    if (sign !== undefined) return sign
    if (!/^\s*(?:@|#\[)/.test(source[at] ?? "")) return
  }
}

/** Shows a member that is not open by its signature; an attribute also by the names and texts in its value. */
const memberOf = (entry: IndexEntry, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const signature = oneLine(entry.signature, MAX_MEMBER_CHARS)
  if (signature === "") return []
  if (isFunction(entry)) return [signature]
  const squeezed = Squeeze.squeeze(lines, { name: "", isBody: false })
  if (squeezed.length === 1) return squeezed.map((line) => cutLine(line.trim()))
  const [first = "", ...others] = lines
  const value = first.slice(first.indexOf("=") + 1)
  const words = first.includes("=") ? Squeeze.wordsOf([value, ...others], MAX_VALUE_CHARS) : ""
  return [
    words === "" || signature.length > entry.name.length + 60 ? signature : cutLine(`${signature} = ${clean(words)}`),
  ]
}

const MAX_MEMBER_CHARS = 120
const MAX_VALUE_CHARS = 150

/**
 * Lines of the symbol itself, from `start` (0-based) to before `end`; or a symbol in it that is marked, or left out.
 */
interface Part {
  readonly start: number
  readonly end: number
  readonly node?: SymbolNode
  readonly leftOut?: IndexEntry
}

const isOwn = ({ leftOut, node }: Part): boolean => leftOut === undefined && node === undefined

/** A member without an open symbol is left in place up to so many lines; a longer one is shown by its signature. */
const MAX_MEMBER_LINES = 3

/** Divides a symbol into its own lines and its members. Long members without a mark are shown by their signature. */
const partsOf = (
  { children, entry }: SymbolNode,
  from: number,
  source: ReadonlyArray<string>,
  isShown: (node: SymbolNode) => boolean,
): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let at = from
  const isBody = isFunction(entry)
  for (const child of children) {
    const start = Math.max(at, child.entry.startLine - 1)
    if (isShown(child)) {
      parts.push({ start: at, end: start }, { start, end: Math.max(start, child.entry.endLine), node: child })
      at = Math.max(at, child.entry.endLine)
    } else if (!isBody && child.entry.endLine - start > MAX_MEMBER_LINES) {
      let end = start
      while (end > at && isAbove.test(source[end - 1] ?? "")) end--
      parts.push({ start: at, end }, { start, end: child.entry.endLine, leftOut: child.entry })
      at = child.entry.endLine
    }
  }
  return [...parts, { start: at, end: entry.endLine }]
}

/** A line that belongs above a symbol: its comment, decorators. */
const isAbove = /^\s*(?:\/\/|\/?\*|#|--|@|$)/

const signatureOf = ({ signature }: IndexEntry): ReadonlyArray<string> => {
  const line = oneLine(signature, MAX_LINE_CHARS)
  return line === "" ? [] : [line]
}

/**
 * Removes the white space with which all lines of source begin. A line that then looks like the header of a file is
 * indented.
 */
const dedent = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  let indent: string | undefined
  for (const line of lines) {
    if (typeof line !== "string" || line.startsWith("… ")) continue
    const own = indentOf(line)
    indent = indent === undefined ? own : commonPrefix(indent, own)
  }
  const width = indent?.length ?? 0
  return lines.map((line) => {
    if (typeof line !== "string") return line
    const shown = line.startsWith("… ") ? line : line.slice(width)
    return shown.startsWith("==") ? ` ${shown}` : shown
  })
}

const commonPrefix = (one: string, other: string): string => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
