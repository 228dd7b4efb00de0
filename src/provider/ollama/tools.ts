/** Tools as Ollama is told of them. Pure. */
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"
import type { Tool } from "../../tool/Tool.ts"
import { onWire } from "../shared/toolNames.ts"
import * as ToolSchema from "../shared/toolSchema.ts"

export interface Declaration {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
  }
}

/** In the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): Array<Declaration> =>
  tools.map(({ description, name, parameters }) => ({
    type: "function",
    function: { name: onWire(name), description: description.toWellFormed(), parameters: plain(parameters) },
  }))

/**
 * Of a property Ollama keeps the type, the description, what it lists, its items and `anyOf`; what else it says never
 * reaches the model. So the rest is put in these words. It refuses the request where a schema is not an object.
 */
const plain = (parameters: JsonObject): JsonObject => {
  const schema = ToolSchema.rewrite(ToolSchema.inlined(parameters), simpler)
  return { type: "object", properties: {}, ...(isObject(schema) && schema) }
}

const simpler = (schema: Json): Json => {
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
