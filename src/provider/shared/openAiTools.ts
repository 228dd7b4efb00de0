/** Tools as OpenAI, and servers that speak like it, are told of them. Pure. */
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"
import type { Tool } from "../../tool/Tool.ts"
import { onWire } from "./toolNames.ts"
import { flattened, inlined, rewrite, withoutDialect } from "./toolSchema.ts"
import { wellFormedIn } from "./wellFormed.ts"

export interface Declaration {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>
}

/** In the order of `tools`, every tool alike. */
export const declarations = (tools: ReadonlyArray<Tool>): ReadonlyArray<Declaration> => tools.map(declaration)

/** Made once a tool: the next request has it again. */
const declaration = (tool: Tool): Declaration => {
  const known = declared.get(tool)
  if (known !== undefined) return known
  const made = {
    name: onWire(tool.name),
    description: tool.description.toWellFormed(),
    parameters: wellFormedIn(objectSchema(tool.parameters)),
  }
  declared.set(tool, made)
  return made
}

const declared = new WeakMap<Tool, Declaration>()

/**
 * OpenAI refuses a schema that is no `object` with `properties` at its top, or that has alternatives there, and an array
 * without `items`; servers that make a grammar of it cannot follow references.
 */
const objectSchema = (schema: JsonObject): JsonObject => {
  const whole = withItems(withoutDialect(inlined(schema)))
  if (!isObject(whole)) return { type: "object", properties: {} }
  const { enum: _, not: __, ...rest } = whole
  return flattened(rest)
}

/** An array whose items are told one by one, or not at all, has items of any of those kinds, or of any. */
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
