/** Object literals whose functions may be symbols, and their entries. */

import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import { afterExpression, afterHeader } from "./Expression.ts"
import { memberName, modifiers, value } from "./Members.ts"
import { type ParserState, requireToken, Unsure } from "./ParserState.ts"
import * as Token from "./Token.ts"
import { afterType } from "./Types.ts"

/** Adds the value from `from` up to `to`, with the entries of the object literal that it is or freezes. */
export const valueWithMembers = (
  state: ParserState,
  owner: ScannedNode,
  from: number,
  to: number,
  field = "value",
): ScannedNode => {
  const isFrozen = freezesObject(state, from)
  const open = isFrozen ? from + 4 : from
  if (state.kind(open) !== Token.OPEN_BRACE) return value(state, owner, from, to, field)
  const close = Token.after(state.tokens, open) - 1
  const end = isFrozen ? Token.after(state.tokens, open - 1) - 1 : close
  const types = typesAfter(state, end + 1, to)
  const isAlone = !isFrozen || end === close + 1
  if (types === undefined || !isAlone) return value(state, owner, from, to, field)
  let name: string | undefined = field
  let node = owner
  const add = (child: ScannedNode): void => {
    node = node.add(child, name)
    name = undefined
  }
  for (const type of types.toReversed()) add(state.node(type, from, to - 1))
  if (isFrozen) {
    add(state.node("call_expression", from, end))
    node.add(state.node("member_expression", from, open - 2), "function")
    name = "arguments"
    add(state.node("arguments", open - 1, end))
  }
  add(state.node("object", open, close))
  if (hasFunction(state, open, close)) objectMembers(state, node, open)
  return owner.childForFieldName(field) ?? node
}

/** Returns whether `Object.freeze` or `Object.seal` is given an object literal at `at`. */
const freezesObject = (state: ParserState, at: number): boolean =>
  state.textIs(at, "Object") &&
  state.kind(at + 1) === Token.DOT &&
  (state.textIs(at + 2, "freeze") || state.textIs(at + 2, "seal")) &&
  state.kind(at + 3) === Token.OPEN_PAREN &&
  state.kind(at + 4) === Token.OPEN_BRACE

/**
 * Returns the node types of `as A` and `satisfies B`, in their order, if there is nothing else from `at` up to `to`;
 * `undefined` otherwise.
 */
const typesAfter = (state: ParserState, at: number, to: number): ReadonlyArray<string> | undefined => {
  const types: Array<string> = []
  for (let next = at; next < to; ) {
    const kind = state.kind(next)
    if (kind !== Token.Contextual.as && kind !== Token.Contextual.satisfies) return undefined
    types.push(kind === Token.Contextual.as ? "as_expression" : "satisfies_expression")
    next = state.kind(next + 1) === Token.Reserved.const ? next + 2 : requireToken(afterType(state.tokens, next + 1))
  }
  return types
}

/** Returns whether there may be a function or a class between two tokens: an object of data alone defines nothing. */
const hasFunction = (state: ParserState, from: number, to: number): boolean => {
  for (let at = from + 1; at < to; at++) {
    const kind = state.kind(at)
    if (kind === Token.ARROW || kind === Token.Reserved.function || kind === Token.Reserved.class) return true
    const isMethod = state.kind(at + 1) === Token.OPEN_BRACE || state.kind(at + 1) === Token.COLON
    if (kind === Token.CLOSE_PAREN && isMethod) return true
  }
  return false
}

/** Reads the entries of an object literal, and of the objects in it; `body` is the token of its `{`. */
export const objectMembers = (state: ParserState, object: ScannedNode, body: number): void => {
  const last = state.tokens.match[body] ?? body
  state.nested(() => {
    for (let at = body + 1; at < last; ) at = state.kind(at) === Token.COMMA ? at + 1 : entry(state, object, at)
  })
}

const entry = (state: ParserState, object: ScannedNode, from: number): number => {
  if (state.kind(from) === Token.SPREAD) {
    const end = requireToken(afterExpression(state.tokens, from + 1))
    object.add(state.node("spread_element", from, end - 1))
    return end
  }
  const isAlone = state.kind(from + 1) === Token.COMMA || state.kind(from + 1) === Token.CLOSE_BRACE
  if (isAlone && Token.isNameable(state.kind(from))) {
    object.add(state.node("shorthand_property_identifier", from))
    return from + 1
  }
  const { at, marks } = modifiers(state, from)
  const { name, next } = memberName(state, at)
  if (state.kind(next) === Token.OPEN_PAREN || state.kind(next) === Token.LESS) {
    const method = object.add(state.node("method_definition", from, next))
    for (const mark of marks) method.add(mark)
    method.add(name, "name")
    state.found.push(method)
    const start = requireToken(afterHeader(state.tokens, next))
    const after = state.after(start, Token.OPEN_BRACE)
    method.add(state.node("statement_block", start, after - 1), "body")
    return after
  }
  if (state.kind(next) !== Token.COLON || marks.length > 0) throw new Unsure()
  const end = requireToken(afterExpression(state.tokens, next + 1))
  const pair = object.add(state.node("pair", from, end - 1))
  pair.add(name, "key")
  state.found.push(pair)
  valueWithMembers(state, pair, next + 1, end)
  return end
}
