/** Tool declarations for Gemini. */
import type { FunctionDeclaration } from "@google/genai"
import type { Tool } from "../../tool/Tool.ts"
import { toWireName } from "../shared/toolNames.ts"
import { inlineReferences, removeSchemaKeyword } from "../shared/toolSchema.ts"

/** Declares every tool, in the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): Array<FunctionDeclaration> => tools.map(declaration)

/**
 * Cached by tool, since the next request uses it again. Gemini rejects recursive schemas, and keywords beside a
 * `$ref`.
 */
const declaration = (tool: Tool): FunctionDeclaration => {
  const known = cache.get(tool)
  if (known !== undefined) return known
  const made = {
    name: toWireName(tool.name),
    description: tool.description,
    parametersJsonSchema: removeSchemaKeyword(inlineReferences(tool.parameters)),
  }
  cache.set(tool, made)
  return made
}

const cache = new WeakMap<Tool, FunctionDeclaration>()
