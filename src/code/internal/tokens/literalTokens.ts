/** The tokens of a language whose comments and strings are described. */
import { type Literal, maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import * as TokenWriter from "./TokenWriter.ts"

export interface LiteralLayout extends TokenWriter.Layout {
  readonly literals: ReadonlyArray<Literal>
}

export const literalTokens = (text: string, layout: LiteralLayout): TokenWriter.TokenText => {
  const writer = TokenWriter.make(text, layout)
  visitTokens(text, layout.literals, writer.add)
  return writer.textOf
}

/** Visits words, marks, strings and comments in order. */
export const visitTokens = (
  text: string,
  literals: ReadonlyArray<Literal>,
  visit: (token: TokenWriter.Token) => void,
): void => {
  let at = 0
  const visitCode = (to: number) => {
    token.lastIndex = at
    for (let match = token.exec(text); match !== null && match.index < to; match = token.exec(text)) {
      const end = Math.min(token.lastIndex, to)
      visit({ start: match.index, end, kind: match[1] === undefined ? "mark" : "word" })
      token.lastIndex = end
    }
  }
  for (const { end, isComment, start } of maskerOf(literals)(text).literals) {
    visitCode(start)
    if (end > start) visit({ start, end, kind: isComment ? "comment" : "literal" })
    at = end
  }
  visitCode(text.length)
}

/**
 * Matches a word, or an operator that a space in it would make two: `a & &b` is not `a && b`. `>>` does not count,
 * since it may close two brackets.
 */
const token =
  /([\p{L}\p{N}_$]+)|\.\.[.=<]?|[=!]==|\?\?=?|\?[.:]|::|:=|->|=>|<-|<<=?|\+\+|--|&&|\|\||\*\*|\/\/|\|>|=~|[-+*/%&|^<>=!~]=|\S/gu

const maskers = new Map<ReadonlyArray<Literal>, ReturnType<typeof maskWith>>()

const maskerOf = (literals: ReadonlyArray<Literal>): ReturnType<typeof maskWith> => {
  const known = maskers.get(literals) ?? maskWith(literals)
  maskers.set(literals, known)
  return known
}
