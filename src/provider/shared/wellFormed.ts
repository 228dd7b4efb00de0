/** Texts without half a character: a lone surrogate has no UTF-8, and would reach a provider as something else. */

/** Every string of a JSON value, the keys of its objects too. */
export const wellFormed = (value: unknown): unknown =>
  typeof value === "string"
    ? value.toWellFormed()
    : Array.isArray(value)
      ? value.map(wellFormed)
      : typeof value === "object" && value !== null
        ? wellFormedIn(value)
        : value

export const wellFormedIn = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toWellFormed(), wellFormed(value)]))
