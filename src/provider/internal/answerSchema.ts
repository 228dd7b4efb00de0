/** The JSON Schema of an answer, for providers that hold their models to one. Pure. */
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"
import { inlined, rewrite, withoutDialect } from "./toolSchema.ts"

/**
 * As much of it as providers can make a grammar of, each in its way: no references, no bounds, and no key that is not
 * named. An answer is to be checked by the whole of it.
 */
export const held = (schema: JsonObject): JsonObject => {
  const known = made.get(schema)
  if (known !== undefined) return known
  const whole = rewrite(withoutDialect(inlined(schema)), simpler)
  const simple = isObject(whole) ? whole : {}
  made.set(schema, simple)
  return simple
}

/** Made once a schema: the next request has it again. */
const made = new WeakMap<JsonObject, JsonObject>()

/** Whether it says of each object all that is in it: then OpenAI holds its models to it, and else they only try. */
export const isStrict = (schema: Json): boolean => {
  let strict = true
  rewrite(schema, (inner) => {
    if (isObject(inner) && !isClosed(inner)) strict = false
    return inner
  })
  return strict
}

const isClosed = ({ additionalProperties, properties, required, type }: JsonObject): boolean =>
  (type !== "object" && properties === undefined) ||
  (additionalProperties === false &&
    isObject(properties) &&
    Object.keys(properties).every((name) => Array.isArray(required) && required.includes(name)))

const simpler = (schema: Json): Json => {
  if (!isObject(schema)) return schema
  const { oneOf, ...rest } = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !bounds.has(keyword)))
  return {
    ...rest,
    ...(oneOf !== undefined && { anyOf: rest.anyOf ?? oneOf }),
    ...(rest.properties !== undefined && { additionalProperties: rest.additionalProperties ?? false }),
  }
}

/** Refused by Anthropic (numbers, lengths), OpenAI (lengths) or llama.cpp (patterns without anchors, many repetitions). */
const bounds = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
])
