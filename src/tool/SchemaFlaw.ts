/** What is wrong with a JSON Schema that nothing can be checked by: a check would only find out where it gets there. */
import * as Effect from "effect/Effect"
import { isDeeperThan, isObject, type Json, type JsonObject, mostLevels } from "../message/Json.ts"

/** The first flaw and where it is; none in a schema that can be used. */
export const of = (schema: JsonObject): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.promise(() => import("@cfworker/json-schema")),
    (library) => {
      if (isDeeperThan(schema, mostLevels)) return `it is nested more than ${mostLevels} levels deep`
      try {
        const known = { ...library, targets: library.dereference(schema) }
        return flaws(schema, "#", known)[0] ?? endless(known)
      } catch (cause) {
        return messageOf(cause)
      }
    },
  )

/** What the library takes for schemas within one, and all that references may name, by their full addresses. */
interface Known {
  readonly schemaKeyword: Readonly<Record<string, boolean>>
  readonly schemaArrayKeyword: Readonly<Record<string, boolean>>
  readonly schemaMapKeyword: Readonly<Record<string, boolean>>
  readonly targets: Readonly<Record<string, unknown>>
}

const flaws = (schema: Json, at: string, known: Known): ReadonlyArray<string> => {
  if (typeof schema === "boolean") return []
  if (!isObject(schema)) return [`${at} is no schema`]
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = `${at}/${keyword}`
    const own = keyword === "$ref" ? unresolved(schema, known) : wrong(keyword, value)
    if (own !== undefined) return [`${place}: ${own}`]
    if (Array.isArray(value)) {
      return known.schemaArrayKeyword[keyword] === true
        ? value.flatMap((inner, index) => flaws(inner, `${place}/${index}`, known))
        : []
    }
    if (known.schemaMapKeyword[keyword] === true && isObject(value)) {
      return Object.entries(value).flatMap(([name, inner]) => flaws(inner, `${place}/${name}`, known))
    }
    return known.schemaKeyword[keyword] === true ? flaws(value, place, known) : []
  })
}

/** A place whose references lead in a circle, with nothing on it that looks into the value: a check would never end. */
const endless = ({ targets }: Known): string | undefined => {
  const left = new Set<unknown>()
  for (const [address, target] of Object.entries(targets)) {
    // From there to where it goes on, each with what is still to be looked at.
    const way = isObject(target) && !left.has(target) ? [{ schema: target, next: besides(target, targets) }] : []
    for (let place = way.at(-1); place !== undefined; place = way.at(-1)) {
      const next = place.next.pop()
      if (next === undefined) left.add(way.pop()?.schema)
      else if (way.some(({ schema }) => schema === next)) {
        return `#${address.split("#")[1] ?? ""}: its references lead in a circle`
      } else if (!left.has(next)) way.push({ schema: next, next: besides(next, targets) })
    }
  }
  return undefined
}

/** The schemas that the same value is checked by. */
const besides = (schema: JsonObject, targets: Known["targets"]): Array<JsonObject> =>
  [
    typeof schema.__absolute_ref__ === "string" ? targets[schema.__absolute_ref__] : undefined,
    ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema[keyword]),
    ...["not", "if", "then", "else"].map((keyword) => schema[keyword]),
    ...(isObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : []),
  ].filter(isObject)

/** The library puts the full address of what a reference names beside it. */
const unresolved = ({ $ref, __absolute_ref__ }: JsonObject, { targets }: Known): string | undefined =>
  typeof __absolute_ref__ === "string" && targets[__absolute_ref__] !== undefined
    ? undefined
    : `nothing is there by the name ${JSON.stringify($ref)}`

/** What a check by this keyword would break at, or never let pass. */
const wrong = (keyword: string, value: Json): string | undefined => {
  switch (keyword) {
    case "type":
      return unknownType(Array.isArray(value) ? value : [value])
    case "pattern":
      return typeof value === "string" ? noPattern(value) : "is no text"
    case "patternProperties":
      return isObject(value) ? Object.keys(value).map(noPattern).find(Boolean) : "is no object"
    case "properties":
      return isObject(value) ? undefined : "is no object"
    case "allOf":
    case "anyOf":
    case "enum":
    case "oneOf":
    case "prefixItems":
    case "required":
      return Array.isArray(value) ? undefined : "is no list"
    default:
      return undefined
  }
}

const types: ReadonlySet<Json> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"])

const unknownType = (values: ReadonlyArray<Json>): string | undefined => {
  const unknown = values.find((value) => !types.has(value))
  return unknown === undefined ? undefined : `there is no type ${JSON.stringify(unknown)}`
}

/** As the library reads one. */
const noPattern = (pattern: string): string | undefined => {
  try {
    new RegExp(pattern, "u")
    return undefined
  } catch (cause) {
    return messageOf(cause)
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
