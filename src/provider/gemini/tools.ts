/** Tool declarations for Gemini. */
import type { Tool } from "../../tool/Tool.ts"
import { toWireName } from "../shared/toolNames.ts"
import { inlineReferences, modernize, removeSchemaKeyword } from "../shared/toolSchema.ts"

/**
 * A `FunctionDeclaration` of `@google/genai`, as far as these tools need it. It is declared here, since that package's
 * declarations need those of the DOM.
 */
export interface FunctionDeclaration {
  readonly name: string
  readonly description: string
  /** The parameters as JSON Schema. */
  readonly parametersJsonSchema: unknown
}

/** Declares every tool, in the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): Array<FunctionDeclaration> => tools.map(declaration)

/**
 * The declaration is cached by tool, since the next request uses it again. Gemini rejects recursive schemas, and
 * keywords beside a `$ref`.
 */
const declaration = (tool: Tool): FunctionDeclaration => {
  const known = cache.get(tool)
  if (known !== undefined) return known
  const made = {
    name: toWireName(tool.name),
    description: tool.description,
    parametersJsonSchema: modernize(removeSchemaKeyword(inlineReferences(tool.parameters))),
  }
  cache.set(tool, made)
  return made
}

const cache = new WeakMap<Tool, FunctionDeclaration>()
