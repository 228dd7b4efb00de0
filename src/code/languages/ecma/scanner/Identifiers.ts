/** Counts how often each identifier occurs. */
import * as Token from "./Token.ts"

/** Counts by name. The tokens before and after a contextual keyword decide whether it is an identifier. */
export const count = (tokens: Token.Tokens): Map<string, number> => {
  const { end, kind, start, text } = tokens
  const counted = new Map<string, number>()
  for (let at = 0; at < tokens.count; at++) {
    const token = kind[at] ?? Token.END
    if (token !== Token.NAME && token !== Token.PRIVATE && !(Token.isWord(token) && isName(tokens, at))) continue
    const name = text.slice(start[at], end[at])
    counted.set(name, (counted.get(name) ?? 0) + 1)
  }
  return counted
}

/** Returns whether a word that may be a keyword is an identifier here. */
const isName = ({ isFirst, kind, match }: Token.Tokens, at: number): boolean => {
  const token = kind[at] ?? Token.END
  const before = kind[at - 1] ?? Token.END
  const next = kind[at + 1] ?? Token.END
  const opens = before === Token.OPEN_BRACE && kind[at - 2] !== Token.CLOSE_PAREN
  if (next === Token.COLON && (opens || before === Token.COMMA)) return true
  if (neverNames.has(token) || Token.isReserved(token)) return false
  if (token >= Token.Predefined.any) return !beforeTypes.has(before) && afterNames.has(next)
  if (Token.isWord(next) && isFirst[at + 1] === 0) return false
  switch (next) {
    case Token.STAR:
    case Token.OPEN_BRACE:
    case Token.STRING:
    case Token.TEMPLATE:
    case Token.NUMBER:
      return false
    case Token.OPEN_BRACKET:
      return !takesType.has(token)
    case Token.LESS:
      return !takesType.has(token) && token !== Token.Contextual.async
    case Token.OPEN_PAREN: {
      // `async () =>` and `async (): A =>`
      const end = kind[(match[at + 1] ?? at) + 1]
      return (
        !takesType.has(token) && !(token === Token.Contextual.async && (end === Token.ARROW || end === Token.COLON))
      )
    }
    default:
      return true
  }
}

const neverNames: ReadonlySet<number> = new Set([
  Token.Contextual.await,
  Token.Contextual.let,
  Token.Contextual.yield,
  Token.Predefined.undefined,
])

const beforeTypes: ReadonlySet<number> = new Set([
  Token.COLON,
  Token.QUESTION,
  Token.BAR,
  Token.AND,
  Token.LESS,
  Token.ARROW,
  Token.Reserved.extends,
  Token.Contextual.as,
  Token.Contextual.is,
])

/** Tokens that follow an identifier; they follow a predefined type only if one of `beforeTypes` precedes it. */
const afterNames: ReadonlySet<number> = new Set([
  Token.EQUALS,
  Token.DOT,
  Token.OPEN_PAREN,
  Token.COLON,
  Token.QUESTION,
  Token.OPTIONAL,
])

const takesType: ReadonlySet<number> = new Set([
  Token.Contextual.as,
  Token.Contextual.asserts,
  Token.Contextual.infer,
  Token.Contextual.is,
  Token.Contextual.keyof,
  Token.Contextual.of,
  Token.Contextual.readonly,
  Token.Contextual.satisfies,
])
