/** Rewrites JSON Schemas of tools for providers that support only a part of JSON Schema. Pure. */
import { isObject, type Json, type JsonObject } from "../../base/Json.ts"

/**
 * Applies `change` to every subschema, innermost first. Values that are not schemas (defaults, enums) are left alone.
 */
export const rewrite = (schema: Json, change: (schema: Json) => Json): Json =>
  change(mapSchemas(schema, (inner) => rewrite(inner, change)))

/** Removes the keyword `$schema` at every level. A property named `$schema` stays. */
export const removeSchemaKeyword = (schema: Json): Json =>
  rewrite(schema, (schema) => {
    if (!isObject(schema) || typeof schema.$schema !== "string") return schema
    const { $schema: _, ...rest } = schema
    return rest
  })

/**
 * Converts keywords of older drafts that providers reject, at every level: tuples, bounds with a flag, and `required`
 * as a flag. Arrays without `items` get some, since OpenAI and Gemini also reject those.
 */
export const modernize = (schema: Json): Json =>
  rewrite(schema, (schema) => (isObject(schema) ? withItems(withCurrentBounds(schema)) : schema))

/** Replaces tuples, and arrays without `items`, by arrays with `items`. */
const withItems = (schema: JsonObject): JsonObject => {
  const { additionalItems: _, items, prefixItems, ...rest } = schema
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
  if (tuple !== undefined) return { ...rest, items: tuple.length === 0 ? {} : { anyOf: tuple } }
  if (isObject(items) || !(isArrayType(schema.type) || items !== undefined)) return schema
  return { ...rest, items: {} }
}

const isArrayType = (type: Json | undefined): boolean =>
  type === "array" || (Array.isArray(type) && type.includes("array"))

/**
 * Converts `exclusiveMinimum` of draft 4, which is a flag beside `minimum`. Removes `required` of draft 3, which is a
 * flag of a property.
 */
export const withCurrentBounds = (schema: JsonObject): JsonObject => {
  const { exclusiveMaximum, exclusiveMinimum, maximum, minimum, required, ...rest } = schema
  return {
    ...rest,
    ...(required !== undefined && typeof required !== "boolean" && { required }),
    ...bound("minimum", minimum, exclusiveMinimum),
    ...bound("maximum", maximum, exclusiveMaximum),
  }
}

const bound = (name: "minimum" | "maximum", limit: Json | undefined, exclusive: Json | undefined): JsonObject => {
  const exclusiveName = name === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
  if (exclusive === true) return limit === undefined ? {} : { [exclusiveName]: limit }
  return {
    ...(limit !== undefined && { [name]: limit }),
    ...(exclusive !== undefined && exclusive !== false && { [exclusiveName]: exclusive }),
  }
}

/**
 * Replaces each `$ref` by its target. A reference accepts anything if it is recursive, cannot be resolved, or comes
 * after the first 1,000.
 */
export const inlineReferences = (root: JsonObject): JsonObject => {
  let room = 1000
  const inline = (schema: Json, within: ReadonlySet<string>): Json => {
    if (!isObject(schema)) return schema
    const { $ref, ...beside } = schema
    if (typeof $ref !== "string") return mapSchemas(schema, (inner) => inline(inner, within))
    const target = within.has($ref) || room-- <= 0 ? undefined : resolvePointer(root, $ref)
    const found = isObject(target) ? inline(target, new Set([...within, $ref])) : {}
    const rest = mapSchemas(beside, (inner) => inline(inner, within))
    return { ...(isObject(found) && found), ...(isObject(rest) && rest) }
  }
  const { $defs: _, definitions: __, ...whole } = root
  const schema = inline(whole, new Set(["#"]))
  return isObject(schema) ? schema : {}
}

/**
 * Merges alternatives at the top level of an object schema. The result has the properties of all alternatives, and
 * requires what each of them requires. The tool validates which properties go together.
 */
export const flattenAlternatives = ({ allOf, anyOf, oneOf, ...rest }: JsonObject): JsonObject => {
  const own = partsOf(rest)
  const all = schemasIn(allOf).map(partsOf)
  const some = [...schemasIn(anyOf), ...schemasIn(oneOf)].map(partsOf)
  const required = new Set([
    ...own.required,
    ...all.flatMap(({ required }) => required),
    ...(some[0]?.required ?? []).filter((name) => some.every(({ required }) => required.includes(name))),
  ])
  return {
    ...rest,
    type: "object",
    properties: Object.assign({}, mergeProperties(some), ...[...all, own].map(({ properties }) => properties)),
    ...(required.size > 0 && { required: [...required] }),
  }
}

/** A property with different schemas in several alternatives accepts any of them. */
const mergeProperties = (schemas: ReadonlyArray<{ readonly properties: JsonObject }>): JsonObject => {
  const all = Map.groupBy(
    schemas.flatMap(({ properties }) => Object.entries(properties)),
    ([name]) => name,
  )
  return Object.fromEntries(
    Array.from(all, ([name, entries]) => {
      const [first = {}, ...others] = new Map(entries.map(([, schema]) => [JSON.stringify(schema), schema])).values()
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }]
    }),
  )
}

const partsOf = ({ properties, required }: JsonObject) => ({
  properties: isObject(properties) ? properties : {},
  required: Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
})

export const schemasIn = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Resolves a JSON pointer in a URI fragment, such as `#/$defs/Tree`. Undefined for an anchor, such as `#tree`. */
const resolvePointer = (root: Json, reference: string): Json | undefined =>
  /^#(?:$|\/)/.test(reference)
    ? reference
        .slice(1)
        .split("/")
        .slice(1)
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
        .reduce<Json | undefined>(
          (value, step) =>
            Array.isArray(value)
              ? value[Number(step)]
              : isObject(value) && Object.hasOwn(value, step)
                ? value[step]
                : undefined,
          root,
        )
    : undefined

/** Maps the direct subschemas. `change` also gets the keyword that holds each. */
export const mapSchemas = (schema: Json, change: (schema: Json, keyword: string) => Json): Json => {
  if (!isObject(schema)) return schema
  return mapValues(schema, (value, keyword) => {
    const changeEach = (value: Json) => change(value, keyword)
    if (data.has(keyword)) return value
    if (Array.isArray(value)) return value.map(changeEach)
    if (!isObject(value)) return value
    return schemasByName.has(keyword) ? mapValues(value, changeEach) : changeEach(value)
  })
}

/** Keywords that hold values, not schemas. */
const data = new Set(["const", "default", "enum", "examples", "required", "type"])

/** Keywords that map names to schemas. */
const schemasByName = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])

const mapValues = (object: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
