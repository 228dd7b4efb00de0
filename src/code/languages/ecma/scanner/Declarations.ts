/** Declarations, except those of namespaces. */

import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import { assignment, startsWithExports, targetNode } from "./Assignment.ts"
import { afterExpression, afterHeader, afterHeritage, afterName } from "./Expression.ts"
import { afterAnnotation, classMembers, interfaceMembers, parameterDecorators } from "./Members.ts"
import { valueWithMembers } from "./ObjectLiteral.ts"
import { type ParserState, requireToken, Unsure } from "./ParserState.ts"
import { pattern } from "./Pattern.ts"
import * as Token from "./Token.ts"
import { afterParameters, afterType } from "./Types.ts"

export interface Declaration {
  readonly node: ScannedNode
  /** The token after the declaration. */
  readonly next: number
}

/** Returns the declaration at `at`, with decorators and modifiers from `first` on; `undefined` if there is none. */
export const declaration = (state: ParserState, first: number, at: number): Declaration | undefined => {
  const next = state.kind(at + 1)
  const isOnLine = !state.startsLine(at + 1)
  switch (state.kind(at)) {
    case Token.Reserved.const:
      return next === Token.Reserved.enum ? enumDeclaration(state, at, at + 1) : variableDeclaration(state, at)
    case Token.Contextual.let:
      return Token.isNameable(next) || next === Token.OPEN_BRACE || next === Token.OPEN_BRACKET
        ? variableDeclaration(state, at)
        : undefined
    case Token.Reserved.var:
      return variableDeclaration(state, at)
    case Token.Reserved.function:
      return functionDeclaration(state, at, at)
    case Token.Contextual.async:
      return next === Token.Reserved.function && isOnLine ? functionDeclaration(state, at, at + 1) : undefined
    case Token.Reserved.class:
      return classDeclaration(state, "class_declaration", first, at)
    case Token.Contextual.abstract:
      return next === Token.Reserved.class && isOnLine
        ? classDeclaration(state, "abstract_class_declaration", first, at + 1)
        : undefined
    case Token.Contextual.interface:
      return Token.isNameable(next) && isOnLine ? interfaceDeclaration(state, at) : undefined
    case Token.Contextual.type:
      return Token.isNameable(next) && isOnLine ? typeAlias(state, at) : undefined
    case Token.Reserved.enum:
      return enumDeclaration(state, at, at)
    default:
      return undefined
  }
}

const variableDeclaration = (state: ParserState, at: number): Declaration => {
  const type = state.kind(at) === Token.Reserved.var ? "variable_declaration" : "lexical_declaration"
  const node = state.node(type, at)
  node.add(state.keyword(at))
  state.found.push(node)
  let next = at
  do {
    const bound = pattern(state, next + 1)
    const declarator = state.node("variable_declarator", next + 1)
    declarator.add(bound.node, "name")
    state.found.push(declarator)
    next = state.kind(bound.next) === Token.NOT ? bound.next + 1 : bound.next
    next = requireToken(afterAnnotation(state, next))
    if (state.kind(next) === Token.EQUALS) {
      const from = next + 1
      next = requireToken(afterExpression(state.tokens, from))
      addValue(state, declarator, from, next)
    }
    declarator.endIndex = state.tokens.end[next - 1] ?? 0
    node.add(declarator)
  } while (state.kind(next) === Token.COMMA)
  return { node, next: state.endStatement(node, next) }
}

/** Adds the value of a variable: an assignment to `module.exports`, `module.exports` itself, or any other. */
const addValue = (state: ParserState, declarator: ScannedNode, from: number, to: number): void => {
  // The function in `const a = (function () { … })()` holds a module, which needs the whole tree.
  if (state.kind(from) === Token.OPEN_PAREN && isFunction(state, from + 1)) throw new Unsure()
  const isExports = startsWithExports(state, from)
  const assigned = isExports ? assignment(state, from, to) : undefined
  if (assigned !== undefined) declarator.add(assigned, "value")
  else if (isExports && to === from + 3) declarator.add(targetNode(state, from, from + 2), "value")
  else valueWithMembers(state, declarator, from, to)
}

const functionDeclaration = (state: ParserState, first: number, keyword: number): Declaration => {
  const afterItsName = afterName(state.tokens, keyword)
  const isGenerator = state.kind(keyword + 1) === Token.STAR
  const hasName = afterItsName > keyword + (isGenerator ? 2 : 1)
  const body = requireToken(afterHeader(state.tokens, afterItsName))
  const isSignature = state.kind(body) !== Token.OPEN_BRACE
  const type = isSignature
    ? "function_signature"
    : isGenerator
      ? "generator_function_declaration"
      : "function_declaration"
  const node = state.node(type, first, body - 1)
  if (hasName) node.add(state.node("identifier", afterItsName - 1), "name")
  state.found.push(node)
  parameterDecorators(state, afterItsName, body)
  if (isSignature) return { node, next: state.endStatement(node, body) }
  const next = state.after(body, Token.OPEN_BRACE)
  node.add(state.node("statement_block", body, next - 1), "body")
  return { node, next }
}

const classDeclaration = (state: ParserState, type: string, first: number, keyword: number): Declaration => {
  const body = requireToken(afterHeritage(state.tokens, keyword + 1))
  const next = state.after(body, Token.OPEN_BRACE)
  const node = state.node(type, first, next - 1)
  const name = state.kind(keyword + 1)
  if (Token.isNameable(name) && (name !== Token.Contextual.implements || body === keyword + 2))
    node.add(state.node("type_identifier", keyword + 1), "name")
  node.add(state.node("class_body", body, next - 1), "body")
  state.found.push(node)
  classMembers(state, body)
  return { node, next }
}

const interfaceDeclaration = (state: ParserState, at: number): Declaration => {
  const { tokens } = state
  const name = nameAt(state, at + 1, "type_identifier")
  let body = state.kind(at + 2) === Token.LESS ? requireToken(afterParameters(tokens, at + 2)) : at + 2
  if (state.kind(body) === Token.Reserved.extends) {
    do body = requireToken(afterType(tokens, body + 1))
    while (state.kind(body) === Token.COMMA)
  }
  const next = state.after(body, Token.OPEN_BRACE)
  const node = state.node("interface_declaration", at, next - 1)
  node.add(name, "name")
  node.add(state.node("interface_body", body, next - 1), "body")
  state.found.push(node)
  interfaceMembers(state, body)
  return { node, next }
}

const typeAlias = (state: ParserState, at: number): Declaration => {
  const { tokens } = state
  const equals = state.kind(at + 2) === Token.LESS ? requireToken(afterParameters(tokens, at + 2)) : at + 2
  if (state.kind(equals) !== Token.EQUALS) throw new Unsure()
  const next = requireToken(afterType(tokens, equals + 1))
  const node = state.node("type_alias_declaration", at, next - 1)
  node.add(nameAt(state, at + 1, "type_identifier"), "name")
  state.found.push(node)
  return { node, next: state.endStatement(node, next) }
}

const enumDeclaration = (state: ParserState, first: number, keyword: number): Declaration => {
  const body = keyword + 2
  const next = state.after(body, Token.OPEN_BRACE)
  const node = state.node("enum_declaration", first, next - 1)
  node.add(nameAt(state, keyword + 1), "name")
  node.add(state.node("enum_body", body, next - 1), "body")
  state.found.push(node)
  return { node, next }
}

const nameAt = (state: ParserState, at: number, type = "identifier"): ScannedNode => {
  if (!Token.isNameable(state.kind(at))) throw new Unsure()
  return state.node(type, at)
}

/**
 * Returns whether a function expression begins here: one in parentheses may be called at once, and its symbols need the
 * whole tree.
 */
const isFunction = (state: ParserState, at: number): boolean => {
  const kind = state.kind(at)
  if (kind === Token.Reserved.function || (Token.isWord(kind) && state.kind(at + 1) === Token.ARROW)) return true
  if (kind === Token.Contextual.async) return isFunction(state, at + 1)
  return kind === Token.OPEN_PAREN && state.kind(Token.after(state.tokens, at)) === Token.ARROW
}
