/** Tool declarations for OpenAI and compatible servers. Pure. */
import { isObject, type JsonObject } from "../../base/Json.ts"
import type { Tool } from "../../tool/Tool.ts"
import { toWireName } from "./toolNames.ts"
import { flattenAlternatives, inlineReferences, modernize, removeSchemaKeyword } from "./toolSchema.ts"
import { wellFormedIn } from "./wireJson.ts"

export interface Declaration {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>
}

/** Declares every tool, in the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): ReadonlyArray<Declaration> => tools.map(declaration)

/** The declaration is cached by tool, since the next request uses it again. */
const declaration = (tool: Tool): Declaration => {
  const known = cache.get(tool)
  if (known !== undefined) return known
  const made = {
    name: toWireName(tool.name),
    description: tool.description.toWellFormed(),
    parameters: wellFormedIn(objectSchema(tool.parameters)),
  }
  cache.set(tool, made)
  return made
}

const cache = new WeakMap<Tool, Declaration>()

/**
 * OpenAI rejects a schema if its top level is not an `object` with `properties` or has alternatives.
 * Servers that compile schemas to grammars do not follow references.
 */
const objectSchema = (schema: JsonObject): JsonObject => {
  const whole = modernize(removeSchemaKeyword(inlineReferences(schema)))
  if (!isObject(whole)) return { type: "object", properties: {} }
  const { enum: _, not: __, ...rest } = whole
  return flattenAlternatives(rest)
}
