/**
 * Writes the source of the open symbols of a file as a batch shows it: in units, which are as small as a single symbol
 * and as large as a class with its members. Pure.
 */

import { plural } from "../../base/Plural.ts"
import { sanitize } from "../../base/Sanitize.ts"
import * as Sentences from "../../base/Sentences.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import * as Tokens from "../../message/Tokens.ts"
import { mark } from "../Batch.ts"
import * as Squeeze from "./Squeeze.ts"

/** Symbols that a batch shows together, or not at all. */
export interface Unit {
  readonly path: string
  readonly node: SymbolNode
  /** The symbols around it that are not shown, the outermost first. */
  readonly around: ReadonlyArray<IndexEntry>
  /** True if the open symbols in it are shown in it; otherwise they are units of their own. */
  readonly nested: boolean
  /** The open symbols in the order in which they are marked, and the file at the end if it is asked for. */
  readonly symbols: ReadonlyArray<IndexEntry>
  /** The entry of the file if what it is for is asked for below this unit. */
  readonly file?: IndexEntry | undefined
  /** An upper bound of its tokens, with the header of its file and the lines for the symbols around it. */
  readonly tokens: number
  /** How many of these tokens the header takes, and how many the lines for the symbols around it. */
  readonly header: number
  readonly context: number
  /** The most lines of source that are shown of each symbol. */
  readonly lines: number
}

/** A symbol and those within its lines. */
export interface SymbolNode {
  readonly entry: IndexEntry
  readonly isOpen: boolean
  /** True if its mark has its name, because an open symbol beside it begins on the same line. */
  readonly isNamed: boolean
  readonly children: ReadonlyArray<SymbolNode>
}

export interface Source {
  readonly path: string
  /** Undefined for a file that cannot be read: then signatures are shown. */
  readonly lines: ReadonlyArray<string> | undefined
  /** Returns the names of symbols that use a symbol. */
  readonly callersOf: (entry: IndexEntry) => ReadonlyArray<string>
  /** The symbol that this one overrides, if that has a purpose that does not change. */
  readonly overriddenBy: (entry: IndexEntry) => IndexEntry | undefined
}

export interface Limits {
  readonly tokens: number
  readonly symbols: number
}

/** `entries` has all symbols of the file, in order of their start. */
export const units = (
  source: Source,
  entries: ReadonlyArray<IndexEntry>,
  isOpen: (entry: IndexEntry) => boolean,
  limits: Limits,
): ReadonlyArray<Unit> => {
  const found: Array<Unit> = []
  const visit = (node: SymbolNode, around: ReadonlyArray<IndexEntry>): void => {
    const symbols = openIn(node)
    if (symbols.length === 0) return
    if (node.isOpen) {
      const whole = shrink(
        { path: source.path, node, around, nested: true, symbols },
        source,
        UNIT_SHARE * limits.tokens,
      )
      const isWhole = whole.lines === MAX_LINES && symbols.length <= Math.max(1, UNIT_SHARE * limits.symbols)
      if (isWhole || symbols.length === 1) {
        const fits = whole.lines === MAX_LINES
        found.push(fits ? whole : shrink(whole, source, limits.tokens))
        return
      }
      const alone = { path: source.path, node, around, nested: false, symbols: [node.entry] }
      found.push(shrink(alone, source, limits.tokens))
    }
    for (const child of node.children) visit(child, [...around, node.entry])
  }
  for (const node of nest(entries, isOpen)) visit(node, [])
  return found
}

/** Asks for a file below its last unit, so that it is asked for once. */
export const withFile = (units: ReadonlyArray<Unit>, file: IndexEntry): ReadonlyArray<Unit> =>
  units.map((unit, at) =>
    at < units.length - 1
      ? unit
      : {
          ...unit,
          file,
          symbols: [...unit.symbols, file],
          tokens: unit.tokens + sizeOf(`${mark(LONGEST_NUMBER)} ${WHOLE_FILE}`),
        },
  )

/** Stands beside the mark of a file; `Instruction` says what it asks for. */
export const WHOLE_FILE = "the whole file"

/**
 * A class may take at most this share of a batch; a larger one is split into its members, so that batches can be
 * filled.
 */
const UNIT_SHARE = 0.2

/** Halves the lines of each symbol until the unit has room. */
const shrink = (unit: Omit<Unit, Measured>, source: Source, tokens: number): Unit => {
  const header = fewest(headerOf(unit.path))
  const context = [...unit.around.map(contextOf), ownerOf(unit)].reduce((sum, line) => sum + fewest(line), 0)
  for (let lines = MAX_LINES; ; lines = Math.floor(lines / 2)) {
    const shown = { ...unit, tokens: 0, header, context, lines }
    const isAtTop = unit.around.length === 0 && ownerOf(unit) === ""
    const size = sizeOf(textOf([shown], source, LONGEST_NUMBER).text) + (isAtTop ? sizeOf(AT_TOP) : 0)
    if (size <= tokens || lines === 0) return { ...shown, tokens: Math.min(size, tokens) }
  }
}

type Measured = "tokens" | "header" | "context" | "lines"

/** Rounds down, since these tokens are subtracted as savings. */
const fewest = (line: string): number => Math.floor(0.3 * (Tokens.lengthOf(line) + 1))

/** The tokens that a unit adds to those before it. It may share the header of its file with the last of them. */
export const tokensAfter = (before: Unit | undefined, unit: Unit): number => {
  const { around, context, header, path, tokens } = unit
  if (before?.path !== path) return tokens
  const isSame =
    around.length === before.around.length &&
    around.every((entry, i) => entry === before.around[i]) &&
    ownerOf(before) === ownerOf(unit)
  return tokens - header - (isSame ? context : 0)
}

/** A number with so many digits that the marks of a unit are not longer in a batch than they were measured. */
const LONGEST_NUMBER = 10_000

/**
 * The most lines of a symbol without its members, after `Squeeze`: three quarters from its beginning, which shows what
 * a function is for, and the others from its end. Messages and comments of the rest are kept. With 32 a purpose costs 2
 * % more in eight repositories. Most functions have fewer than 20.
 */
const MAX_LINES = 28

/** The most characters of a line: longer ones are data, or minified. */
const MAX_LINE_CHARS = 200

/** A member without an open symbol is left in place up to so many lines; a longer one is shown by its signature. */
const MAX_MEMBER_LINES = 3

/** Returns the open symbols of a node, in the order of their marks. */
const openIn = (node: SymbolNode): ReadonlyArray<IndexEntry> => [
  ...(node.isOpen ? [node.entry] : []),
  ...node.children.flatMap(openIn),
]

/** The trees of the symbols of a file, by their lines. A symbol that is only partly in another one is put beside it. */
const nest = (
  entries: ReadonlyArray<IndexEntry>,
  isOpen: (entry: IndexEntry) => boolean,
): ReadonlyArray<SymbolNode> => {
  interface Growing extends SymbolNode {
    readonly children: Array<Growing>
  }
  const roots: Array<Growing> = []
  const above: Array<Growing> = []
  const isShared = sharedStarts(entries.filter(isOpen))
  const sorted = entries.toSorted((one, other) => one.startLine - other.startLine || other.endLine - one.endLine)
  for (const entry of sorted) {
    const node: Growing = { entry, isOpen: isOpen(entry), isNamed: isShared(entry), children: [] }
    for (let parent = above.at(-1); parent !== undefined && !isAround(parent.entry, entry); parent = above.at(-1)) {
      above.pop()
    }
    ;(above.at(-1)?.children ?? roots).push(node)
    // A chain of symbols on one line, as in a minified file, would be as deep as it is long.
    if (above.length < MAX_DEPTH) above.push(node)
  }
  return roots
}

const MAX_DEPTH = 20

const sharedStarts = (entries: ReadonlyArray<IndexEntry>) => {
  const counts = Map.groupBy(entries, ({ startLine }) => startLine)
  return ({ startLine }: IndexEntry): boolean => (counts.get(startLine)?.length ?? 0) > 1
}

/**
 * Returns whether one symbol is around another. `inner` begins on the same line or later. Symbols on the same lines are
 * beside each other, unless one is the container of the other.
 */
const isAround = (outer: IndexEntry, inner: IndexEntry): boolean =>
  inner.endLine <= outer.endLine &&
  (inner.startLine > outer.startLine || inner.endLine < outer.endLine || inner.container === outer.qualifiedName)

/** Writes the text of units of one file. Returns it with the open symbols in it by their numbers, from `first`. */
export const textOf = (
  units: ReadonlyArray<Unit>,
  source: Source,
  first: number,
): { readonly text: string; readonly symbols: ReadonlyArray<IndexEntry> } => {
  const symbols: Array<IndexEntry> = []
  const output = [headerOf(source.path)]
  let around: ReadonlyArray<IndexEntry> = []
  let owner = ""
  let isInside = false
  const explained = new Set<IndexEntry>()
  /** Shows the purpose of a symbol once if several override it. */
  const overriddenText = (entry: IndexEntry): string => {
    const purpose = explained.has(entry) ? "" : purposeOf(entry)
    explained.add(entry)
    return `overrides ${oneLine(`${entry.qualifiedName}${purpose}`, MAX_CONTEXT_CHARS)}`
  }
  const markOf = (entry: IndexEntry, isNamed: boolean): string => {
    symbols.push(entry)
    const callers = callersText(source.callersOf(entry))
    const overridden = source.overriddenBy(entry)
    const known = [
      ...(isNamed ? [oneLine(entry.qualifiedName, MAX_LINE_CHARS)] : []),
      ...(callers === "" ? [] : [`used by ${callers}`]),
      ...(overridden === undefined ? [] : [overriddenText(overridden)]),
    ]
    return [mark(first + symbols.length - 1), known.join(", ")].filter((text) => text !== "").join(" ")
  }
  for (const unit of units) {
    const known = unit.around.findIndex((entry, i) => entry !== around[i])
    for (const entry of known < 0 ? [] : unit.around.slice(known)) output.push(contextOf(entry))
    const isBack = unit.around.length < around.length
    around = unit.around
    const outer = ownerOf(unit)
    if (outer !== "" && (outer !== owner || known >= 0 || isBack)) output.push(outer)
    if (outer === "" && around.length === 0 && isInside) output.push(AT_TOP)
    isInside = outer !== "" || around.length > 0
    owner = outer
    // Members that follow their class are below its line.
    if (unit.node.isOpen && !unit.nested) around = [...unit.around, unit.node.entry]
    for (const line of dedent(linesOf(unit, source.lines))) {
      output.push(typeof line === "string" ? line : markOf(line.entry, line.isNamed))
    }
    if (unit.file !== undefined) {
      symbols.push(unit.file)
      output.push(`${mark(first + symbols.length - 1)} ${WHOLE_FILE}`)
    }
  }
  return { text: output.join("\n"), symbols }
}

const headerOf = (path: string): string => `== ${oneLine(path, MAX_LINE_CHARS)}`

/** A line of source, or the place of a mark. */
type Line = string | { readonly entry: IndexEntry; readonly isNamed: boolean }

const linesOf = (unit: Unit, source: ReadonlyArray<string> | undefined): ReadonlyArray<Line> => {
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
    const isShort = own <= unit.lines
    const [head, tail] = isShort ? [own, 0] : [Math.ceil((unit.lines * 3) / 4), Math.floor(unit.lines / 4)]
    let seen = 0
    let skipped: Array<string> = []
    const tellSkipped = () => {
      if (skipped.length > 0 && skipped.length <= MIN_SKIPPED) output.push(...skipped.map(cutLine))
      else if (skipped.length > 0) {
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
          const indent = /^[\t ]*/.exec(source[part.start] ?? "")?.[0] ?? ""
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

/**
 * The comment above an open symbol, which its lines do not have. It is no purpose, or one that is to be explained all
 * the same.
 */
const commentOf = (
  { doc = "", purpose, startLine }: IndexEntry,
  source: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const above = source[startLine - 2] ?? ""
  if (purpose?.origin === "model" || doc === "" || above.trim() === "" || !isAbove.test(above)) return []
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
  const indent = /^[\t ]*/.exec(source[startLine - 1] ?? "")?.[0] ?? ""
  return lines.map((line) => cutLine(`${indent}${line}`))
}

/**
 * The attributes above an open symbol without which its lines mean something else: under which condition it is compiled,
 * that a test is to fail, that it is not to be used any more.
 */
const attributesOf = ({ startLine }: IndexEntry, source: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = startLine - 2; at >= Math.max(0, startLine - 2 - MAX_ABOVE); at--) {
    const line = source[at] ?? ""
    if (line.trim() === "" || !/^\s*(?:#!?\[|@|\/\/|\/?\*|#)/.test(line)) break
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
  if (isFunction(entry) || signature === "") return signature === "" ? [] : [signature]
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
      if (start > at) parts.push({ start: at, end: start })
      parts.push({ start, end: Math.max(start, child.entry.endLine), node: child })
      at = Math.max(at, child.entry.endLine)
    } else if (!isBody && child.entry.endLine - start > MAX_MEMBER_LINES) {
      let end = start
      while (end > at && isAbove.test(source[end - 1] ?? "")) end--
      if (end > at) parts.push({ start: at, end })
      at = child.entry.endLine
      parts.push({ start, end: at, leftOut: child.entry })
    }
  }
  if (entry.endLine > at) parts.push({ start: at, end: entry.endLine })
  return parts
}

/** A line that belongs above a symbol: its comment, decorators. */
const isAbove = /^\s*(?:\/\/|\/?\*|#|--|@|$)/

const signatureOf = ({ signature }: IndexEntry): ReadonlyArray<string> => {
  const line = oneLine(signature, MAX_LINE_CHARS)
  return line === "" ? [] : [line]
}

/** Writes the line for a symbol around others: `in class Session(Mixin): Keeps settings over requests.` */
const contextOf = (entry: IndexEntry): string => {
  const signature = oneLine(entry.signature, MAX_CONTEXT_CHARS).replace(/\s*[:{]\s*$/, "")
  return `in ${signature === "" ? oneLine(entry.qualifiedName, MAX_CONTEXT_CHARS) : signature}${purposeOf(entry)}`
}

/** Ends what stands in another symbol. */
const AT_TOP = "at the top of the file"

/**
 * Writes the line for the owner of a member that its source does not stand in, such as `in impl Layer for Extension` for
 * a member of an implementation in Rust, and `in Request` for one of an extension in Swift; empty if there is none.
 */
const ownerOf = ({ around, node: { entry } }: Pick<Unit, "around" | "node">): string => {
  const { container, signature } = entry
  const outer = around.at(-1)
  if (container === undefined || outer?.qualifiedName === container) return ""
  // The name of the owner within what is around it already.
  const name =
    outer !== undefined && container.startsWith(`${outer.qualifiedName}.`)
      ? container.slice(outer.qualifiedName.length + 1)
      : container
  const [last = ""] = /\w*$/.exec(name) ?? []
  // Lua and C++ name the owner in the declaration, and Go in the receiver.
  const isNamed = last !== "" && new RegExp(`\\b${last}(?:[.:]|::)\\w|^func \\([^)]*\\b${last}\\b`).test(signature)
  if (isNamed) return ""
  const trait = /^impl ([^:]+(?:::[^:]+)*): /.exec(signature)?.[1]
  return `in ${oneLine(trait === undefined ? name : `impl ${trait} for ${name}`, MAX_CONTEXT_CHARS)}`
}

const purposeOf = ({ purpose }: IndexEntry): string =>
  purpose === undefined ? "" : `: ${Sentences.first(oneLine(purpose.text, MAX_CONTEXT_CHARS))}`

const MAX_CONTEXT_CHARS = 120

/** Names two or three symbols that use it. */
const callersText = (callers: ReadonlyArray<string>): string => {
  let text = ""
  for (const caller of callers) {
    const next = `${text}${text === "" ? "" : ", "}${oneLine(caller, MAX_CALLERS_CHARS)}`
    if (next.length > MAX_CALLERS_CHARS) break
    text = next
  }
  return text
}

const MAX_CALLERS_CHARS = 70

const oneLine = (text: string, most: number): string => cutAt(clean(text.replaceAll(/\s+/g, " ").trim()), most)

/** Cuts first, so that the rest costs no time, however long a line is and however many symbols are on it. */
const cutLine = (line: string): string => clean(cutAt(line.slice(0, MAX_LINE_CHARS + 1).trimEnd(), MAX_LINE_CHARS))

/** Cuts a text, but never between the halves of a surrogate pair. */
const cutAt = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1
  return `${text.slice(0, end)}…`
}

/** Makes a text safe to show, and removes everything that could be taken for a mark. */
const clean = (text: string): string =>
  /^[\t\x20-\x7e]*$/.test(text) ? text : sanitize(text).replaceAll("§", "¶").replaceAll("\n", " ")

/**
 * Removes the white space with which all lines of source begin. A line that then looks like the header of a file is
 * indented.
 */
const dedent = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  let indent: string | undefined
  for (const line of lines) {
    if (typeof line !== "string" || line.startsWith("… ")) continue
    const own = /^[\t ]*/.exec(line)?.[0] ?? ""
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

/** Rounds up, so that the sum of parts is not less than the whole. */
export const sizeOf = (text: string): number => Math.ceil(0.3 * (Tokens.lengthOf(text) + 1))
