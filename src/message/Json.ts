/** JSON as data: what crosses to a provider, to disk or to another process. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Whether `JSON.stringify` writes it whole, and `JSON.parse` reads the same again; properties that are `undefined` are
 * left out. No function, no `NaN`, no circle, nothing deeper than 1,000 levels, and no property `__proto__`, which
 * copies of an object lose.
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
      if (Object.hasOwn(value, "__proto__")) return false
      return Object.values(value).every((each) => isJson(each, depth - 1))
    default:
      return false
  }
}

/** Levels: what is deeper may overflow the stack of what reads it. */
const DEPTH = 1000

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
