/** The left side of a declaration: a name, or a destructuring pattern. */

import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import { afterExpression } from "./Expression.ts"
import { type ParserState, requireToken, Unsure } from "./ParserState.ts"
import * as Token from "./Token.ts"

/** Returns the name or pattern at `at`; `next` is the token after it. */
export const pattern = (state: ParserState, at: number): { readonly node: ScannedNode; readonly next: number } => {
  const kind = state.kind(at)
  if (Token.isNameable(kind)) return { node: state.node("identifier", at), next: at + 1 }
  const isObject = kind === Token.OPEN_BRACE
  if (!isObject && kind !== Token.OPEN_BRACKET) throw new Unsure()
  const next = state.after(at, kind)
  const node = state.node(isObject ? "object_pattern" : "array_pattern", at, next - 1)
  for (let part = at + 1; part < next - 1; ) {
    if (state.kind(part) === Token.COMMA) part++
    else part = state.nested(() => (isObject ? property : element)(state, node, part))
  }
  return { node, next }
}

const property = (state: ParserState, owner: ScannedNode, at: number): number => {
  const key = state.kind(at)
  if (key === Token.SPREAD) return rest(state, owner, at)
  const colon = Token.after(state.tokens, at)
  if (state.kind(colon) === Token.COLON) {
    const pair = owner.add(state.node("pair_pattern", at))
    return withDefault(state, pair, pattern(state, colon + 1), "assignment_pattern", "value")
  }
  if (!Token.isNameable(key)) throw new Unsure()
  const node = state.node("shorthand_property_identifier_pattern", at)
  return withDefault(state, owner, { node, next: at + 1 }, "object_assignment_pattern")
}

const element = (state: ParserState, owner: ScannedNode, at: number): number =>
  state.kind(at) === Token.SPREAD
    ? rest(state, owner, at)
    : withDefault(state, owner, pattern(state, at), "assignment_pattern")

const rest = (state: ParserState, owner: ScannedNode, at: number): number => {
  const { next, node } = pattern(state, at + 1)
  owner.add(state.node("rest_pattern", at)).add(node)
  return next
}

/** Adds a name or pattern with its default value, if it has one, and returns the token after it. */
const withDefault = (
  state: ParserState,
  owner: ScannedNode,
  { next, node }: { readonly node: ScannedNode; readonly next: number },
  type: string,
  field?: string,
): number => {
  if (state.kind(next) !== Token.EQUALS) {
    owner.add(node, field)
    return next
  }
  const end = requireToken(afterExpression(state.tokens, next + 1))
  const assignment = state.node(type, next, end - 1)
  assignment.add(node, "left")
  owner.add(assignment, field)
  return end
}
