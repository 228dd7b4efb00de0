/** The JSON Schema of an answer, for providers that support structured output. Pure. */
import { isObject, type Json, type JsonObject } from "../../base/Json.ts"
import { inlineReferences, mapSchemas, removeSchemaKeyword, rewrite, schemasIn } from "./toolSchema.ts"

/**
 * Returns the subset of a schema that every provider can turn into a grammar: no references, no bounds, and only named
 * keys. Callers validate the answer against the whole schema.
 */
export const restrictSchema = (schema: JsonObject): JsonObject => {
  const known = cache.get(schema)
  if (known !== undefined) return known
  const whole = closeObjects(rewrite(removeSchemaKeyword(inlineReferences(schema)), removeBounds))
  const simple = isObject(whole) ? whole : {}
  cache.set(schema, simple)
  return simple
}

/** The restricted schemas by their originals, since the next request uses them again. */
const cache = new WeakMap<JsonObject, JsonObject>()

/**
 * Returns whether every object lists all its keys in one place. OpenAI enforces such a schema; any other schema it only
 * tries to follow.
 */
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

const removeBounds = (schema: Json): Json => {
  if (!isObject(schema)) return schema
  const { oneOf, ...rest } = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !bounds.has(keyword)))
  return {
    ...rest,
    ...(oneOf !== undefined && { anyOf: rest.anyOf ?? oneOf }),
  }
}

/**
 * Allows only named keys in each object. If several subschemas name keys of the same object, none of them may be
 * closed, since each would reject the keys of the others.
 */
const closeObjects = (schema: Json, isPart = false): Json => {
  if (!isObject(schema)) return schema
  const isOpen = isPart || countNamings(schema) > 1
  const inner = mapSchemas(schema, (inner, keyword) => closeObjects(inner, isOpen && parts.has(keyword)))
  return isOpen || schema.properties === undefined || !isObject(inner)
    ? inner
    : { ...inner, additionalProperties: schema.additionalProperties ?? false }
}

/** Keywords with subschemas that apply to the same value. */
const parts = new Set(["allOf", "anyOf"])

/** Counts the subschemas that name keys of the same object. Alternatives count as one. */
const countNamings = ({ allOf, anyOf, properties }: JsonObject): number =>
  (properties === undefined ? 0 : 1) +
  schemasIn(allOf).filter(namesKeys).length +
  (schemasIn(anyOf).some(namesKeys) ? 1 : 0)

const namesKeys = (schema: JsonObject): boolean => countNamings(schema) > 0

/**
 * These keywords are rejected by Anthropic (numbers, lengths), OpenAI (lengths) or llama.cpp (patterns without anchors,
 * many repetitions).
 */
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
