/** A grammar of tree-sitter with the rules of its language, laid out by the numbers it gives to node types. */
import type { Language, Node } from "web-tree-sitter"
import * as Roles from "./Roles.ts"
import type { Rules } from "./Rules.ts"
import type * as Walk from "./Walk.ts"

export interface Grammar {
  readonly rules: Rules
  /** Node types that are names, and those that mean something else. */
  readonly names: Array<string>
  readonly types: Array<string>
  /** By type id; none for types without a meaning, and for keywords that share a name with a type. */
  readonly roles: ReadonlyArray<Roles.Role | undefined>
  readonly words: ReadonlyMap<string, Roles.Role>
}

export const make = (rules: Rules, language: Language): Grammar => {
  const roles = Roles.ofTypes(rules)
  return {
    rules,
    names: [...rules.identifiers],
    types: [...roles.keys()],
    roles: language.types.map((type, id) => (language.nodeTypeIsNamed(id) ? roles.get(type) : undefined)),
    words: Roles.ofWords(rules),
  }
}

/**
 * What the walk needs of a tree. Most nodes of a file are names: they are listed apart, so that none of them has to be
 * asked what it is.
 */
export const tree = ({ names: types, roles, words, ...grammar }: Grammar, root: Node, text: string): Walk.Tree => {
  const nodes = root.descendantsOfType(grammar.types).flatMap((node) => meaningful(node, roles[node.typeId]))
  const names = new Map<string, number>()
  const marked: Array<Walk.Meaningful> = []
  for (const node of root.descendantsOfType(types)) {
    const name = text.slice(node.startIndex, node.endIndex)
    names.set(name, (names.get(name) ?? 0) + 1)
    marked.push(...meaningful(node, words.get(name)))
  }
  return { names, nodes: inOrder(nodes, marked) }
}

const meaningful = (node: Node, role: Roles.Role | undefined): ReadonlyArray<Walk.Meaningful> =>
  role === undefined ? [] : [{ node, role }]

/** As they stand in the text; what holds a name comes before it. */
const inOrder = (
  nodes: ReadonlyArray<Walk.Meaningful>,
  names: ReadonlyArray<Walk.Meaningful>,
): ReadonlyArray<Walk.Meaningful> =>
  names.length === 0 ? nodes : [...nodes, ...names].sort((one, other) => one.node.startIndex - other.node.startIndex)
