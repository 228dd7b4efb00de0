/**
 * Scans TypeScript and JavaScript for the nodes that the walk needs, several times faster than tree-sitter: types,
 * bodies of functions and most expressions are passed over. README.md says how it works, and when it is unsure.
 */

import * as Roles from "../../../Symbols/internal/outline/Roles.ts"
import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import type * as Walk from "../../../Symbols/internal/outline/Walk.ts"
import { rules } from "../outline.ts"
import * as Identifiers from "./Identifiers.ts"
import { ParserState, Unsure } from "./ParserState.ts"
import { statements } from "./Statements.ts"
import * as Token from "./Token.ts"

/** Returns the nodes of the text of these tokens; `undefined` if the scanner is unsure. */
export const parse = (tokens: Token.Tokens): Walk.Tree | undefined => {
  const state = new ParserState(tokens)
  try {
    statements(state, 0, tokens.count)
    return { nodes: nodesWithRoles(state), names: Identifiers.count(tokens) }
  } catch (cause) {
    if (cause instanceof Unsure) return undefined
    throw cause
  }
}

const roles = Roles.ofTypes(rules)
const words = Roles.ofWords(rules)

const nodesWithRoles = (state: ParserState): ReadonlyArray<Walk.NodeWithRole> => {
  const { comments, count, kind } = state.tokens
  const nodesWithRoles: Array<Walk.NodeWithRole> = []
  const add = (node: ScannedNode, role = roles.get(node.type)) => {
    if (role !== undefined) nodesWithRoles.push({ node, role })
  }
  for (const node of state.found) add(node)
  for (let at = 0; at < comments.length; at += 2) add(state.comment(comments[at] ?? 0, comments[at + 1] ?? 0))
  for (let at = 0; at < count; at++) {
    if (kind[at] === Token.Reserved.import && kind[at + 1] === Token.OPEN_PAREN) add(state.node("import", at))
    else if (kind[at] === Token.Contextual.require) add(state.node("identifier", at), words.get("require"))
    else if (kind[at] === Token.NAME && state.textIs(at, "exports")) {
      const mention = state.exports.get(at)
      if (mention !== undefined) add(mention, words.get("exports"))
      else if (mayExport(state, at)) throw new Unsure()
    }
  }
  return nodesWithRoles.sort((one, other) => one.node.startIndex - other.node.startIndex)
}

/**
 * Returns whether a mention of `exports` is assigned to or given a name in a place that the scanner has passed over.
 */
const mayExport = (state: ParserState, at: number): boolean => {
  let last = at
  while (state.kind(last + 1) === Token.DOT) last += 2
  return state.kind(last + 1) === Token.EQUALS || state.kind(at - 3) === Token.EQUALS
}
