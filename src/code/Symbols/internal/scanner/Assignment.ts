/** Assignments to members: `A.b = …`, and the exports of CommonJS. */

import { objectMembers, value } from "./Members.ts"
import { type ParserState, Unsure } from "./ParserState.ts"
import type { ScannedNode } from "./ScannedNode.ts"
import * as Token from "./Token.ts"

/** The node of `a.b = …` or `exports = …` that ends before the token `to`; `undefined` for anything else. */
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

/** `isExported`: in a chain such as `exports.a = A.b = value`, an earlier target belongs to `exports`. */
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
  const right = value(state, node, start, to, "right")
  const isModule = target > from && state.textIs(target, "exports") && state.textIs(from, "module")
  if (isModule && assignsToParameter(state, start, to)) throw new Unsure()
  if (isExported && right.type === "object") {
    state.found.push(right)
    objectMembers(state, right, start)
  }
  return node
}

/** The last token of the target of an assignment. */
const targetEnd = (state: ParserState, from: number): number | undefined => {
  let target = from
  while (state.kind(target + 1) === Token.DOT) target += 2
  if (state.kind(target + 1) !== Token.EQUALS) return undefined
  return target > from || state.textIs(from, "exports") ? target : undefined
}

/** The node of an assignment's target. In `exports`, `module.exports` and their members the word has a node of its own. */
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

/** Whether a function assigns to members of its parameters, `function (A) { A.b = …`: that needs the whole tree. */
const assignsToParameter = (state: ParserState, from: number, to: number): boolean => {
  const given = new Set<string>()
  for (let at = from; at < to; at++) {
    if (state.kind(at) !== Token.OPEN_BRACE) {
      given.add(state.textOf(at))
      continue
    }
    const last = state.tokens.match[at] ?? at
    for (at++; at < last; at = Token.after(state.tokens, at)) {
      const isMember = state.kind(at + 1) === Token.DOT && state.kind(at + 3) === Token.EQUALS
      if (isMember && given.has(state.textOf(at))) return true
    }
  }
  return false
}
