/** Tool declarations for Anthropic. Pure. */

import { isObject, type Json, type JsonObject } from "../../base/Json.ts"
import type * as Block from "../../message/Block.ts"
import type { Tool } from "../../tool/Tool.ts"
import { toWireName } from "../shared/toolNames.ts"
import { flattenAlternatives, removeSchemaKeyword, rewrite, withCurrentBounds } from "../shared/toolSchema.ts"
import { wellFormedIn } from "../shared/wireJson.ts"

export interface Declaration {
  readonly name: string
  readonly description?: string
  /** JSON Schema of an object, draft 2020-12. */
  readonly input_schema: Record<string, unknown>
}

/** Declares every tool, in the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): ReadonlyArray<Declaration> => tools.map(declaration)

/** Declares tools that were called and are no longer offered: a history with calls is rejected without tools. */
export const declarationsOfCalls = (calls: ReadonlyArray<Block.ToolUse>): ReadonlyArray<Declaration> =>
  Array.from(new Set(calls.map(({ name }) => toWireName(name))), (name) => ({
    name,
    input_schema: { type: "object", properties: {} },
  }))

/** The declaration is cached by tool, since the next request uses it again. */
const declaration = (tool: Tool): Declaration => {
  const known = cache.get(tool)
  if (known !== undefined) return known
  const description = tool.description.toWellFormed()
  const made = {
    name: toWireName(tool.name),
    ...(description.trim() !== "" && { description }),
    input_schema: wellFormedIn(objectSchema(tool.parameters)),
  }
  cache.set(tool, made)
  return made
}

const cache = new WeakMap<Tool, Declaration>()

/** Anthropic rejects alternatives at the top level, keywords of older drafts, and unusual property names. */
const objectSchema = (parameters: JsonObject): JsonObject => {
  const schema = rewrite(removeSchemaKeyword(parameters), toCurrentDraft)
  const { properties, required, ...rest } = flattenAlternatives(isObject(schema) ? schema : {})
  const fit = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => propertyName.test(name))
  const wanted = (Array.isArray(required) ? required : []).filter((name) => fit.some(([fit]) => fit === name))
  return { ...rest, properties: Object.fromEntries(fit), ...(wanted.length > 0 && { required: wanted }) }
}

const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/

/** Converts tuples and bounds of drafts 4 to 7 to draft 2020-12. */
const toCurrentDraft = (schema: Json): Json => {
  if (!isObject(schema)) return schema
  const { additionalItems, items, ...rest } = withCurrentBounds(schema)
  return {
    ...rest,
    ...(Array.isArray(items)
      ? { prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
      : items !== undefined && { items }),
  }
}
