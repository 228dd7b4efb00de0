/** JSON as data: what crosses to a provider, to disk or to another process. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Whether `JSON.stringify` writes it whole, and `JSON.parse` reads the same again; properties that are `undefined` are
 * left out. No function, no `NaN`, no circle, nothing deeper than 1,000 levels. See `withoutProto` for `__proto__`.
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
 * The value itself, or a copy without properties named `__proto__`, at any depth. `JSON.parse` makes such a property like
 * any other, but copies made by assignment lose it, those of Effect's `Schema` among them. For a value that `isJson`.
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

/** Levels: what is deeper may overflow the stack of what reads it. */
const DEPTH = 1000

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Levels of nesting: `{"a":[1]}` has two. What is read by recursion overflows the stack at a few thousand; models nest a
 * dozen at the most.
 */
export const mostLevels = 256

/** Whether a value has more levels than that. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  isNested(value) && (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)))

/** The value itself, or a copy in which a text says of what is nested deeper than `levels` that it was cut off. */
export const withinLevels = (value: unknown, levels: number = mostLevels): unknown =>
  isDeeperThan(value, levels) ? cut(value, levels) : value

/** `JSON.parse`, within `mostLevels`: that itself takes any depth, and what reads its result does not. */
export const parse = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  return text.length > mostLevels ? withinLevels(value) : value
}

/** The same; `undefined` for a text that is no JSON. */
export const tryParse = (text: string): unknown => {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null

const cut = (value: unknown, levels: number): unknown => {
  if (!isNested(value)) return value
  if (levels === 0) return "[nested too deeply]"
  return Array.isArray(value)
    ? value.map((inner) => cut(inner, levels - 1))
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, levels - 1)]))
}
