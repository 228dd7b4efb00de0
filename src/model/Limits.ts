/** The token limits of a model, and the output limit that they leave for a request. */

/** The limits of a model in tokens. */
export interface Limits {
  /** The context window, which is the maximum input. It is infinite if the server itself reports when it is full. */
  readonly context: number
  /** The maximum output. */
  readonly output: number
  /** The maximum of input and output together, if the provider has one. */
  readonly total?: number | undefined
  /** True if the context window is not known. It is then assumed to be that of a small model. */
  readonly isAssumed?: boolean | undefined
}

/** The limits of an unknown model, which even small models have. */
export const unknown: Limits = { context: 8192, output: 8192, isAssumed: true }

/** The limits of an unknown model of Anthropic, which every model since Claude 3.5 has. */
export const unknownClaude: Limits = { context: 200_000, output: 8192 }

/** Returns the context window if it is known. */
export const contextWindow = (limits: Limits | undefined): number | undefined =>
  limits === undefined || limits.isAssumed === true || !Number.isFinite(limits.context) ? undefined : limits.context

/**
 * Returns the output limit of a request: at most the requested one, that of the model, and what the estimated input
 * leaves. It is at least 1: providers reject 0, and they report a full context window better themselves. Throws a
 * `RangeError` if one of the numbers is NaN, which no provider accepts.
 */
export const clamp = (requested: number, limits: Limits | undefined, estimatedInput: number): number => {
  const { context, output, total = Number.POSITIVE_INFINITY } = limits ?? unknown
  for (const [name, value] of Object.entries({ requested, output, context, total, estimatedInput })) {
    if (Number.isNaN(value)) throw new RangeError(`${name} must be a number of tokens, and is NaN`)
  }
  return Math.max(1, Math.floor(Math.min(requested, output, context - estimatedInput, total - estimatedInput)))
}

/**
 * Returns the most input that leaves room for a reply, in tokens. A reply counts as `TYPICAL_REPLY` if no limit is
 * requested, and as a quarter of the window at most. Returns `undefined` if the context window is not known.
 */
export const maxInput = (requested: number | undefined, limits: Limits | undefined): number | undefined => {
  const context = contextWindow(limits)
  if (limits === undefined || context === undefined) return undefined
  const { output, total = context } = limits
  const reply = Math.min(requested ?? TYPICAL_REPLY, output, total / 4)
  return Math.floor(Math.min(context, total - reply))
}

/** The tokens of a reply. This is longer than most turns with tool calls: a turn of 100 purposes has 3,000. */
const TYPICAL_REPLY = 4096
