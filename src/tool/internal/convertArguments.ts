/** Converts arguments of another JSON type than the schema asks for, if they can mean only one value. Pure. */
import { isObject, type Json, type JsonObject, tryParse } from "../../base/Json.ts"

/**
 * Returns the arguments with each text as the number, boolean, list or object that it is, if the schema takes no text
 * there, and without a null for an optional argument. All other values are unchanged: the schema decides whether they
 * are valid.
 */
export const convertArguments = (schema: JsonObject, input: unknown): unknown =>
  // Arguments were read as JSON. Any other value that a program passes has none of the types, and is returned as it is.
  convert(schema, input as Json, { root: schema, levels: MAX_LEVELS, steps: { left: MAX_STEPS } })

/** The most levels of schemas that are entered, since schemas may contain themselves. */
const MAX_LEVELS = 64

/**
 * The most schemas that are entered for a call, about a third of a second of work. References that name the one below
 * twice take twice as many with each level. The rest of the arguments is then unchanged.
 */
const MAX_STEPS = 30_000

interface Place {
  readonly root: JsonObject
  /** The levels of schemas that may still be entered. */
  readonly levels: number
  /** The schemas that may still be entered, for all places of a call. */
  readonly steps: { left: number }
}

const isSpent = ({ levels, steps }: Place): boolean => levels === 0 || steps.left-- <= 0

const convert = (given: Json | undefined, value: Json, place: Place): Json => {
  if (!isObject(given) || isSpent(place)) return value
  const inner = { ...place, levels: place.levels - 1 }
  const schema = resolve(given, inner)
  const types = typesOf(schema, inner)
  const converted = types === undefined || hasType(types, value) ? value : toType(types, value)
  if (Array.isArray(converted)) return converted.map((item, index) => convert(itemSchema(schema, index), item, inner))
  return isObject(converted)
    ? convertProperties(schema, converted, inner)
    : convertByAlternatives(schema, converted, inner)
}

const convertProperties = (schema: JsonObject, value: JsonObject, place: Place): Json => {
  const { additionalProperties, properties, required } = schema
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const entries = Object.entries(value).flatMap(([name, each]): ReadonlyArray<readonly [string, Json]> => {
    const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    const converted = convert(own ?? additionalProperties, each, place)
    const isLeftOut = converted === null && own !== undefined && !isRequired(name) && !takesNull(own, place)
    return isLeftOut ? [] : [[name, converted]]
  })
  return convertByAlternatives(schema, Object.fromEntries(entries), place)
}

/**
 * Converts by all parts of `allOf`. It also converts by the alternative of a union that takes the type of the value, if
 * there is only one.
 */
const convertByAlternatives = (schema: JsonObject, value: Json, place: Place): Json => {
  const all = listOf(schema.allOf).reduce((value: Json, part) => convert(part, value, place), value)
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].filter((alternative) => {
    const types = isObject(alternative) ? typesOf(resolve(alternative, place), place) : undefined
    return types === undefined || hasType(types, all)
  })
  return alternatives.length === 1 ? convert(alternatives[0], all, place) : all
}

const itemSchema = ({ items, prefixItems }: JsonObject, index: number): Json | undefined => {
  const tuple = Array.isArray(items) ? items : listOf(prefixItems)
  return tuple[index] ?? (Array.isArray(items) ? undefined : items)
}

/** Returns the value in one of the types, or the value itself if it is none of them. */
const toType = (types: ReadonlySet<string>, value: Json): Json => {
  // Other numbers have several texts: 1.0 would become "1".
  if (types.has("string") && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== "string" || types.has("string")) return value
  const text = value.trim()
  // Python writes them as `True` and `False`.
  const read = tryParse(/^(?:True|False)$/.test(text) ? text.toLowerCase() : text)
  if (read === undefined || typeof read === "string") return value
  // A longer number would lose digits.
  if (typeof read === "number" && Number.isInteger(read) && !Number.isSafeInteger(read)) return value
  // `tryParse` returns nothing but JSON.
  const parsed = read as Json
  return hasType(types, parsed) || parsed === null ? parsed : value
}

const takesNull = (given: Json, place: Place): boolean => {
  const types = isObject(given) ? typesOf(resolve(given, place), place) : undefined
  return types === undefined || types.has("null")
}

/** Returns the types that a schema takes; undefined if it takes any. */
const typesOf = (schema: JsonObject, place: Place): ReadonlySet<string> | undefined => {
  if (isSpent(place)) return undefined
  const inner = { ...place, levels: place.levels - 1 }
  const { allOf, anyOf, const: only, enum: values, oneOf, type } = schema
  if (type !== undefined) return new Set(listOf(Array.isArray(type) ? type : [type]).map(String))
  if (only !== undefined) return new Set([typeOf(only)])
  if (Array.isArray(values)) return new Set(values.map(typeOf))
  const ofPart = (part: Json) => (isObject(part) ? typesOf(resolve(part, inner), inner) : undefined)
  const alternatives = listOf(anyOf ?? oneOf).map(ofPart)
  if (alternatives.length > 0) {
    return alternatives.includes(undefined) ? undefined : new Set(alternatives.flatMap((types) => [...(types ?? [])]))
  }
  return listOf(allOf)
    .map(ofPart)
    .find((types) => types !== undefined)
}

const hasType = (types: ReadonlySet<string>, value: Json): boolean =>
  types.has(typeOf(value)) || (types.has("integer") && Number.isInteger(value))

const typeOf = (value: Json): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

/** Returns the schema that a local reference names, with the keywords beside it. */
const resolve = (schema: JsonObject, { root, levels }: Omit<Place, "steps">): JsonObject => {
  const { $ref, ...beside } = schema
  if (typeof $ref !== "string" || !/^#(?:$|\/)/.test($ref) || levels === 0) return schema
  const target = $ref
    .slice(1)
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((at: Json | undefined, step) => (isObject(at) ? at[step] : undefined), root)
  return isObject(target) ? { ...resolve(target, { root, levels: levels - 1 }), ...beside } : beside
}

const listOf = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])
