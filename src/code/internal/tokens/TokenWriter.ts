/** Collects the tokens of a text and decides which of its line ends, spaces and commas mean something. Pure. */
import { firstFrom } from "../../../base/Text.ts"

/** Returns the tokens between two offsets as one text; undefined if one of the offsets is within a token. */
export type TokenText = (start: number, end: number) => string | undefined

export interface Layout {
  /**
   * The meaning of the end of a line. `statement` is the end of a statement, unless a bracket is open or an operator is
   * next to it. `command` is the end of a command, unless a bracket or a comma is next to it.
   */
  readonly lines: "nothing" | "statement" | "command"
  /** True if a space between two tokens may mean something, as in `foo -1` of Ruby. */
  readonly keepsSpaces: boolean
  /** The tokens beside which a space means nothing in any case. Default: brackets, commas and semicolons. */
  readonly tight?: { readonly after: string; readonly before: string }
  /** True if a comma before a closing bracket means nothing, unless it makes a tuple. */
  readonly dropsCommas: boolean
  /** The tokens at the beginning of a line that continue the statement before. */
  readonly continues?: RegExp
}

export interface Token {
  readonly start: number
  readonly end: number
  /** A `mark` is any other token, such as a bracket or an operator. */
  readonly kind: "word" | "mark" | "literal" | "comment"
  /** The text that is compared. Default: the text of the token. */
  readonly text?: string
}

export interface TokenWriter {
  readonly add: (token: Token) => void
  /** Adds a token of the layout, such as the end of a block, before the next one. */
  readonly addLayout: (at: number, layout: string) => void
  readonly textOf: TokenText
}

export const LINE = "\n"
const SPACE = " "
export const INDENT = "\u0002"
export const DEDENT = "\u0003"

const layoutTokens: ReadonlySet<string> = new Set([LINE, SPACE, INDENT, DEDENT, ""])

/** An open bracket. */
interface Bracket {
  readonly mark: string
  /** True if it belongs to the token before it, like the bracket of a call or an index. */
  readonly isCall: boolean
  commas: number
}

const LINE_FEED = 10

export const make = (text: string, layout: Layout): TokenWriter => {
  const { after, before } = layout.tight ?? { after: "([{,;", before: ")]},;" }
  const texts: Array<string> = []
  const starts: Array<number> = []
  const ends: Array<number> = []
  const open: Array<Bracket> = []
  /** The last token, and its text if it is a mark. */
  let last = ""
  let lastKind: Token["kind"] = "mark"
  let lastMark = ""
  /** The place of the last token, if it is a comma, and the mark before it. */
  let comma = -1
  let beforeComma = ""
  /** The end of the last token or comment, and whether a line has ended since the last token. */
  let end = 0
  let isNewLine = false

  const push = (start: number, end: number, text: string): void => {
    starts.push(start)
    ends.push(end)
    texts.push(text)
  }

  const isLineEnd = (kind: Token["kind"], next: string, mark: string): boolean => {
    if (layout.lines === "nothing" || last === "" || isIn(after, lastMark) || isIn(before, mark)) return false
    if (layout.lines === "command") return true
    const bracket = open.at(-1)?.mark
    if (bracket === "(" || bracket === "[" || operatorAtEnd.test(lastMark)) return false
    return kind === "literal" || layout.continues?.test(next) !== true
  }

  const isSpace = (mark: string): boolean =>
    layout.keepsSpaces && last !== "" && !isIn(after, lastMark) && !isIn(before, mark)

  const closeBracket = (): void => {
    const bracket = open.pop()
    if (comma === -1 || bracket === undefined || !layout.dropsCommas || isIn("([{,", beforeComma)) return
    const isTuple = bracket.commas === 1 && bracket.mark !== "{" && bracket.isCall !== (bracket.mark === "(")
    if (!isTuple) texts[comma] = ""
  }

  // This is called for every token of all files that are indexed, so it makes no objects, and no copies of the text
  // between tokens.
  const add = ({ end: to, kind, start, text: given }: Token): void => {
    const written = given ?? text.slice(start, to)
    const isApart = start > end
    for (; end < start && !isNewLine; end++) isNewLine = text.charCodeAt(end) === LINE_FEED
    end = to
    if (kind === "comment") {
      push(start, to, withoutMargins(written))
      return
    }
    const mark = kind === "mark" ? written : ""
    if (isNewLine && isLineEnd(kind, written, mark)) push(start, start, LINE)
    else if (isApart && isSpace(mark)) push(start, start, SPACE)
    isNewLine = false
    if (mark === ")" || mark === "]" || mark === "}") closeBracket()
    else if (mark === "(" || mark === "[" || mark === "{") {
      open.push({ mark, isCall: isOperand(lastKind, last), commas: 0 })
    }
    comma = -1
    if (mark === ",") {
      comma = texts.length
      beforeComma = lastMark
      const innermost = open.at(-1)
      if (innermost !== undefined) innermost.commas += 1
    }
    push(start, to, kind === "literal" ? written.replaceAll("\r\n", "\n") : written)
    last = written
    lastKind = kind
    lastMark = mark
  }

  const textOf: TokenText = (start, end) => {
    let first = firstFrom(starts, start)
    let beyond = firstFrom(starts, end)
    if ((ends[first - 1] ?? 0) > start || (ends[beyond - 1] ?? 0) > end) return undefined
    while (first < beyond && layoutTokens.has(texts[first] ?? "")) first++
    while (first < beyond && layoutTokens.has(texts[beyond - 1] ?? "")) beyond--
    return texts
      .slice(first, beyond)
      .filter((text) => text !== "")
      .join("\0")
  }

  return { add, addLayout: (at, layout) => push(at, at, layout), textOf }
}

const isIn = (marks: string, text: string): boolean => text.length === 1 && marks.includes(text)

/**
 * Operators after which a statement goes on. It may end after those of `a++`, `a!`, `Int?`, `List<Int>` and `import
 * a.*`.
 */
const operatorAtEnd = /^(?!\+\+$|--$)(?:.*[=+\-/%&|^<:~.]|=>|->|\?:|\?\?)$/

/** Returns whether a bracket after the token is that of a call or an index, and not one of a list or a tuple. */
const isOperand = (kind: Token["kind"], text: string): boolean =>
  kind === "word" ? !beforeOperand.test(text) : kind === "literal" || isIn(")]", text)

const beforeOperand =
  /^(?:and|as|assert|await|case|del|dyn|elif|else|except|for|if|in|is|lambda|let|match|move|mut|not|of|or|print|raise|ref|return|throw|typeof|when|where|while|with|yield)$/

/** Returns a comment without the space around its lines, which moves with the code. */
export const withoutMargins = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
