/**
 * Mends the schema of a tool that a server has declared oddly: keywords that are null or an empty list, types by the
 * names of programming languages (`int`, `any`), and what drafts before 2019 wrote. Pure.
 */
import * as Json from "../../base/Json.ts"

/** The keywords with a schema, with a list of schemas, and with schemas by name. */
const keywords = {
  schema: new Set([
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
  ]),
  list: new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]),
  named: new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]),
}

/** The keywords for which `null` is a value. */
const takesNull = new Set(["const", "default"])

/** The keywords for which an empty list would allow no value at all, so that every call would be refused. */
const needsEntries = new Set(["enum", "type"])

/** The types of JSON Schema, and `any` of draft 3, by the names that programming languages have for them. */
const typeNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    any: [],
    array: ["list", "tuple"],
    boolean: ["bool"],
    integer: ["int", "int32", "int64", "long"],
    null: ["nil", "none"],
    number: ["double", "float", "float32", "float64"],
    object: ["dict", "dictionary", "map"],
    string: ["str"],
  }).flatMap(([type, names]) => [type, ...names].map((name) => [name, type] as const)),
)

/**
 * Leaves out keywords that are null or an empty list, as programs write them if they have no value. Reads empty lists
 * as the empty objects that they are meant to be. Drafts before 2019 write an anchor as `id` or `$id`.
 */
export const mendSchema = (schema: Json.JsonObject): Json.JsonObject =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): ReadonlyArray<readonly [string, Json.Json]> => {
      if (value === null) return takesNull.has(keyword) ? [[keyword, value]] : []
      if (needsEntries.has(keyword) && isEmptyList(value)) return []
      if (keyword === "type") return mendType(value)
      if (isAnchor(keyword, value)) return [["$anchor", value.slice(1)]]
      if (keyword === "required") return mendRequired(value)
      if (keywords.named.has(keyword)) return [[keyword, mendNamed(value)]]
      if (keywords.list.has(keyword) && Array.isArray(value) && value.length > 0) {
        return [[keyword, value.map(mendInner)]]
      }
      return [[keyword, keywords.schema.has(keyword) ? mendInner(value) : value]]
    }),
  )

/** Mends `type`. An unknown type stays, so that the check of the schema reports it. `any` allows every value. */
const mendType = (value: Json.Json): ReadonlyArray<readonly [string, Json.Json]> => {
  const types = (Array.isArray(value) ? value : [value]).map((type) => {
    // YAML reads an unquoted `null` as a value, not as the name of the type.
    if (type === null) return "null"
    return typeof type === "string" ? (typeNames.get(type.toLowerCase()) ?? type) : type
  })
  if (types.includes("any")) return []
  return [["type", Array.isArray(value) ? [...new Set(types)] : (types[0] ?? value)]]
}

const isAnchor = (keyword: string, value: Json.Json): value is string =>
  (keyword === "id" || keyword === "$id") && typeof value === "string" && /^#[A-Za-z_][\w.-]*$/.test(value)

const mendNamed = (value: Json.Json): Json.Json => {
  if (isEmptyList(value)) return {}
  if (!Json.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mendInner(inner ?? {})]))
}

const mendInner = (value: Json.Json): Json.Json =>
  isEmptyList(value) ? {} : Json.isObject(value) ? mendSchema(value) : value

/** Mends `required`. Draft 3 has `true` beside a property's type, and some programs write one name alone. */
const mendRequired = (value: Json.Json): ReadonlyArray<readonly [string, Json.Json]> => {
  if (typeof value === "string" && value !== "") return [["required", [value]]]
  return Array.isArray(value) ? [["required", value.filter((name) => typeof name === "string")]] : []
}

export const isEmptyList = (value: Json.Json): boolean => Array.isArray(value) && value.length === 0
