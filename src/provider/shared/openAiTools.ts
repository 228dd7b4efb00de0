/** Tool declarations for OpenAI and compatible servers. Pure. */
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"
import type { Tool } from "../../tool/Tool.ts"
import { toWireName } from "./toolNames.ts"
import { flattenAlternatives, inlineReferences, removeSchemaKeyword, rewrite } from "./toolSchema.ts"
import { wellFormedIn } from "./wireJson.ts"

export interface Declaration {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>
}

/** Declares every tool, in the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): ReadonlyArray<Declaration> => tools.map(declaration)

/** Cached by tool, since the next request uses it again. */
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
 * OpenAI rejects a schema if its top level is not an `object` with `properties` or has alternatives, and arrays without `items`.
 * Servers that compile schemas to grammars do not follow references.
 */
const objectSchema = (schema: JsonObject): JsonObject => {
  const whole = withItems(removeSchemaKeyword(inlineReferences(schema)))
  if (!isObject(whole)) return { type: "object", properties: {} }
  const { enum: _, not: __, ...rest } = whole
  return flattenAlternatives(rest)
}

/** Replaces tuples, and arrays without `items`, by arrays with `items`. */
const withItems = (schema: Json): Json =>
  rewrite(schema, (schema) => {
    if (!isObject(schema) || !isArrayType(schema.type)) return schema
    const { items, prefixItems, ...rest } = schema
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
    if (tuple !== undefined) return { ...rest, items: tuple.length === 0 ? {} : { anyOf: tuple } }
    return isObject(items) ? schema : { ...rest, items: {} }
  })

const isArrayType = (type: Json | undefined): boolean =>
  type === "array" || (Array.isArray(type) && type.includes("array"))
