/** The statements of a file or namespace. Of those that define nothing only the end is read. */
import { assignment } from "./Assignment.ts"
import type { Branch } from "./Branch.ts"
import type { Declared } from "./Declarations.ts"
import * as Declarations from "./Declarations.ts"
import { afterExpression, isEnd } from "./Expression.ts"
import { type Growth, sure, Unsure } from "./Growth.ts"
import { decorators, value } from "./Members.ts"
import { clause, importing, sourced } from "./Sources.ts"
import * as Token from "./Token.ts"

/** From one token to another, which is not read. */
export const statements = (growth: Growth, from: number, to: number): void =>
  growth.inside(() => {
    for (let at = from; at < to; ) at = statement(growth, at)
  })

/** A statement that another one holds. */
const inner = (growth: Growth, at: number): number => growth.inside(() => statement(growth, at))

/** A declaration, whose decorators and such begin at `first`; none where there is none. */
const declaration = (growth: Growth, first: number, at: number): Declared | undefined => {
  const next = growth.kind(at + 1)
  const isNamespace =
    (growth.kind(at) === Token.Contextual.namespace || growth.kind(at) === Token.Contextual.module) &&
    (Token.isNameable(next) || next === Token.STRING) &&
    !growth.isFirst(at + 1)
  return isNamespace ? namespace(growth, at) : Declarations.declaration(growth, first, at)
}

/** The token after the statement that begins there. */
const statement = (growth: Growth, at: number): number => {
  const declared = declaration(growth, at, at)
  if (declared !== undefined) return declared.next
  const kind = (token: number) => growth.kind(token)
  const after = (token: number, bracket: number) => growth.after(token, bracket)
  switch (kind(at)) {
    case Token.SEMICOLON:
      return at + 1
    case Token.AT:
      return decorated(growth, at)
    case Token.Reserved.import:
      if (kind(at + 1) === Token.OPEN_PAREN || kind(at + 1) === Token.DOT) return expression(growth, at)
      return importing(growth, at)
    case Token.Reserved.export:
      return exporting(growth, at, at)
    case Token.Contextual.declare:
      return growth.isFirst(at + 1) || !Token.isWord(kind(at + 1)) ? expression(growth, at) : ambient(growth, at).next
    case Token.OPEN_BRACE:
      return after(at, Token.OPEN_BRACE)
    case Token.Reserved.if: {
      const otherwise = inner(growth, after(at + 1, Token.OPEN_PAREN))
      return kind(otherwise) === Token.Reserved.else ? inner(growth, otherwise + 1) : otherwise
    }
    case Token.Reserved.while:
      return inner(growth, after(at + 1, Token.OPEN_PAREN))
    case Token.Reserved.for: {
      const header = kind(at + 1) === Token.Contextual.await ? at + 2 : at + 1
      const { length } = growth.nodes
      const next = inner(growth, after(header, Token.OPEN_PAREN))
      // A loop hides what is in it.
      growth.nodes.length = length
      return next
    }
    case Token.Reserved.try: {
      let next = after(at + 1, Token.OPEN_BRACE)
      if (kind(next) === Token.Reserved.catch) {
        next = kind(next + 1) === Token.OPEN_PAREN ? after(next + 1, Token.OPEN_PAREN) : next + 1
        next = after(next, Token.OPEN_BRACE)
      }
      return kind(next) === Token.Reserved.finally ? after(next + 1, Token.OPEN_BRACE) : next
    }
    case Token.Reserved.throw:
      return expression(growth, at + 1)
    default:
      if (isModule(growth, at)) throw new Unsure()
      return expression(growth, at)
  }
}

/** A function around a whole module, called at once or by a loader: what it defines counts, and only its whole tree tells. */
const isModule = (growth: Growth, from: number): boolean => {
  let at = from
  for (; growth.kind(at) === Token.OPEN_PAREN || growth.kind(at) === Token.NOT; at++) {
    const after = Token.after(growth.tokens, at)
    if (growth.kind(after) === Token.ARROW || growth.kind(after) === Token.COLON) return true
  }
  const next = growth.kind(at + 1)
  return at === from
    ? next === Token.OPEN_PAREN && growth.is(at, "define")
    : growth.kind(at) === Token.Reserved.function || growth.kind(at) === Token.Contextual.async || next === Token.ARROW
}

const namespace = (growth: Growth, at: number): Declared => {
  const isModule = growth.kind(at) === Token.Contextual.module
  let last = at + 1
  while (growth.kind(last + 1) === Token.DOT) last += 2
  const type = growth.kind(at + 1) === Token.STRING ? "string" : last > at + 1 ? "nested_identifier" : "identifier"
  const node = growth.branch(isModule ? "module" : "internal_module", at, last)
  node.add(growth.branch(type, at + 1, last), "name")
  growth.nodes.push(node)
  if (growth.kind(last + 1) !== Token.OPEN_BRACE) {
    if (!isEnd(growth.tokens, last + 1)) throw new Unsure()
    return { node, next: last + 1 }
  }
  return { node, next: block(growth, node, last + 1) }
}

/** The statements of a block that is no function's. */
const block = (growth: Growth, owner: Branch, at: number): number => {
  const next = growth.after(at, Token.OPEN_BRACE)
  const body = owner.add(growth.branch("statement_block", at, next - 1), "body")
  growth.nodes.push(body)
  statements(growth, at + 1, next - 1)
  return next
}

/** `declare …`. */
const ambient = (growth: Growth, at: number): Declared => {
  const node = growth.branch("ambient_declaration", at)
  node.add(growth.mark(at))
  growth.nodes.push(node)
  if (growth.is(at + 1, "global") && growth.kind(at + 2) === Token.OPEN_BRACE) {
    node.add(growth.mark(at + 1))
    return { node, next: block(growth, node, at + 2) }
  }
  const declared = declaration(growth, at + 1, at + 1)
  if (declared === undefined) throw new Unsure()
  node.add(declared.node)
  return { node, next: declared.next }
}

/** Decorators, and the class that they stand before. */
const decorated = (growth: Growth, at: number): number => {
  const next = decorators(growth, at)
  if (growth.kind(next) === Token.Reserved.export) return exporting(growth, at, next)
  const declared = declaration(growth, at, next)
  if (declared === undefined) throw new Unsure()
  return declared.next
}

/** `export …`; `first` is where its decorators begin. */
const exporting = (growth: Growth, first: number, at: number): number => {
  const node = growth.branch("export_statement", first, at)
  node.add(growth.mark(at))
  growth.nodes.push(node)
  const isType = growth.kind(at + 1) === Token.Contextual.type
  const next =
    isType && (growth.kind(at + 2) === Token.OPEN_BRACE || growth.kind(at + 2) === Token.STAR) ? at + 2 : at + 1
  switch (growth.kind(next)) {
    case Token.OPEN_BRACE: {
      const after = growth.after(next, Token.OPEN_BRACE)
      node.add(clause(growth, next, after - 1))
      return growth.kind(after) === Token.Contextual.from && growth.kind(after + 1) === Token.STRING
        ? sourced(growth, node, after + 1)
        : growth.end(node, after)
    }
    case Token.STAR: {
      const from = growth.kind(next + 1) === Token.Contextual.as ? next + 3 : next + 1
      if (growth.kind(from) !== Token.Contextual.from) throw new Unsure()
      return sourced(growth, node, from + 1)
    }
    case Token.EQUALS: {
      const end = sure(afterExpression(growth.tokens, next + 1))
      node.add(growth.branch(end === next + 2 ? "identifier" : "expression", next + 1, end - 1))
      return growth.end(node, end)
    }
    case Token.Contextual.as:
      if (growth.kind(next + 1) !== Token.Contextual.namespace || !Token.isNameable(growth.kind(next + 2)))
        throw new Unsure()
      return growth.end(node, next + 3)
    case Token.Reserved.default:
      return byDefault(growth, node, next + 1)
    case Token.Contextual.declare: {
      const declared = ambient(growth, next)
      node.add(declared.node)
      return declared.next
    }
    default: {
      const start = growth.kind(next) === Token.AT ? decorators(growth, next) : next
      const declared = declaration(growth, next, start)
      if (declared === undefined) throw new Unsure()
      node.add(declared.node)
      return declared.next
    }
  }
}

const byDefault = (growth: Growth, node: Branch, at: number): number => {
  const { tokens } = growth
  const start = growth.kind(at) === Token.AT ? decorators(growth, at) : at
  const keyword = growth.kind(start) === Token.Contextual.async && !growth.isFirst(start + 1) ? start + 1 : start
  const hasName = Token.isNameable(growth.kind(growth.kind(keyword + 1) === Token.STAR ? keyword + 2 : keyword + 1))
  const isCallable = growth.kind(keyword) === Token.Reserved.function
  const isClass = growth.kind(start) === Token.Reserved.class || growth.kind(start) === Token.Contextual.abstract
  if (((isCallable || isClass) && hasName) || growth.kind(start) === Token.Contextual.interface) {
    const declared = declaration(growth, at, start)
    if (declared !== undefined) {
      node.add(declared.node)
      return declared.next
    }
  }
  const end = sure(afterExpression(tokens, start))
  if (end === start + 1 && Token.isNameable(growth.kind(start))) {
    node.add(growth.branch("identifier", start), "value")
  } else {
    growth.nodes.push(value(growth, node, start, end))
  }
  return growth.end(node, end)
}

/** Expressions as a statement; `a.b = …` is a node, for it may define something. */
const expression = (growth: Growth, from: number): number => {
  for (let at = from; ; at++) {
    const end = sure(afterExpression(growth.tokens, at))
    assignment(growth, at, end)
    at = end
    if (growth.kind(at) !== Token.COMMA) return growth.kind(at) === Token.SEMICOLON ? at + 1 : at
  }
}
