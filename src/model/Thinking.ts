/** How much a model thinks before it answers. Thoughts are paid for as output. */

/** `off`: not at all, or as little as the model can. */
export const levels = ["off", "low", "medium", "high"] as const
export type Thinking = (typeof levels)[number]

/** What users choose from; `auto` leaves it to the provider. */
export const choices = [...levels, "auto"] as const
export type Choice = (typeof choices)[number]

/** The level of a choice; undefined for `auto`. */
export const levelOf = (choice: Choice): Thinking | undefined => (choice === "auto" ? undefined : choice)

/**
 * Whether a provider has rejected a request, by its message, for a parameter that it or the model does not support. OpenAI's
 * message about a value names neither thinking nor the parameter.
 */
export const isRefusal = (message: string): boolean =>
  /think|reason|effort|budget|unsupported value|not supported|unrecogni[sz]ed|unknown (?:name|field|parameter|argument)|unexpected|extra inputs/i.test(
    message,
  )
