/** Import statements, and the clauses of export statements. */

import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import { type ParserState, requireToken, Unsure } from "./ParserState.ts"
import * as Token from "./Token.ts"
import { afterType } from "./Types.ts"

/** Reads `import …`, and returns the token after it. */
export const importStatement = (state: ParserState, at: number): number => {
  const node = state.node("import_statement", at)
  state.found.push(node)
  const equals = state.kind(at + 1) === Token.Contextual.type ? at + 3 : at + 2
  if (state.kind(equals) === Token.EQUALS) {
    if (state.kind(equals + 1) !== Token.Contextual.require)
      return state.endStatement(node, requireToken(afterType(state.tokens, equals + 1)))
    const clause = node.add(state.node("import_require_clause", at + 1))
    clause.add(state.node("string", equals + 3), "source")
    return state.endStatement(node, state.after(equals + 2, Token.OPEN_PAREN))
  }
  let source = at + 1
  if (state.kind(source) !== Token.STRING) {
    while (!(state.kind(source) === Token.Contextual.from && state.kind(source + 1) === Token.STRING)) {
      const kind = state.kind(source)
      if (!Token.isWord(kind) && !clauseTokens.has(kind)) throw new Unsure()
      source = Token.after(state.tokens, source)
    }
    source++
  }
  return addSource(state, node, source)
}

/** Tokens of an import clause besides names. */
const clauseTokens: ReadonlySet<number> = new Set([Token.COMMA, Token.STAR, Token.OPEN_BRACE])

/** Adds the module specifier at `at`, reads import attributes, and returns the token after the statement. */
export const addSource = (state: ParserState, node: ScannedNode, at: number): number => {
  if (state.kind(at) !== Token.STRING) throw new Unsure()
  node.add(state.node("string", at), "source")
  const attributes = state.kind(at + 1)
  const hasAttributes =
    (attributes === Token.Reserved.with || (Token.isNameable(attributes) && state.textIs(at + 1, "assert"))) &&
    state.kind(at + 2) === Token.OPEN_BRACE
  return state.endStatement(node, hasAttributes ? state.after(at + 2, Token.OPEN_BRACE) : at + 1)
}

/** Reads `{ a, type b as c }`. */
export const exportClause = (state: ParserState, from: number, to: number): ScannedNode => {
  const node = state.node("export_clause", from, to)
  for (let at = from + 1; at < to; at++) {
    if (state.kind(at) === Token.COMMA) continue
    const isType =
      state.kind(at) === Token.Contextual.type &&
      state.kind(at + 1) !== Token.COMMA &&
      state.kind(at + 1) !== Token.Contextual.as &&
      at + 1 < to
    const name = isType ? at + 1 : at
    node.add(state.node("export_specifier", at)).add(state.node("identifier", name), "name")
    at = state.kind(name + 1) === Token.Contextual.as ? name + 2 : name
  }
  return node
}
