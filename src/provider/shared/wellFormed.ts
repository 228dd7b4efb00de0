/** Replaces lone surrogates, which cannot be encoded as UTF-8. */

/** In every string of a JSON value, including object keys. */
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
