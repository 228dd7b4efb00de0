/** Declarations of all that is no namespace. */
import { assignment, mentioning, startsWithExports } from "./Assignment.ts"
import type { Branch } from "./Branch.ts"
import { afterExpression, afterHeader, afterHeritage, afterName } from "./Expression.ts"
import { type Growth, sure, Unsure } from "./Growth.ts"
import { afterAnnotation, ofClass, ofInterface, parameters, value } from "./Members.ts"
import { pattern } from "./Pattern.ts"
import * as Token from "./Token.ts"
import { afterParameters, afterType } from "./Types.ts"

export interface Declared {
  readonly node: Branch
  /** The token after it. */
  readonly next: number
}

/** A declaration, whose decorators and such begin at `first`; none where there is none. */
export const declaration = (growth: Growth, first: number, at: number): Declared | undefined => {
  const next = growth.kind(at + 1)
  const isOnLine = !growth.isFirst(at + 1)
  switch (growth.kind(at)) {
    case Token.Reserved.const:
      return next === Token.Reserved.enum ? enumeration(growth, at, at + 1) : variables(growth, at)
    case Token.Contextual.let:
      return Token.isNameable(next) || next === Token.OPEN_BRACE || next === Token.OPEN_BRACKET
        ? variables(growth, at)
        : undefined
    case Token.Reserved.var:
      return variables(growth, at)
    case Token.Reserved.function:
      return callable(growth, at, at)
    case Token.Contextual.async:
      return next === Token.Reserved.function && isOnLine ? callable(growth, at, at + 1) : undefined
    case Token.Reserved.class:
      return classLike(growth, "class_declaration", first, at)
    case Token.Contextual.abstract:
      return next === Token.Reserved.class && isOnLine
        ? classLike(growth, "abstract_class_declaration", first, at + 1)
        : undefined
    case Token.Contextual.interface:
      return Token.isNameable(next) && isOnLine ? contract(growth, at) : undefined
    case Token.Contextual.type:
      return Token.isNameable(next) && isOnLine ? alias(growth, at) : undefined
    case Token.Reserved.enum:
      return enumeration(growth, at, at)
    default:
      return undefined
  }
}

const variables = (growth: Growth, at: number): Declared => {
  const type = growth.kind(at) === Token.Reserved.var ? "variable_declaration" : "lexical_declaration"
  const node = growth.branch(type, at)
  node.add(growth.mark(at))
  growth.nodes.push(node)
  let next = at
  do {
    const bound = pattern(growth, next + 1)
    const declarator = growth.branch("variable_declarator", next + 1)
    declarator.add(bound.node, "name")
    growth.nodes.push(declarator)
    next = growth.kind(bound.next) === Token.NOT ? bound.next + 1 : bound.next
    next = sure(afterAnnotation(growth, next))
    if (growth.kind(next) === Token.EQUALS) {
      const from = next + 1
      next = sure(afterExpression(growth.tokens, from))
      bind(growth, declarator, from, next)
    }
    declarator.endIndex = growth.tokens.end[next - 1] ?? 0
    node.add(declarator)
  } while (growth.kind(next) === Token.COMMA)
  return { node, next: growth.end(node, next) }
}

/** To `module.exports`, and what that is made, or to any other value. */
const bind = (growth: Growth, declarator: Branch, from: number, to: number): void => {
  const isExports = startsWithExports(growth, from)
  const assigned = isExports ? assignment(growth, from, to) : undefined
  if (assigned !== undefined) declarator.add(assigned, "value")
  else if (isExports && to === from + 3) declarator.add(mentioning(growth, from, from + 2), "value")
  else value(growth, declarator, from, to)
}

const callable = (growth: Growth, first: number, keyword: number): Declared => {
  const afterItsName = afterName(growth.tokens, keyword)
  const isGenerator = growth.kind(keyword + 1) === Token.STAR
  const hasName = afterItsName > keyword + (isGenerator ? 2 : 1)
  const body = sure(afterHeader(growth.tokens, afterItsName))
  const isSignature = growth.kind(body) !== Token.OPEN_BRACE
  const type = isSignature
    ? "function_signature"
    : isGenerator
      ? "generator_function_declaration"
      : "function_declaration"
  const node = growth.branch(type, first, body - 1)
  if (hasName) node.add(growth.branch("identifier", afterItsName - 1), "name")
  growth.nodes.push(node)
  parameters(growth, afterItsName, body)
  if (isSignature) return { node, next: growth.end(node, body) }
  const next = growth.after(body, Token.OPEN_BRACE)
  node.add(growth.branch("statement_block", body, next - 1), "body")
  return { node, next }
}

const classLike = (growth: Growth, type: string, first: number, keyword: number): Declared => {
  const body = sure(afterHeritage(growth.tokens, keyword + 1))
  const next = growth.after(body, Token.OPEN_BRACE)
  const node = growth.branch(type, first, next - 1)
  const name = growth.kind(keyword + 1)
  if (Token.isNameable(name) && (name !== Token.Contextual.implements || body === keyword + 2))
    node.add(growth.branch("type_identifier", keyword + 1), "name")
  node.add(growth.branch("class_body", body, next - 1), "body")
  growth.nodes.push(node)
  ofClass(growth, body)
  return { node, next }
}

const contract = (growth: Growth, at: number): Declared => {
  const { tokens } = growth
  const name = nameAt(growth, at + 1, "type_identifier")
  let body = growth.kind(at + 2) === Token.LESS ? sure(afterParameters(tokens, at + 2)) : at + 2
  if (growth.kind(body) === Token.Reserved.extends) {
    do body = sure(afterType(tokens, body + 1))
    while (growth.kind(body) === Token.COMMA)
  }
  const next = growth.after(body, Token.OPEN_BRACE)
  const node = growth.branch("interface_declaration", at, next - 1)
  node.add(name, "name")
  node.add(growth.branch("interface_body", body, next - 1), "body")
  growth.nodes.push(node)
  ofInterface(growth, body)
  return { node, next }
}

const alias = (growth: Growth, at: number): Declared => {
  const { tokens } = growth
  const equals = growth.kind(at + 2) === Token.LESS ? sure(afterParameters(tokens, at + 2)) : at + 2
  if (growth.kind(equals) !== Token.EQUALS) throw new Unsure()
  const next = sure(afterType(tokens, equals + 1))
  const node = growth.branch("type_alias_declaration", at, next - 1)
  node.add(nameAt(growth, at + 1, "type_identifier"), "name")
  growth.nodes.push(node)
  return { node, next: growth.end(node, next) }
}

const enumeration = (growth: Growth, first: number, keyword: number): Declared => {
  const body = keyword + 2
  const next = growth.after(body, Token.OPEN_BRACE)
  const node = growth.branch("enum_declaration", first, next - 1)
  node.add(nameAt(growth, keyword + 1), "name")
  node.add(growth.branch("enum_body", body, next - 1), "body")
  growth.nodes.push(node)
  return { node, next }
}

const nameAt = (growth: Growth, at: number, type = "identifier"): Branch => {
  if (!Token.isNameable(growth.kind(at))) throw new Unsure()
  return growth.branch(type, at)
}
