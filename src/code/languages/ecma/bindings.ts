/** Names in JavaScript and TypeScript, and the values they are bound to. */

import { has, unquote } from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"
import type { Kind } from "../../Symbols.ts"

/** Returns the kind of a symbol that is bound to a function or a class. */
export const kindOfValue = (value: SyntaxNode | null | undefined): Kind | undefined =>
  functions.has(value?.type ?? "") ? "function" : value?.type === "class" ? "class" : undefined

const functions: ReadonlySet<string> = new Set(["arrow_function", "function_expression", "generator_function"])

export const assignedValue = (node: SyntaxNode): SyntaxNode | null =>
  node.childForFieldName("value") ?? node.childForFieldName("right")

export const bodyOfValue = (node: SyntaxNode): SyntaxNode | null | undefined => {
  const value = assignedValue(node)
  return kindOfValue(value) && value?.childForFieldName("body")
}

const bindings: ReadonlySet<string> = new Set(["identifier", "shorthand_property_identifier_pattern"])

/** Returns the names that a pattern binds: `{ a, b: [c = 1], ...rest }` binds a, c and rest. */
export const boundNames = (node: SyntaxNode): ReadonlyArray<string> => {
  const names: Array<string> = []
  const open = [node.childForFieldName("name")]
  for (let pattern = open.pop(); pattern; pattern = open.pop()) {
    if (bindings.has(pattern.type)) names.push(pattern.text)
    else if (pattern.type === "pair_pattern") open.push(pattern.childForFieldName("value"))
    else if (pattern.type.endsWith("assignment_pattern")) open.push(pattern.childForFieldName("left"))
    else if (pattern.type.endsWith("_pattern")) open.push(...pattern.namedChildren.toReversed())
  }
  return names
}

/**
 * Returns the name of a member: identifiers, private names, string literals and `[Symbol.iterator]`; no other computed
 * names.
 */
export const memberName = (node: SyntaxNode): ReadonlyArray<string> => {
  const name = node.childForFieldName("name") ?? node.childForFieldName("property") ?? node.childForFieldName("key")
  const text = name?.text ?? ""
  return name?.type === "computed_property_name" && !/^\[[\w.$]+\]$/.test(text) ? [] : [unquote(text) ?? text]
}

/** Returns whether a node is `get a() {}` or `set a(b) {}`. */
export const isAccessor = (node: SyntaxNode): boolean => has(node, "get") || has(node, "set")
