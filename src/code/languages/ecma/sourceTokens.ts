/** The tokens of TypeScript and JavaScript. */
import * as TokenWriter from "../../internal/tokens/TokenWriter.ts"
import * as Lexer from "./scanner/Lexer.ts"
import * as EcmaToken from "./scanner/Token.ts"

const layout: TokenWriter.Layout = {
  lines: "statement",
  keepsSpaces: false,
  dropsCommas: true,
  // A statement without a semicolon goes on if the next line begins with one of these.
  continues: /^(?!\+\+$|--$|=>$)(?:[.?:&|=+\-*/%^<>]|!=).*$|^(?:else|catch|finally|in|instanceof|extends|implements)$/,
}

/** Reads the tokens of a text; for `hasElements` see `Lexer`. */
export const ecmaTokens = (text: string, hasElements: boolean): TokenWriter.TokenText => {
  const tokens = Lexer.lex(text, hasElements)
  if (tokens === undefined) return () => undefined
  const { comments, count, end, kind, start } = tokens
  const writer = TokenWriter.make(text, layout)
  let comment = 0
  let at = 0
  let last = ""
  for (let token = 0; token < count; token++) {
    const [from, to, type] = [start[token] ?? 0, end[token] ?? 0, kind[token] ?? 0]
    for (; (comments[comment] ?? Number.POSITIVE_INFINITY) < from; comment += 2) {
      const [opening, closing] = [comments[comment] ?? 0, comments[comment + 1] ?? 0]
      if (hasElements) addElementText(writer, text, at, opening, last)
      writer.add({ start: opening, end: closing, kind: "comment" })
      at = closing
    }
    if (hasElements) addElementText(writer, text, at, from, last)
    writer.add({ start: from, end: to, kind: kindOf(type) })
    at = to
    last = text.charAt(to - 1)
  }
  return writer.textOf
}

const kindOf = (type: number): TokenWriter.Token["kind"] => {
  if (EcmaToken.isWord(type)) return "word"
  return (type >= EcmaToken.NUMBER && type <= EcmaToken.TEMPLATE_END) || type === EcmaToken.ELEMENT ? "literal" : "mark"
}

/**
 * Adds the text of an element, which is no token. Lines are trimmed and joined; space within a line stays, also beside
 * a tag.
 */
const addElementText = (
  writer: TokenWriter.TokenWriter,
  text: string,
  start: number,
  end: number,
  last: string,
): void => {
  const between = text.slice(start, end)
  const isBesideTag = (last === ">" || last === "}") && /^[<{]/.test(text.slice(end, end + 1))
  if (between === "" || (!isBesideTag && between.trim() === "")) return
  const lines = between.split("\n")
  const trimmed = lines.map((line, number) => {
    const withoutStart = number === 0 ? line : line.trimStart()
    return number === lines.length - 1 ? withoutStart : withoutStart.trimEnd()
  })
  const words = trimmed.filter((line) => line !== "").join(" ")
  if (words !== "") writer.add({ start, end, kind: "literal", text: words })
}
