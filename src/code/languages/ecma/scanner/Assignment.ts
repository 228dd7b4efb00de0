/** Assignments to members: `A.b = …`, and the exports of CommonJS. */

import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import { value } from "./Members.ts"
import { objectMembers, valueWithMembers } from "./ObjectLiteral.ts"
import { type ParserState, Unsure } from "./ParserState.ts"
import * as Token from "./Token.ts"

/** Returns the node of `a.b = …` or `exports = …` that ends before the token `to`; `undefined` for anything else. */
export const assignment = (
  state: ParserState,
  from: number,
  to: number,
  isExported = false,
): ScannedNode | undefined => {
  const target = targetEnd(state, from)
  if (target === undefined) return undefined
  return state.nested(() => assignmentNode(state, from, target, to, isExported || startsWithExports(state, from)))
}

/**
 * Returns the node of an assignment. With `isExported`, an earlier target of the chain belongs to `exports`, as in
 * `exports.a = A.b = value`.
 */
const assignmentNode = (
  state: ParserState,
  from: number,
  target: number,
  to: number,
  isExported: boolean,
): ScannedNode => {
  const node = state.node("assignment_expression", from, to - 1)
  state.found.push(node)
  node.add(targetNode(state, from, target), "left")
  const start = target + 2
  const next = assignment(state, start, to, isExported)
  if (next !== undefined) {
    node.add(next, "right")
    return node
  }
  const hasMembers = isExported || state.textIs(target, "prototype")
  const right = hasMembers ? valueWithMembers(state, node, start, to, "right") : value(state, node, start, to, "right")
  const isModule = target > from && state.textIs(target, "exports") && state.textIs(from, "module")
  if (isModule && right.type.includes("function") && mayBeFactory(state, start, to)) throw new Unsure()
  if (hasMembers && right.type === "object") {
    state.found.push(right)
    // The names in an object of data are exports as well.
    if (right.children.length === 0) objectMembers(state, right, start)
  }
  return node
}

/** Returns the last token of the target of an assignment. */
const targetEnd = (state: ParserState, from: number): number | undefined => {
  let target = from
  while (state.kind(target + 1) === Token.DOT) target += 2
  if (state.kind(target + 1) !== Token.EQUALS) return undefined
  return target > from || state.textIs(from, "exports") ? target : undefined
}

/**
 * Returns the node of an assignment's target. In `exports`, `module.exports` and their members the word has a node of
 * its own.
 */
export const targetNode = (state: ParserState, from: number, last: number): ScannedNode => {
  const node = state.node(from === last ? "identifier" : "member_expression", from, last)
  const word = state.textIs(from, "exports") ? from : state.textIs(from, "module") ? from + 2 : undefined
  if (word === undefined || word > last || !state.textIs(word, "exports")) return node
  state.exports.set(word, from === last ? node : node.add(state.node("identifier", word)))
  return node
}

export const startsWithExports = (state: ParserState, at: number): boolean =>
  state.textIs(at, "exports") ||
  (state.textIs(at, "module") && state.kind(at + 1) === Token.DOT && state.textIs(at + 2, "exports"))

/**
 * Returns whether a function has function declarations, or assigns to members: it may hold a module, which needs the
 * whole tree.
 */
const mayBeFactory = (state: ParserState, from: number, to: number): boolean => {
  let body = from
  while (body < to && state.kind(body) !== Token.OPEN_BRACE) body = Token.after(state.tokens, body)
  const last = state.tokens.match[body] ?? body
  for (let at = body + 1; at < last; at = Token.after(state.tokens, at)) {
    if (state.kind(at) === Token.Reserved.function && Token.isNameable(state.kind(at + 1))) return true
    if (!Token.isNameable(state.kind(at)) || state.kind(at - 1) === Token.DOT) continue
    let member = at
    while (state.kind(member + 1) === Token.DOT) member += 2
    if (member > at && state.kind(member + 1) === Token.EQUALS) return true
  }
  return false
}
