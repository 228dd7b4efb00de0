/** What the names of JavaScript and TypeScript are bound to. */
import type { Kind } from "../../Symbols.ts"
import { has, unquoted } from "./Rules.ts"
import type { Node } from "./Syntax.ts"

/** What a value makes of the name it is bound to. */
export const ofValue = (value: Node | null | undefined): Kind | undefined =>
  functions.has(value?.type ?? "") ? "function" : value?.type === "class" ? "class" : undefined

const functions: ReadonlySet<string> = new Set(["arrow_function", "function_expression", "generator_function"])

export const valueIn = (node: Node): Node | null => node.childForFieldName("value") ?? node.childForFieldName("right")

export const bodyOfValue = (node: Node): Node | null | undefined => {
  const value = valueIn(node)
  return ofValue(value) && value?.childForFieldName("body")
}

const bindings: ReadonlySet<string> = new Set(["identifier", "shorthand_property_identifier_pattern"])

/** The names that a pattern binds: `{ a, b: [c = 1], ...rest }` binds a, c and rest. */
export const bound = (node: Node): ReadonlyArray<string> => {
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

/** Identifiers, private names, string literals and `[Symbol.iterator]`; other computed names are no names. */
export const memberName = (node: Node): ReadonlyArray<string> => {
  const name = node.childForFieldName("name") ?? node.childForFieldName("property") ?? node.childForFieldName("key")
  const text = name?.text ?? ""
  return name?.type === "computed_property_name" && !/^\[[\w.$]+\]$/.test(text) ? [] : [unquoted(text) ?? text]
}

/** `get a() {}` and `set a(b) {}`. */
export const isAccessor = (node: Node): boolean => has(node, "get") || has(node, "set")
