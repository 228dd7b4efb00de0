/** JSON Schemas of tools, rewritten for wires that take less than all of JSON Schema. Pure. */
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"

/** Every schema within, innermost first, as `change` makes it; what is no schema (a default, an enum) stays as it is. */
export const rewrite = (schema: Json, change: (schema: Json) => Json): Json =>
  change(mapSchemas(schema, (inner) => rewrite(inner, change)))

/** Without the keyword `$schema`, however deep. A property that is called `$schema` stays: that one has a schema. */
export const withoutDialect = (schema: Json): Json =>
  rewrite(schema, (schema) => {
    if (!isObject(schema) || typeof schema.$schema !== "string") return schema
    const { $schema: _, ...rest } = schema
    return rest
  })

/**
 * Without references: what a `$ref` names stands where it stood. A reference into itself, to nowhere, or beyond what a
 * provider would read of a schema takes anything.
 */
export const inlined = (root: JsonObject): JsonObject => {
  let room = 1000
  const inline = (schema: Json, within: ReadonlySet<string>): Json => {
    if (!isObject(schema)) return schema
    const { $ref, ...beside } = schema
    if (typeof $ref !== "string") return mapSchemas(schema, (inner) => inline(inner, within))
    const target = within.has($ref) || room-- <= 0 ? undefined : at(root, $ref)
    const found = isObject(target) ? inline(target, new Set([...within, $ref])) : {}
    const rest = mapSchemas(beside, (inner) => inline(inner, within))
    return { ...(isObject(found) && found), ...(isObject(rest) && rest) }
  }
  const { $defs: _, definitions: __, ...whole } = root
  const schema = inline(whole, new Set(["#"]))
  return isObject(schema) ? schema : {}
}

/**
 * Of an object, without alternatives at its top: it has the properties of all of them, and what each of them requires.
 * Which go together, the tool says itself when it is called.
 */
export const flattened = ({ allOf, anyOf, oneOf, ...rest }: JsonObject): JsonObject => {
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
    properties: Object.assign({}, alternatives(some), ...[...all, own].map(({ properties }) => properties)),
    ...(required.size > 0 && { required: [...required] }),
  }
}

/** A property that has another schema in each of them has any of those. */
const alternatives = (schemas: ReadonlyArray<{ readonly properties: JsonObject }>): JsonObject => {
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

/** What a JSON pointer in a URI fragment names: `#/$defs/Tree`. */
const at = (root: Json, reference: string): Json | undefined =>
  reference.startsWith("#")
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

/** With the schemas right below changed, each by the keyword that holds it. */
export const mapSchemas = (schema: Json, change: (schema: Json, keyword: string) => Json): Json => {
  if (!isObject(schema)) return schema
  return mapValues(schema, (value, keyword) => {
    const changed = (value: Json) => change(value, keyword)
    if (data.has(keyword)) return value
    if (Array.isArray(value)) return value.map(changed)
    if (!isObject(value)) return value
    return schemasByName.has(keyword) ? mapValues(value, changed) : changed(value)
  })
}

/** Keywords that hold values, not schemas. */
const data = new Set(["const", "default", "enum", "examples", "required", "type"])

/** Keywords that hold schemas under names of the author's choice. */
const schemasByName = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])

const mapValues = (object: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
