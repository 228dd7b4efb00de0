/** JSON values, as they are sent to providers, stored, or passed to other processes. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Returns whether a value survives `JSON.stringify` and `JSON.parse`, except for properties that are `undefined`. It
 * has no function, no `NaN`, no cycle, and at most 1,000 levels. See `withoutProto` for properties named `__proto__`.
 */
export const isJson = (value: unknown, depth = DEPTH): boolean => {
  switch (typeof value) {
    case "boolean":
    case "string":
    case "undefined":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      if (value === null) return true
      if (depth === 0 || ("toJSON" in value && typeof value.toJSON === "function")) return false
      return Object.values(value).every((each) => isJson(each, depth - 1))
    default:
      return false
  }
}

/**
 * Returns the value itself, or a copy without properties named `__proto__`, at any depth. `JSON.parse` makes such a
 * property like any other, but copies made by assignment lose it, those of Effect's `Schema` among them. The value must
 * be one that `isJson` accepts.
 */
export const withoutProto = (value: unknown): unknown => (hasProto(value) ? copyWithoutProto(value) : value)

const PROTO = "__proto__"

const hasProto = (value: unknown): boolean =>
  isNested(value) && (Object.hasOwn(value, PROTO) || Object.values(value).some(hasProto))

const copyWithoutProto = (value: unknown): unknown => {
  if (!isNested(value)) return value
  if (Array.isArray(value)) return value.map(copyWithoutProto)
  const kept = Object.entries(value).filter(([name]) => name !== PROTO)
  return Object.fromEntries(kept.map(([name, inner]) => [name, copyWithoutProto(inner)]))
}

/** The most levels of nesting: more may overflow the stack of a reader. */
const DEPTH = 1000

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * A limit in levels of nesting: `{"a":[1]}` has two. Recursive readers overflow the stack at a few thousand; models use
 * a dozen at most.
 */
export const mostLevels = 256

/** Returns whether a value has more than `levels` levels of nesting. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  isNested(value) && (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)))

/** Returns the value, or a copy in which everything below `levels` is replaced by a note. */
export const withinLevels = (value: unknown, levels: number = mostLevels): unknown =>
  isDeeperThan(value, levels) ? cut(value, levels) : value

/**
 * Parses like `JSON.parse`, and cuts the result off at `mostLevels`. `JSON.parse` itself accepts any depth, which
 * recursive readers do not.
 */
export const parse = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  return text.length > mostLevels ? withinLevels(value) : value
}

/** Like `parse`, but returns `undefined` if the text is not JSON. */
export const tryParse = (text: string): unknown => {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns JSON with sorted keys, so that equal values have equal texts. The value must be one that `isJson` accepts.
 */
export const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null

const cut = (value: unknown, levels: number): unknown => {
  if (!isNested(value)) return value
  if (levels === 0) return "[nested too deeply]"
  return Array.isArray(value)
    ? value.map((inner) => cut(inner, levels - 1))
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, levels - 1)]))
}

/** Returns what is at some keys of nested objects; undefined if one of them is missing. */
export const at = (table: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), table)

/** Returns the object at some keys of nested objects; an empty one if there is none. */
export const tableAt = (table: unknown, ...keys: ReadonlyArray<string>): Readonly<Record<string, unknown>> => {
  const found = at(table, ...keys)
  return isObject(found) ? found : {}
}

/** Returns the text at some keys of nested objects; undefined if it is blank or missing. */
export const textAt = (table: unknown, ...keys: ReadonlyArray<string>): string | undefined => {
  const found = at(table, ...keys)
  return typeof found === "string" && found.trim() !== "" ? found.trim() : undefined
}
