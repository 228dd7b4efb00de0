/** Tool declarations for Ollama. Pure. */
import { isObject, type Json, type JsonObject } from "../../base/Json.ts"
import type { Tool } from "../../tool/Tool.ts"
import { toWireName } from "../shared/toolNames.ts"
import * as ToolSchema from "../shared/toolSchema.ts"

export interface Declaration {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
  }
}

/** Declares every tool, in the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): Array<Declaration> =>
  tools.map(({ description, name, parameters }) => ({
    type: "function",
    function: {
      name: toWireName(name),
      description: description.toWellFormed(),
      parameters: toObjectSchema(parameters),
    },
  }))

/**
 * Ollama passes only the type, description, enum, items and `anyOf` of a property to the model, so other keywords are
 * expressed with these. It rejects a request if a schema does not describe an object.
 */
const toObjectSchema = (parameters: JsonObject): JsonObject => {
  const schema = ToolSchema.rewrite(ToolSchema.inlineReferences(parameters), simplify)
  return { type: "object", properties: {}, ...(isObject(schema) && schema) }
}

const simplify = (schema: Json): Json => {
  if (typeof schema === "boolean") return {}
  if (!isObject(schema)) return schema
  const { $schema: _, allOf, const: only, items, oneOf, prefixItems, ...rest } = schema
  const [part] = Array.isArray(allOf) && allOf.length === 1 ? allOf : []
  return {
    ...(allOf !== undefined && (isObject(part) ? part : { allOf })),
    ...rest,
    ...(only !== undefined && { enum: [only] }),
    ...(oneOf !== undefined && { anyOf: rest.anyOf ?? oneOf }),
    ...(Array.isArray(prefixItems)
      ? { items: { anyOf: prefixItems } }
      : items !== undefined && { items: typeof items === "boolean" ? {} : items }),
  }
}
