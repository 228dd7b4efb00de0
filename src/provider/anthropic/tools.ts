/** Tools as Anthropic is told of them. Pure. */
import type * as Block from "../../message/Block.ts"
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"
import type { Tool } from "../../tool/Tool.ts"
import { onWire } from "../shared/toolNames.ts"
import { flattened, rewrite, withoutDialect } from "../shared/toolSchema.ts"
import { wellFormedIn } from "../shared/wellFormed.ts"

export interface Declaration {
  readonly name: string
  readonly description?: string
  /** JSON Schema of an object, in the draft of 2020-12. */
  readonly input_schema: Record<string, unknown>
}

/** In the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): ReadonlyArray<Declaration> => tools.map(declaration)

/** Of calls that were made, whose tools are offered no more: a history with a call is refused without a tool. */
export const remembered = (calls: ReadonlyArray<Block.ToolUse>): ReadonlyArray<Declaration> =>
  Array.from(new Set(calls.map(({ name }) => onWire(name))), (name) => ({
    name,
    input_schema: { type: "object", properties: {} },
  }))

/** Made once a tool: the next request has it again. */
const declaration = (tool: Tool): Declaration => {
  const known = declared.get(tool)
  if (known !== undefined) return known
  const description = tool.description.toWellFormed()
  const made = {
    name: onWire(tool.name),
    ...(description.trim() !== "" && { description }),
    input_schema: wellFormedIn(objectSchema(tool.parameters)),
  }
  declared.set(tool, made)
  return made
}

const declared = new WeakMap<Tool, Declaration>()

/** Anthropic refuses alternatives at the top, keywords of older drafts, and properties that are called as it would not. */
const objectSchema = (parameters: JsonObject): JsonObject => {
  const schema = rewrite(withoutDialect(parameters), modern)
  const { properties, required, ...rest } = flattened(isObject(schema) ? schema : {})
  const fit = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => propertyName.test(name))
  const wanted = (Array.isArray(required) ? required : []).filter((name) => fit.some(([fit]) => fit === name))
  return { ...rest, properties: Object.fromEntries(fit), ...(wanted.length > 0 && { required: wanted }) }
}

const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/

/** In the draft of 2020-12, what drafts 4 to 7 said otherwise of tuples and of bounds. */
const modern = (schema: Json): Json => {
  if (!isObject(schema)) return schema
  const { additionalItems, exclusiveMaximum, exclusiveMinimum, items, maximum, minimum, ...rest } = schema
  return {
    ...rest,
    ...(Array.isArray(items)
      ? { prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
      : items !== undefined && { items }),
    ...bound("minimum", minimum, exclusiveMinimum),
    ...bound("maximum", maximum, exclusiveMaximum),
  }
}

/** Where `exclusive` is a flag, it is about the limit beside it. */
const bound = (name: "minimum" | "maximum", limit: Json | undefined, exclusive: Json | undefined): JsonObject => {
  const exclusiveName = name === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
  if (exclusive === true) return limit === undefined ? {} : { [exclusiveName]: limit }
  return {
    ...(limit !== undefined && { [name]: limit }),
    ...(exclusive !== undefined && exclusive !== false && { [exclusiveName]: exclusive }),
  }
}
