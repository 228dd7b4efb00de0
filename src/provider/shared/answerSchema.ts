/** The JSON Schema of an answer, for providers that hold their models to one. Pure. */
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"
import { inlined, mapSchemas, rewrite, schemasIn, withoutDialect } from "./toolSchema.ts"

/**
 * As much of it as providers can make a grammar of, each in its way: no references, no bounds, and no key that is not
 * named. An answer is to be checked by the whole of it.
 */
export const held = (schema: JsonObject): JsonObject => {
  const known = made.get(schema)
  if (known !== undefined) return known
  const whole = closed(rewrite(withoutDialect(inlined(schema)), simpler))
  const simple = isObject(whole) ? whole : {}
  made.set(schema, simple)
  return simple
}

/** Made once a schema: the next request has it again. */
const made = new WeakMap<JsonObject, JsonObject>()

/** Whether it says in one place what is in each object: then OpenAI holds its models to it, and else they only try. */
export const isStrict = (schema: Json): boolean => {
  let strict = true
  rewrite(schema, (inner) => {
    if (isObject(inner) && (inner.allOf !== undefined || !isClosed(inner))) strict = false
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
  }
}

/**
 * No key but those that are named, in each object. Where several parts of a schema name keys of the same object, none of
 * them may be closed: it would refuse the keys of the others.
 */
const closed = (schema: Json, isPart = false): Json => {
  if (!isObject(schema)) return schema
  const isOpen = isPart || namings(schema) > 1
  const inner = mapSchemas(schema, (inner, keyword) => closed(inner, isOpen && parts.has(keyword)))
  return isOpen || schema.properties === undefined || !isObject(inner)
    ? inner
    : { ...inner, additionalProperties: schema.additionalProperties ?? false }
}

/** Keywords that hold more about the same value. */
const parts = new Set(["allOf", "anyOf"])

/** How many parts of it name keys that go together: of alternatives, one. */
const namings = ({ allOf, anyOf, properties }: JsonObject): number =>
  (properties === undefined ? 0 : 1) + schemasIn(allOf).filter(names).length + (schemasIn(anyOf).some(names) ? 1 : 0)

const names = (schema: JsonObject): boolean => namings(schema) > 0

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
