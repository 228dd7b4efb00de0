/** The extent of a definition, which includes the wrappers that belong to it alone, and no trailing comments. */
import type { Role } from "./Roles.ts"
import type { Rules } from "./Rules.ts"
import type { SyntaxNode } from "./SyntaxNode.ts"

export interface Extent {
  /** Offsets; lines are 1-based. */
  readonly start: number
  readonly startLine: number
  readonly end: number
  readonly endLine: number
  /** Words shared with other definitions: `export const` of `export const a, b`. */
  readonly lead: string
}

export interface Wrapper {
  readonly node: SyntaxNode
  readonly role: Role
  readonly end: number
  /** True if it belongs to a definition already. */
  isTaken: boolean
  /** True if it is a list of several definitions; `undefined` until computed. */
  holdsMany: boolean | undefined
}

/** Returns the extent of a definition. `wrappers` are those around the node, outermost first. */
export const of = (
  node: SyntaxNode,
  wrappers: ReadonlyArray<Wrapper>,
  text: string,
  { comments }: Pick<Rules, "comments">,
): Extent => {
  let whole = node
  let last = node
  let lead = ""
  for (const wrapper of wrappers.toReversed()) {
    if (wrapper.isTaken) break
    wrapper.holdsMany ??= wrapper.role.isList && wrapper.node.namedChildren.filter(isNoComment(comments)).length > 1
    if (wrapper.holdsMany) {
      const start = wrappers[0]?.node.startIndex ?? 0
      const first = wrapper.node.firstNamedChild?.startIndex ?? start
      lead = text.slice(start, Math.min(first, start + 100)).replace(/\(\s*$/, "")
      break
    }
    wrapper.isTaken = true
    const end = lastCode(wrapper.node, comments)
    if (end !== null && end.id !== whole.id) last = end
    whole = wrapper.node
  }
  const end = trimEnd(text, whole.startIndex, last.endIndex)
  const breaks = text.slice(end, last.endIndex).split("\n").length - 1
  return {
    start: whole.startIndex,
    startLine: whole.startPosition.row + 1,
    end,
    endLine: last.endPosition.row + 1 - breaks,
    lead,
  }
}

/** Returns the end without trailing white space: in some grammars a node includes the line break after it. */
export const trimEnd = (text: string, start: number, end: number): number => {
  let last = end
  while (last > start && /\s/.test(text.charAt(last - 1))) last--
  return last
}

const isNoComment =
  (comments: ReadonlyArray<string>) =>
  ({ type }: SyntaxNode): boolean =>
    !comments.includes(type)

const lastCode = (node: SyntaxNode, comments: ReadonlyArray<string>): SyntaxNode | null => {
  let last = node.lastChild
  while (last !== null && comments.includes(last.type)) last = last.previousSibling
  return last
}
