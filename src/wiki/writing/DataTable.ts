/**
 * Writes a value that is data, such as the defaults of settings, a table of commands or an enumeration, in few lines:
 * each entry with its value and the beginning of its comment. It goes by the shape of the text, for any language. Pure.
 */
import { splitSentences } from "../../base/Prose.ts"
import * as Language from "../../code/Language.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import { cut, sizeOf } from "./Material.ts"

/**
 * The most characters of an entry in one line, with what is in its brackets. A longer one has its own entries below it.
 */
const MAX_INLINE = 150

/**
 * The most characters of a line that is not divided, of one in a table with little room, if that fits, and of a
 * comment.
 */
const MAX_LINE = 150
const BRIEF = [200, 150, 100]
const MAX_NOTE = 70

/** A value with fewer lines, or with fewer entries, says no more than its declaration. */
const MIN_LINES = 3
const MIN_ENTRIES = 3

/** A longer source is data that was generated, such as a table of characters. */
const MAX_CHARS = 40_000

/** The largest share of lines that run something: a table of functions is code, and its members are symbols. */
const MAX_CODE = 0.15

const CODE =
  /\b(?:function|return|if|else|elseif|elif|for|while|def|lambda|local|await|throw|raise|switch|case|defer|func|fn)\b(?!\s*[:=](?![:=]))|=>/

/** A method of a class in a language of indentation. */
const DEFINES = /^\s*(?:async\s+)?def\s/

/** Kinds of symbols that may hold data, and those that declare it. */
export const valueKinds: ReadonlySet<string> = new Set(["constant", "variable", "field"])
const types: ReadonlySet<string> = new Set(["class", "interface", "type"])

/** An entry: its text with what stands in brackets, and the comment beside or above it. */
export interface Entry {
  readonly pieces: ReadonlyArray<string | Group>
  readonly note: string
}

export interface Group {
  readonly open: string
  readonly close: string
  readonly entries: ReadonlyArray<Entry>
}

/** A data table with how much it has. */
export interface DataTable {
  readonly entries: ReadonlyArray<Entry>
  /** How many entries it has, those in others too. */
  readonly size: number
}

/**
 * Reads the source of a symbol as data; undefined if it is none. Types count if they declare values rather than
 * functions. `path` says how comments look.
 */
export const read = (path: string, source: string, { kind }: Pick<IndexEntry, "kind">): DataTable | undefined => {
  if (kind !== "enum" && !valueKinds.has(kind) && !types.has(kind)) return undefined
  if (source.length > MAX_CHARS) return undefined
  const tokens = tokensOf(source, commentOf(path))
  const lines = tokens
    .map(({ is, text }) => (is === "comment" || is === "string" ? "" : text))
    .join("")
    .split("\n")
    .filter((line) => line.trim() !== "")
  const code = lines.filter((line) => CODE.test(line)).length
  if (source.split("\n").length < MIN_LINES || code > MAX_CODE * lines.length) return undefined
  if (types.has(kind) && lines.some((line) => DEFINES.test(line))) return undefined
  const [entries] = parse(tokens, 0)
  const size = countOf(entries) - 1
  if (size < MIN_ENTRIES) return undefined
  if (valueKinds.has(kind))
    return entries.some((entry) => literalIn(entry) !== undefined) ? { entries, size } : undefined
  const declared = entries.flatMap(({ pieces }) => pieces.flatMap((piece) => (typeof piece === "string" ? [] : piece)))
  const [body] = declared.toSorted((one, other) => other.entries.length - one.entries.length)
  // An interface of methods declares no data; these are symbols themselves.
  const calls = (body?.entries ?? []).filter(({ pieces }) =>
    pieces.some((piece) => typeof piece !== "string" && piece.open === "("),
  ).length
  return 2 * calls > (body?.entries.length ?? 0) ? undefined : { entries, size }
}

/** Divides a source into its entries: what stands in a line or between commas, with what is in its brackets. */
export const entriesOf = (path: string, source: string): ReadonlyArray<Entry> =>
  parse(tokensOf(source, commentOf(path)), 0)[0]

/**
 * Returns the brackets of a literal: the largest ones behind the sign of an assignment, since those before it are a
 * type, and no arguments of a call. Undefined without any.
 */
const literalIn = ({ pieces }: Entry): Group | undefined => {
  const isSign = (piece: string | Group) => typeof piece === "string" && /(?:^|[^=!<>])=(?!=)/.test(piece)
  const isKey = (piece: string | Group, at: number) => {
    const next = pieces[at + 1]
    return typeof piece === "string" && /:\s*$/.test(piece) && typeof next === "object" && next.open !== "("
  }
  const assigned = [isSign, isKey].map((is) => pieces.findIndex(is)).find((at) => at !== -1)
  if (assigned === undefined) return undefined
  return pieces.reduce<Group | undefined>((best, piece, at) => {
    if (typeof piece === "string" || at <= assigned) return best
    const before = pieces[at - 1]
    const isCall = piece.open === "(" && typeof before === "string" && /[\p{L}\p{N}_>\])]\s*$/u.test(before)
    return !isCall && countOf(piece.entries) > countOf(best?.entries ?? []) ? piece : best
  }, undefined)
}

const countOf = (entries: ReadonlyArray<Entry>): number =>
  entries.reduce(
    (sum, { pieces }) =>
      pieces.reduce((all, piece) => all + (typeof piece === "string" ? 0 : countOf(piece.entries)), sum + 1),
    0,
  )

/**
 * How a table is written: with or without comments, and the length of a line for each entry; undefined to divide long
 * ones.
 */
interface Detail {
  readonly isNoted: boolean
  readonly line: number | undefined
}

/**
 * Writes a table within a limit of tokens: with comments if there is room for them, without them otherwise, then each
 * entry in one line, and at last as many of its entries as fit, with the names of some of the others.
 */
export const write = ({ entries }: DataTable, maxTokens: number): ReadonlyArray<string> => {
  const fits = (lines: ReadonlyArray<string>) => lines.reduce((sum, line) => sum + sizeOf(line), 0) <= maxTokens
  const linesIn = (detail: Detail) => entries.flatMap((entry) => linesOf(entry, 0, detail))
  const [line] = BRIEF.slice(-1)
  const details: ReadonlyArray<Detail> = [
    { isNoted: true, line: undefined },
    { isNoted: false, line: undefined },
    ...BRIEF.map((line) => ({ isNoted: false, line })),
  ]
  for (const detail of details) {
    const lines = linesIn(detail)
    if (fits(lines)) return lines
  }
  const bare = linesIn({ isNoted: false, line })
  const left: Array<string> = []
  let tokens = maxTokens * (1 - REST_SHARE)
  let at = 0
  for (; at < bare.length; at++) {
    tokens -= sizeOf(bare[at] ?? "")
    if (tokens < 0) break
    left.push(bare[at] ?? "")
  }
  const names = bare.slice(at).flatMap((line) => /^\s*["'[]{0,2}([\p{L}_$][\p{L}\p{N}_$.-]*)/u.exec(line)?.[1] ?? [])
  const rest = `… ${bare.length - at} lines more${names.length === 0 ? "" : `, of ${names.join(", ")}`}`
  return [...left, cut(rest, Math.max(30, Math.floor(maxTokens * REST_SHARE * 3)))]
}

/** The share of the tokens of a table that is cut which the names of the rest may take. */
const REST_SHARE = 0.2

const linesOf = (entry: Entry, depth: number, detail: Detail): ReadonlyArray<string> => {
  const text = inline(entry)
  const words = detail.isNoted ? noteOf(entry.note, text) : ""
  const note = words === "" ? "" : ` — ${cut(words, MAX_NOTE)}`
  const indent = "  ".repeat(depth)
  const groups = entry.pieces.flatMap((piece) => (typeof piece === "string" || piece.open === "[" ? [] : piece))
  const largest = literalIn(entry) ?? groups.at(-1)
  const isShort = text.length + 2 * depth <= MAX_INLINE
  const isOne = depth > 0 ? isShort || detail.line !== undefined : isShort && (largest?.entries.length ?? 0) < 2
  if (largest === undefined || isOne)
    return text === "" ? [] : [`${indent}${inlineWithin(entry, detail.line ?? MAX_LINE)}${note}`]
  const head = inline({ pieces: entry.pieces.slice(0, entry.pieces.indexOf(largest)) })
  return [
    `${indent}${cut(`${head} ${largest.open}`.trim(), MAX_LINE)}${note}`,
    ...packed(largest.entries, depth + 1, detail),
  ]
}

/** The most characters of an entry that stands with others in a line. */
const MAX_SHORT = 30

/** Writes entries, of which short ones without a comment share a line. */
const packed = (entries: ReadonlyArray<Entry>, depth: number, detail: Detail): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let shared = ""
  const flush = () => {
    if (shared !== "") lines.push(`${"  ".repeat(depth)}${shared}`)
    shared = ""
  }
  for (const entry of entries) {
    const text = inline(entry)
    const isShort = text.length <= MAX_SHORT && (!detail.isNoted || entry.note === "")
    if (!isShort || shared.length + text.length > MAX_INLINE) flush()
    if (!isShort) lines.push(...linesOf(entry, depth, detail))
    else if (text !== "") shared = shared === "" ? text : `${shared}, ${text}`
  }
  flush()
  return lines
}

/** Writes an entry in one line, with what is in its brackets. */
export const inline = ({ pieces }: Pick<Entry, "pieces">): string =>
  pieces
    .map((piece) =>
      typeof piece === "string" ? piece : `${piece.open}${piece.entries.map(inline).join(", ")}${piece.close}`,
    )
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The most characters of a string of words in a line that is too long, tried in this order. */
const STRINGS = [60, 40, 24]

/**
 * Writes an entry within a length: strings of words lose their ends first, since values that follow a description say
 * more.
 */
const inlineWithin = (entry: Entry, length: number): string => {
  const texts = [inline(entry), ...STRINGS.map((most) => inline(withShortStrings(entry, most)))]
  return cut(texts.find((text) => text.length <= length) ?? texts.at(-1) ?? "", length)
}

const withShortStrings = ({ note, pieces }: Entry, most: number): Entry => ({
  note,
  pieces: pieces.map((piece) => {
    if (typeof piece !== "string") {
      return { ...piece, entries: piece.entries.map((entry) => withShortStrings(entry, most)) }
    }
    const quotation = /^["'`]/.exec(piece)?.[0]
    const isLong = quotation !== undefined && piece.length > most && /\s/.test(piece)
    return isLong ? `${cut(piece.replaceAll(/\s+/g, " "), most)}${quotation}` : piece
  }),
})

/** Returns whether a string in a written line has lost its end. */
export const hasShortString = (line: string): boolean => /…["'`]/.test(line)

interface Token {
  readonly is: "text" | "string" | "comment" | "open" | "close" | "comma" | "line"
  readonly text: string
}

/** Returns the pattern of comments in a language. */
const commentOf = (path: string): string => {
  switch (Language.of(path)?.id) {
    case "lua":
    case "sql":
    case "haskell":
    case "elm":
    case "ada":
      return "--[^\\n]*"
    case "python":
    case "ruby":
    case "bash":
    case "perl":
    case "r":
    case "julia":
    case "elixir":
    case "yaml":
    case "toml":
    case "nix":
      return "#[^\\n]*"
    case "php":
      return "\\/\\*[\\s\\S]*?\\*\\/|\\/\\/[^\\n]*|#(?!\\[)[^\\n]*"
    case "lisp":
    case "clojure":
    case "scheme":
      return ";[^\\n]*"
    default:
      return "\\/\\*[\\s\\S]*?\\*\\/|\\/\\/[^\\n]*"
  }
}

const STRING = `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*'|\`[^\`]*\``

const tokensOf = (source: string, comment: string): ReadonlyArray<Token> =>
  Array.from(
    source.matchAll(
      new RegExp(
        `(?<comment>${comment})|(?<string>${STRING})|(?<bracket>[([{}\\])])|(?<comma>[,;])|(?<line>\\n)|(?<text>[^\\n,;()[\\]{}"'\`/#-]+|[\\s\\S])`,
        "g",
      ),
    ),
    ({ 0: text, groups: { bracket, comma, comment, line, string } = {} }): Token => ({
      text,
      is:
        comment !== undefined
          ? "comment"
          : string !== undefined
            ? "string"
            : bracket !== undefined
              ? /[([{]/.test(bracket)
                ? "open"
                : "close"
              : comma !== undefined
                ? "comma"
                : line !== undefined
                  ? "line"
                  : "text",
    }),
  )

/** Deeper brackets are read as if they were text, so that no source can exhaust the stack. */
const MAX_DEPTH = 40

/** Reads entries up to the bracket that closes the list, and returns the position after it. */
const parse = (
  tokens: ReadonlyArray<Token>,
  start: number,
  depth = 0,
): readonly [entries: ReadonlyArray<Entry>, end: number] => {
  const entries: Array<Entry> = []
  let pieces: Array<string | Group> = []
  let note = ""
  let above = ""
  const isBlank = () => pieces.every((piece) => typeof piece === "string" && piece.trim() === "")
  const flush = () => {
    if (!isBlank()) {
      entries.push({ pieces, note: note === "" ? above : note })
      above = ""
    }
    pieces = []
    note = ""
  }
  let at = start
  for (; at < tokens.length; at++) {
    const { is, text } = tokens[at] ?? { is: "text", text: "" }
    if (is === "close" && depth > 0) break
    if (is === "open" && depth < MAX_DEPTH) {
      const [inner, end] = parse(tokens, at + 1, depth + 1)
      pieces.push({ open: text, close: tokens[end]?.text ?? "", entries: inner })
      at = end
    } else if (is === "comment") {
      const words = wordsOf(text)
      const last = entries.at(-1)
      const isBeside = !tokens.slice(Math.max(start, lineOf(tokens, at)), at).every((each) => each.text.trim() === "")
      // A comment behind the comma that ends an entry is about that.
      if (isBeside && isBlank() && last !== undefined) entries[entries.length - 1] = { ...last, note: words }
      else if (isBeside) note = words
      else above = above === "" ? words : `${above} ${words}`
    } else if (is === "comma") {
      if (depth === 0 && text === ",") pieces.push(text)
      else flush()
    } else if (is === "line") {
      if (!isBlank() && !goesOn(pieces)) flush()
      else if (isBlank() && tokens[at - 1]?.is === "line") above = ""
    } else if (is === "string" && depth === 0 && isAlone(tokens, at) && /^(?:"""|''')/.test(text)) {
      // It is about the value before it, or about the class whose head that is.
      if (!isBlank()) flush()
      const last = entries.at(-1)
      if (last?.note === "" && /[^=!<>]=(?!=)/.test(inline(last))) {
        entries[entries.length - 1] = { ...last, note: wordsOf(text) }
      }
    } else pieces.push(text)
  }
  flush()
  return [entries, at]
}

/** Returns the position of the first token of a line. */
const lineOf = (tokens: ReadonlyArray<Token>, at: number): number => {
  let first = at
  while (first > 0 && tokens[first - 1]?.is !== "line") first -= 1
  return first
}

/** Returns whether a token is the first of its line. */
const isAlone = (tokens: ReadonlyArray<Token>, at: number): boolean =>
  tokens.slice(lineOf(tokens, at), at).every(({ text }) => text.trim() === "")

/** Returns whether an entry goes on in the next line: it ends with an operator. */
const goesOn = (pieces: ReadonlyArray<string | Group>): boolean => {
  const last = pieces.findLast((piece) => typeof piece !== "string" || piece.trim() !== "")
  return typeof last === "string" && /(?:[=:+|&?.(]|\b(?:or|and))\s*$/.test(last)
}

/** Returns the words of a comment without its marks. A line of types and tags is none. */
const wordsOf = (comment: string): string => {
  const words = comment
    .replaceAll(/^\s*(?:\/\*+|\*\/|\*+|\/\/+!?|--+\[*|#+!?|;+|"""|''')|\s*(?:\*\/|"""|''')\s*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim()
  return /^[-@]*@\w+/.test(words) ? "" : words
}

/** Returns the first sentence of a comment, without the name of its entry, with which comments in Go begin. */
const noteOf = (note: string, text: string): string => {
  const [sentence = ""] = splitSentences(note)
  const name = /^[\p{L}\p{N}_]+/u.exec(text)?.[0]
  return name !== undefined && sentence.startsWith(`${name} `) ? sentence.slice(name.length + 1) : sentence
}
