/** Questions about the tokens ahead, such as what begins there and where it ends. Nothing is declared or used here. */
import { afterExpression } from "../scanner/Expression.ts"
import * as Token from "../scanner/Token.ts"
import { afterType } from "../scanner/Types.ts"
import type { Reader } from "./Reader.ts"

/** Returns the arrow after parameters that begin at `(`; -1 if it is no arrow function. */
export const arrowAfter = (reader: Reader, open: number): number => {
  const { kind } = reader
  if (kind[open] !== Token.OPEN_PAREN) return -1
  const after = reader.after(open)
  if (kind[after] === Token.ARROW) return after
  if (kind[after] !== Token.COLON) return -1
  const isParameters =
    after === open + 2 ||
    ((reader.isNameable(open + 1) ||
      kind[open + 1] === Token.OPEN_BRACE ||
      kind[open + 1] === Token.OPEN_BRACKET ||
      kind[open + 1] === Token.SPREAD) &&
      kind[open - 1] !== Token.QUESTION)
  if (!isParameters) return -1
  const end = afterType(reader.tokens, after + 1)
  return end !== -1 && kind[end] === Token.ARROW ? end : -1
}

/** Returns the bracket before the parameters of the function with its keyword at a token. */
export const parenthesisAfter = (reader: Reader, at: number): number => {
  let paren = at
  while (reader.kind[paren] !== Token.OPEN_PAREN && paren < at + 4) paren++
  return paren
}

/** Returns the token after the expression at `from`, at most `to`. */
export const expressionEnd = (reader: Reader, from: number, to: number): number => {
  const end = afterExpression(reader.tokens, from)
  if (end !== -1) return Math.min(end, to)
  let at = from
  while (at < to && reader.kind[at] !== Token.COMMA && reader.kind[at] !== Token.SEMICOLON) at = reader.after(at)
  return Math.min(at, to)
}

/** Returns the first token of a kind from `from` on; `to` if there is none. */
export const indexOfToken = (reader: Reader, token: number, from: number, to: number): number => {
  let at = from
  while (at < to && reader.kind[at] !== token) at++
  return at
}

/** Returns whether an operand can end with a token, so that `as` after it is an operator. */
export const endsOperand = (reader: Reader, at: number): boolean => {
  const token = reader.kind[at] ?? Token.END
  return (
    Token.isNameable(token) ||
    token === Token.CLOSE_PAREN ||
    token === Token.CLOSE_BRACKET ||
    token === Token.CLOSE_BRACE ||
    token === Token.STRING ||
    token === Token.NUMBER ||
    token === Token.TEMPLATE ||
    token === Token.TEMPLATE_END ||
    token === Token.NOT ||
    token === Token.Reserved.this ||
    token === Token.Reserved.null
  )
}

/** Returns whether a word before the token is an identifier, because an operator or an end follows. */
export const isOperatorAt = (reader: Reader, at: number): boolean => {
  const token = reader.kind[at] ?? Token.END
  return (
    token === Token.DOT ||
    token === Token.OPTIONAL ||
    token === Token.EQUALS ||
    token === Token.COMMA ||
    token === Token.CLOSE_PAREN ||
    token === Token.CLOSE_BRACKET ||
    token === Token.CLOSE_BRACE ||
    token === Token.SEMICOLON ||
    token === Token.COLON ||
    token === Token.BINARY ||
    token === Token.END
  )
}

/** Returns whether a variable of a declaration ends before a token. */
export const endsVariable = (reader: Reader, at: number): boolean => {
  return reader.startsLine(at) || reader.kind[at] === Token.SEMICOLON || reader.kind[at] === Token.COMMA
}
