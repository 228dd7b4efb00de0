/**
 * Reads and writes JSON as providers send and accept it: missing fields, alternative answers, arguments of calls. Pure.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isObject, tryParse, withinLevels } from "../../base/Json.ts"

/**
 * An optional field. Many servers send null for a missing one; converting it to `undefined` triples the decoding time.
 */
export const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Ignores a value of another shape. */
export const lenient = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.NullOr(schema).annotations({ decodingFallback: () => Either.right(null) })

/** An optional detail, which must not make the answer fail. */
export const lenientField = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(lenient(schema))

/** An optional count or index. Some servers write it as a string; anything else, such as -1, is ignored. */
export const count = lenientField(
  Schema.Union(
    Schema.Number.pipe(Schema.between(0, Number.MAX_SAFE_INTEGER)),
    Schema.NumberFromString.pipe(Schema.between(0, Number.MAX_SAFE_INTEGER)),
  ),
)

/**
 * Returns whether a choice is the first one. A request asks for one answer, but servers may send several, in one event
 * or in turn. Servers that send only one may omit its index.
 */
export const isFirstChoice = ({ index }: { readonly index?: unknown }): boolean =>
  index == null || index === 0 || index === "0"

/**
 * Parses the arguments of a call. Missing arguments are an empty object, which PHP writes as an empty list, and some
 * servers send the object as a JSON string. Returns `undefined` for anything else.
 */
export const parseArguments = (args: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (args == null) return {}
  const value = typeof args === "string" ? tryParse(args) : withinLevels(args)
  if (Array.isArray(value) && value.length === 0) return {}
  return isObject(value) ? value : undefined
}

/**
 * Replaces lone surrogates, which cannot be encoded as UTF-8, in every string of a JSON value, including object keys.
 */
export const wellFormedIn = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toWellFormed(), wellFormed(value)]))

const wellFormed = (value: unknown): unknown =>
  typeof value === "string"
    ? value.toWellFormed()
    : Array.isArray(value)
      ? value.map(wellFormed)
      : typeof value === "object" && value !== null
        ? wellFormedIn(value)
        : value
