/** Finds flaws that make a JSON Schema unusable, before a validation runs into one. */
import * as Effect from "effect/Effect"
import { isDeeperThan, isObject, type Json, type JsonObject, mostLevels } from "../base/Json.ts"

/** Returns the first flaw and its location; `undefined` for a usable schema. */
export const findFlaw = (schema: JsonObject): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.promise(() => import("@cfworker/json-schema")),
    (library) => {
      if (isDeeperThan(schema, mostLevels)) return `it is nested more than ${mostLevels} levels deep`
      try {
        const known = { ...library, targets: library.dereference(schema) }
        return flaws(schema, "#", known)[0] ?? findCycle(known)
      } catch (cause) {
        return messageOf(cause)
      }
    },
  )

/** The keywords with values that the library treats as schemas, and the targets of references by full address. */
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
    const own = keyword === "$ref" ? findUnresolved(schema, known) : wrong(keyword, value)
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

/** Finds a cycle of references that does not descend into the value: a validation would never end. */
const findCycle = ({ targets }: Known): string | undefined => {
  const finished = new Set<unknown>()
  for (const [address, target] of Object.entries(targets)) {
    // The path of a depth-first search. Each step has the schemas that are still to visit.
    const path =
      isObject(target) && !finished.has(target) ? [{ schema: target, next: sameValueSchemas(target, targets) }] : []
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = step.next.pop()
      if (next === undefined) finished.add(path.pop()?.schema)
      else if (path.some(({ schema }) => schema === next)) {
        return `#${address.split("#")[1] ?? ""}: its references lead in a circle`
      } else if (!finished.has(next)) path.push({ schema: next, next: sameValueSchemas(next, targets) })
    }
  }
  return undefined
}

/** Lists the other schemas that validate the same value. */
const sameValueSchemas = (schema: JsonObject, targets: Known["targets"]): Array<JsonObject> =>
  [
    typeof schema.__absolute_ref__ === "string" ? targets[schema.__absolute_ref__] : undefined,
    ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema[keyword]),
    ...["not", "if", "then", "else"].map((keyword) => schema[keyword]),
    ...(isObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : []),
  ].filter(isObject)

/** Finds a reference without a target. The library stores the full address of the target beside a reference. */
const findUnresolved = ({ $ref, __absolute_ref__ }: JsonObject, { targets }: Known): string | undefined =>
  typeof __absolute_ref__ === "string" && targets[__absolute_ref__] !== undefined
    ? undefined
    : `nothing is there by the name ${JSON.stringify($ref)}`

/** Returns the reason that a validation by this keyword would throw, or accept nothing. */
const wrong = (keyword: string, value: Json): string | undefined => {
  switch (keyword) {
    case "type":
      return unknownType(Array.isArray(value) ? value : [value])
    case "pattern":
      return typeof value === "string" ? patternError(value) : "is no text"
    case "patternProperties":
      return isObject(value) ? Object.keys(value).map(patternError).find(Boolean) : "is no object"
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

/** Returns the reason that a pattern is invalid. It is compiled as the library does it. */
const patternError = (pattern: string): string | undefined => {
  try {
    new RegExp(pattern, "u")
    return undefined
  } catch (cause) {
    return messageOf(cause)
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
