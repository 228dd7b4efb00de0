/** The tokens of Python. */
import * as TokenWriter from "../../internal/tokens/TokenWriter.ts"
import * as PythonToken from "./references/Tokens.ts"

/** The tokens of Python already contain the ends of lines and blocks. */
const layout: TokenWriter.Layout = { lines: "nothing", keepsSpaces: false, dropsCommas: true }

export const pythonTokens = (text: string): TokenWriter.TokenText => {
  const { count, end, kind, start } = PythonToken.tokenize(text)
  const writer = TokenWriter.make(text, layout)
  let at = 0
  let isLineStart = true
  for (let token = 0; token < count; token++) {
    const [from, to, type] = [start[token] ?? 0, end[token] ?? 0, kind[token] ?? 0]
    // The expressions in a string are tokens too, and are part of it here.
    if (from < at) continue
    addComments(writer, text, at, from)
    at = from
    const layoutToken = layoutTokens.get(type)
    if (layoutToken !== undefined) {
      writer.addLayout(from, layoutToken)
      isLineStart = true
      continue
    }
    if (from === to) continue
    const isDoc = isLineStart && type === PythonToken.STRING && endOfLine.test(text.slice(to, to + 200))
    writer.add({
      start: from,
      end: to,
      kind: type === PythonToken.NAME ? "word" : type === PythonToken.STRING ? "literal" : "mark",
      ...(isDoc && { text: TokenWriter.withoutMargins(text.slice(from, to)) }),
    })
    isLineStart = false
    at = to
  }
  return writer.textOf
}

const layoutTokens: ReadonlyMap<number, string> = new Map([
  [PythonToken.NEWLINE, TokenWriter.LINE],
  [PythonToken.INDENT, TokenWriter.INDENT],
  [PythonToken.DEDENT, TokenWriter.DEDENT],
])

/** A string that is a statement documents the block around it. */
const endOfLine = /^[ \t]*(?:[\r\n#]|$)/

/** Adds the comments between two tokens. */
const addComments = (writer: TokenWriter.TokenWriter, text: string, from: number, to: number): void => {
  for (let at = text.indexOf("#", from); at !== -1 && at < to; ) {
    const line = text.indexOf("\n", at)
    const end = line === -1 || line > to ? to : line
    writer.add({ start: at, end, kind: "comment" })
    at = text.indexOf("#", end)
  }
}
