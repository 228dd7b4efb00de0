/** How far a definition reaches: with the wrappers that are its alone, and without the comments behind it. */

import type { Role } from "./Roles.ts"
import type { Rules } from "./Rules.ts"
import type { Node } from "./Syntax.ts"

export interface Extent {
  /** Offsets; lines are 1-based. */
  readonly start: number
  readonly startLine: number
  readonly end: number
  readonly endLine: number
  /** The words that it shares with others: `export const` of `export const a, b`. */
  readonly lead: string
}

export interface Wrapper {
  readonly node: Node
  readonly role: Role
  readonly end: number
  /** It belongs to a definition already. */
  isTaken: boolean
  /** Whether it is a list of several definitions; none before somebody asks. */
  holdsMany: boolean | undefined
}

/** `wrappers` are those around the node, outermost first. */
export const of = (
  node: Node,
  wrappers: ReadonlyArray<Wrapper>,
  text: string,
  { comments }: Pick<Rules, "comments">,
): Extent => {
  let whole = node
  let last = node
  let lead = ""
  for (const wrapper of wrappers.toReversed()) {
    if (wrapper.isTaken) break
    wrapper.holdsMany ??= wrapper.role.isList && wrapper.node.namedChildren.filter(isSolid(comments)).length > 1
    if (wrapper.holdsMany) {
      const start = wrappers[0]?.node.startIndex ?? 0
      const first = wrapper.node.firstNamedChild?.startIndex ?? start
      lead = text.slice(start, Math.min(first, start + 100)).replace(/\(\s*$/, "")
      break
    }
    wrapper.isTaken = true
    const end = lastSolid(wrapper.node, comments)
    if (end !== null && end.id !== whole.id) last = end
    whole = wrapper.node
  }
  const end = trimmed(text, whole.startIndex, last.endIndex)
  const breaks = text.slice(end, last.endIndex).split("\n").length - 1
  return {
    start: whole.startIndex,
    startLine: whole.startPosition.row + 1,
    end,
    endLine: last.endPosition.row + 1 - breaks,
    lead,
  }
}

/** The offset before the white space that ends a text: some grammars count the line break that follows. */
export const trimmed = (text: string, start: number, end: number): number => {
  let last = end
  while (last > start && /\s/.test(text.charAt(last - 1))) last--
  return last
}

const isSolid =
  (comments: ReadonlyArray<string>) =>
  ({ type }: Node): boolean =>
    !comments.includes(type)

const lastSolid = (node: Node, comments: ReadonlyArray<string>): Node | null => {
  let last = node.lastChild
  while (last !== null && comments.includes(last.type)) last = last.previousSibling
  return last
}
