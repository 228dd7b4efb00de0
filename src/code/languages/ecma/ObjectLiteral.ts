/** Object literals whose functions are symbols: `const api = { get() {}, nested: { post: async () => {} } }`. */

import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"

/**
 * Returns the object literal that a value is, with a type or without (`{ … } as const`, `{ … } satisfies A`), or that
 * it passes to `Object.freeze`; `undefined` for any other value, and for a large table of data.
 */
export const ofValue = (value: SyntaxNode | null | undefined): SyntaxNode | undefined => {
  let operand = value ?? undefined
  for (let types = 0; types < MAX_TYPES && operand !== undefined && hasType.has(operand.type); types++)
    operand = operand.firstNamedChild ?? undefined
  if (operand?.type === "call_expression" && keepsMembers.test(operand.childForFieldName("function")?.text ?? ""))
    operand = operand.childForFieldName("arguments")?.firstNamedChild ?? undefined
  return operand?.type === "object" && countEntries(operand) <= MAX_ENTRIES ? operand : undefined
}

const hasType: ReadonlySet<string> = new Set(["as_expression", "satisfies_expression"])

/** More types behind a value are not followed. */
const MAX_TYPES = 3

/** Matches the functions that return the object that they are given. */
const keepsMembers = /^Object\.(?:freeze|seal)$/

/** An object with more entries is a table of data. */
const MAX_ENTRIES = 200

const countEntries = (object: SyntaxNode): number =>
  object.namedChildren.filter(({ type }) => type !== "comment").length
