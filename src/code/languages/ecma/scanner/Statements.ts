/** The statements of a file or namespace. If a statement defines nothing, only its end is found. */

import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import { assignment } from "./Assignment.ts"
import type { Declaration } from "./Declarations.ts"
import * as Declarations from "./Declarations.ts"
import { afterExpression, isEnd } from "./Expression.ts"
import { addSource, exportClause, importStatement } from "./ImportsAndExports.ts"
import { decorators, value } from "./Members.ts"
import { objectMembers } from "./ObjectLiteral.ts"
import { type ParserState, requireToken, Unsure } from "./ParserState.ts"
import * as Token from "./Token.ts"

/** Reads the statements from `from` up to `to`. */
export const statements = (state: ParserState, from: number, to: number): void =>
  state.nested(() => {
    for (let at = from; at < to; ) at = statement(state, at)
  })

/** Reads a statement within another one, and returns the token after it. */
const nestedStatement = (state: ParserState, at: number): number => state.nested(() => statement(state, at))

/** Returns the declaration at `at`, with decorators from `first` on; `undefined` if there is none. */
const declaration = (state: ParserState, first: number, at: number): Declaration | undefined => {
  const next = state.kind(at + 1)
  const isNamespace =
    (state.kind(at) === Token.Contextual.namespace || state.kind(at) === Token.Contextual.module) &&
    (Token.isNameable(next) || next === Token.STRING) &&
    !state.startsLine(at + 1)
  return isNamespace ? namespace(state, at) : Declarations.declaration(state, first, at)
}

/** Reads the statement at `at`, and returns the token after it. */
const statement = (state: ParserState, at: number): number => {
  const declared = declaration(state, at, at)
  if (declared !== undefined) return declared.next
  const kind = (token: number) => state.kind(token)
  const after = (token: number, bracket: number) => state.after(token, bracket)
  switch (kind(at)) {
    case Token.SEMICOLON:
      return at + 1
    case Token.AT:
      return decoratedDeclaration(state, at)
    case Token.Reserved.import:
      if (kind(at + 1) === Token.OPEN_PAREN || kind(at + 1) === Token.DOT) return expression(state, at)
      return importStatement(state, at)
    case Token.Reserved.export:
      return exportStatement(state, at, at)
    case Token.Contextual.declare:
      return state.startsLine(at + 1) || !Token.isWord(kind(at + 1)) ? expression(state, at) : ambient(state, at).next
    case Token.OPEN_BRACE:
      return after(at, Token.OPEN_BRACE)
    case Token.Reserved.if: {
      const alternative = nestedStatement(state, after(at + 1, Token.OPEN_PAREN))
      return kind(alternative) === Token.Reserved.else ? nestedStatement(state, alternative + 1) : alternative
    }
    case Token.Reserved.while:
      return nestedStatement(state, after(at + 1, Token.OPEN_PAREN))
    case Token.Reserved.for: {
      const header = kind(at + 1) === Token.Contextual.await ? at + 2 : at + 1
      const { length } = state.found
      const next = nestedStatement(state, after(header, Token.OPEN_PAREN))
      // Names that a loop binds are no symbols.
      state.found.length = length
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
      return expression(state, at + 1)
    default:
      if (isModule(state, at)) throw new Unsure()
      return expression(state, at)
  }
}

/**
 * Returns whether a function around a whole module begins here, called at once or by a loader: its symbols need the
 * whole tree.
 */
const isModule = (state: ParserState, from: number): boolean => {
  let at = from
  for (; state.kind(at) === Token.OPEN_PAREN || state.kind(at) === Token.NOT; at++) {
    const after = Token.after(state.tokens, at)
    if (state.kind(after) === Token.ARROW || state.kind(after) === Token.COLON) return true
  }
  const next = state.kind(at + 1)
  return at === from
    ? (next === Token.OPEN_PAREN && startsModule(state, at)) || extendsPrototype(state, at)
    : state.kind(at) === Token.Reserved.function || state.kind(at) === Token.Contextual.async || next === Token.ARROW
}

/**
 * Returns whether a call at `at` may be given the function of a module: `define(…)`, `require([…], …)`, `$(function …`.
 */
const startsModule = (state: ParserState, at: number): boolean => {
  if (state.textIs(at, "define")) return true
  const first = state.kind(at + 2)
  if (state.textIs(at, "require") || state.textIs(at, "requirejs")) return first === Token.OPEN_BRACKET
  if (!state.textIs(at, "$") && !state.textIs(at, "jQuery")) return false
  const isFunction = first === Token.Reserved.function || first === Token.Contextual.async || first === Token.OPEN_PAREN
  return isFunction || state.textIs(Token.after(state.tokens, at + 1) + 1, "ready")
}

/** Returns whether this is `Object.assign(A.prototype, …)` or the like, which need the whole tree. */
const extendsPrototype = (state: ParserState, at: number): boolean => {
  if (state.kind(at + 1) !== Token.DOT || state.kind(at + 3) !== Token.OPEN_PAREN) return false
  let last = at + 4
  while (state.kind(last + 1) === Token.DOT) last += 2
  return last > at + 4 && state.textIs(last, "prototype")
}

const namespace = (state: ParserState, at: number): Declaration => {
  const isModule = state.kind(at) === Token.Contextual.module
  let last = at + 1
  while (state.kind(last + 1) === Token.DOT) last += 2
  const type = state.kind(at + 1) === Token.STRING ? "string" : last > at + 1 ? "nested_identifier" : "identifier"
  const node = state.node(isModule ? "module" : "internal_module", at, last)
  node.add(state.node(type, at + 1, last), "name")
  state.found.push(node)
  if (state.kind(last + 1) !== Token.OPEN_BRACE) {
    if (!isEnd(state.tokens, last + 1)) throw new Unsure()
    return { node, next: last + 1 }
  }
  return { node, next: block(state, node, last + 1) }
}

/** Reads the statements of a namespace's block. */
const block = (state: ParserState, owner: ScannedNode, at: number): number => {
  const next = state.after(at, Token.OPEN_BRACE)
  const body = owner.add(state.node("statement_block", at, next - 1), "body")
  state.found.push(body)
  statements(state, at + 1, next - 1)
  return next
}

/** Reads `declare …`. */
const ambient = (state: ParserState, at: number): Declaration => {
  const node = state.node("ambient_declaration", at)
  node.add(state.keyword(at))
  state.found.push(node)
  if (state.textIs(at + 1, "global") && state.kind(at + 2) === Token.OPEN_BRACE) {
    node.add(state.keyword(at + 1))
    return { node, next: block(state, node, at + 2) }
  }
  const declared = declaration(state, at + 1, at + 1)
  if (declared === undefined) throw new Unsure()
  node.add(declared.node)
  return { node, next: declared.next }
}

/** Reads decorators and their class, and returns the token after it. */
const decoratedDeclaration = (state: ParserState, at: number): number => {
  const next = decorators(state, at)
  if (state.kind(next) === Token.Reserved.export) return exportStatement(state, at, next)
  const declared = declaration(state, at, next)
  if (declared === undefined) throw new Unsure()
  return declared.next
}

/** Reads `export …`, with decorators from `first` on, and returns the token after it. */
const exportStatement = (state: ParserState, first: number, at: number): number => {
  const node = state.node("export_statement", first, at)
  node.add(state.keyword(at))
  state.found.push(node)
  const isType = state.kind(at + 1) === Token.Contextual.type
  const next =
    isType && (state.kind(at + 2) === Token.OPEN_BRACE || state.kind(at + 2) === Token.STAR) ? at + 2 : at + 1
  switch (state.kind(next)) {
    case Token.OPEN_BRACE: {
      const after = state.after(next, Token.OPEN_BRACE)
      node.add(exportClause(state, next, after - 1))
      return state.kind(after) === Token.Contextual.from && state.kind(after + 1) === Token.STRING
        ? addSource(state, node, after + 1)
        : state.endStatement(node, after)
    }
    case Token.STAR: {
      const from = state.kind(next + 1) === Token.Contextual.as ? next + 3 : next + 1
      if (state.kind(from) !== Token.Contextual.from) throw new Unsure()
      return addSource(state, node, from + 1)
    }
    case Token.EQUALS: {
      const end = requireToken(afterExpression(state.tokens, next + 1))
      node.add(state.node(end === next + 2 ? "identifier" : "expression", next + 1, end - 1))
      return state.endStatement(node, end)
    }
    case Token.Contextual.as:
      if (state.kind(next + 1) !== Token.Contextual.namespace || !Token.isNameable(state.kind(next + 2)))
        throw new Unsure()
      return state.endStatement(node, next + 3)
    case Token.Reserved.default:
      return exportDefault(state, node, next + 1)
    case Token.Contextual.declare: {
      const declared = ambient(state, next)
      node.add(declared.node)
      return declared.next
    }
    default: {
      const start = state.kind(next) === Token.AT ? decorators(state, next) : next
      const declared = declaration(state, next, start)
      if (declared === undefined) throw new Unsure()
      node.add(declared.node)
      return declared.next
    }
  }
}

const exportDefault = (state: ParserState, node: ScannedNode, at: number): number => {
  const { tokens } = state
  const start = state.kind(at) === Token.AT ? decorators(state, at) : at
  const keyword = state.kind(start) === Token.Contextual.async && !state.startsLine(start + 1) ? start + 1 : start
  const hasName = Token.isNameable(state.kind(state.kind(keyword + 1) === Token.STAR ? keyword + 2 : keyword + 1))
  const isCallable = state.kind(keyword) === Token.Reserved.function
  const isClass = state.kind(start) === Token.Reserved.class || state.kind(start) === Token.Contextual.abstract
  if (((isCallable || isClass) && hasName) || state.kind(start) === Token.Contextual.interface) {
    const declared = declaration(state, at, start)
    if (declared !== undefined) {
      node.add(declared.node)
      return declared.next
    }
  }
  const end = requireToken(afterExpression(tokens, start))
  if (end === start + 1 && Token.isNameable(state.kind(start))) {
    node.add(state.node("identifier", start), "value")
  } else {
    defaultValue(state, node, start, end)
  }
  return state.endStatement(node, end)
}

/** Reads the value of a default export, with the entries of the object that it is or that its call is given first. */
const defaultValue = (state: ParserState, node: ScannedNode, from: number, to: number): void => {
  let open = from
  while (Token.isNameable(state.kind(open)) && state.kind(open + 1) === Token.DOT) open += 2
  if (Token.isNameable(state.kind(open)) && state.kind(open + 1) === Token.OPEN_PAREN) open += 2
  const found = value(state, node, from, to)
  state.found.push(found)
  if (state.kind(open) !== Token.OPEN_BRACE) return
  const isWhole = found.type === "object"
  const object = isWhole ? found : found.add(state.node("object", open, Token.after(state.tokens, open) - 1))
  if (!isWhole) state.found.push(object)
  objectMembers(state, object, open)
}

/** Reads an expression statement. `a.b = …` becomes a node, because it may define a symbol. */
const expression = (state: ParserState, from: number): number => {
  for (let at = from; ; at++) {
    const end = requireToken(afterExpression(state.tokens, at))
    if (assignment(state, at, end) === undefined) namedFunction(state, at, end)
    at = end
    if (state.kind(at) !== Token.COMMA) return state.kind(at) === Token.SEMICOLON ? at + 1 : at
  }
}

/** Reads the function in `defineGetter(req, "ip", function ip() {})`: the call names it, so that it is a symbol. */
const namedFunction = (state: ParserState, from: number, to: number): void => {
  let open = from
  while (open < to && (Token.isNameable(state.kind(open)) || state.kind(open) === Token.DOT)) open++
  if (open === from || state.kind(open) !== Token.OPEN_PAREN) return
  let first = open + 1
  while (Token.isNameable(state.kind(first)) || state.kind(first) === Token.DOT) first++
  const name = first === open + 1 ? first : first + 1
  if (state.kind(name) !== Token.STRING || state.kind(name + 1) !== Token.COMMA) return
  const start = name + 2
  const last = state.after(open, Token.OPEN_PAREN) - 1
  const isNamed = state.kind(start) === Token.Reserved.function && Token.isNameable(state.kind(start + 1))
  if (!isNamed || state.textOf(name).slice(1, -1) !== state.textOf(start + 1)) return
  const end = afterExpression(state.tokens, start)
  if (end === -1 || end > last) return
  state.found.push(value(state, state.node("call_expression", from, to - 1), start, end))
}
