/** The levels of thinking before an answer. Thoughts are paid for as output. */

/** The levels. With `off` the model does not think, or as little as it can. */
export const levels = ["off", "low", "medium", "high"] as const
export type Thinking = (typeof levels)[number]

/** The choices of users. `auto` leaves the level to the provider. */
export const choices = [...levels, "auto"] as const
export type Choice = (typeof choices)[number]

/** Returns the level of a choice, or `undefined` for `auto`. */
export const levelOf = (choice: Choice): Thinking | undefined => (choice === "auto" ? undefined : choice)

/**
 * Returns whether a provider has rejected a request, by its message, for a parameter that it or the model does not
 * support. OpenAI's message about a value names neither thinking nor the parameter.
 */
export const isRefusal = (message: string): boolean =>
  /think|reason|effort|budget|unsupported value|not supported|unrecogni[sz]ed|unknown (?:name|field|parameter|argument)|unexpected|extra inputs/i.test(
    message,
  )
