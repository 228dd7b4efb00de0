/** A grammar of tree-sitter with the rules of its language, by the grammar's ids of node types. */
import type { Language, Node, Tree } from "web-tree-sitter"
import type { Outline } from "../../../Symbols.ts"
import * as Roles from "../outline/Roles.ts"
import type { Rules } from "../outline/Rules.ts"
import type * as Walk from "../outline/Walk.ts"
import { type CompactNode, visit } from "../references/CompactTree.ts"

/** The part of a language that parsing needs: its rules, and how a text with syntax errors is parsed once more. */
export interface OutlineModule {
  readonly rules: Rules
  readonly retry?: Retry
}

/** A parse of a text with its outline. */
export interface Attempt {
  readonly tree: Tree
  readonly text: string
  readonly outline: Outline
}

/**
 * Parses a text once more, changed so that the grammar can read it, and returns the better attempt. `read` parses a
 * text that is as long as the first one, and returns `undefined` if a limit was exceeded.
 */
export type Retry = (first: Attempt, read: (text: string) => Attempt | undefined) => Attempt

/** Returns whether a limit stopped the outline. */
export const isStopped = ({ cut }: Outline): boolean => cut === "work" || cut === "time"

export interface Grammar {
  readonly rules: Rules
  /** Node types that are identifiers, and node types with a role. */
  readonly names: Array<string>
  readonly types: Array<string>
  /** Roles by type id; `undefined` for types without a role, and for keywords with the name of a type. */
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
 * Finds the nodes of a tree that the walk needs. Most nodes of a file are identifiers: they are listed apart, so that
 * none of them is looked up by type. `compact` is the same tree, where the references of the file need it: counting
 * the identifiers there takes a fraction of the time.
 */
export const tree = (grammar: Grammar, root: Node, text: string, compact?: CompactNode): Walk.Tree => {
  const { roles, types, words } = grammar
  const nodes = root.descendantsOfType(types).flatMap((node) => withRole(node, roles[node.typeId]))
  if (compact !== undefined && words.size === 0) return { names: namesIn(compact, grammar.names, text), nodes }
  const names = new Map<string, number>()
  const marked: Array<Walk.NodeWithRole> = []
  for (const node of root.descendantsOfType(grammar.names)) {
    const name = text.slice(node.startIndex, node.endIndex)
    names.set(name, (names.get(name) ?? 0) + 1)
    marked.push(...withRole(node, words.get(name)))
  }
  return { names, nodes: inOrder(nodes, marked) }
}

const namesIn = (root: CompactNode, types: ReadonlyArray<string>, text: string): ReadonlyMap<string, number> => {
  const isName = new Set(types)
  const names = new Map<string, number>()
  visit(root, ({ end, start, type }) => {
    if (!isName.has(type)) return
    const name = text.slice(start, end)
    names.set(name, (names.get(name) ?? 0) + 1)
  })
  return names
}

const withRole = (node: Node, role: Roles.Role | undefined): ReadonlyArray<Walk.NodeWithRole> =>
  role === undefined ? [] : [{ node, role }]

/** Puts nodes in the order of the text; a node comes before the identifiers in it. */
const inOrder = (
  nodes: ReadonlyArray<Walk.NodeWithRole>,
  names: ReadonlyArray<Walk.NodeWithRole>,
): ReadonlyArray<Walk.NodeWithRole> =>
  names.length === 0 ? nodes : [...nodes, ...names].sort((one, other) => one.node.startIndex - other.node.startIndex)
