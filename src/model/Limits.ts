/** The token limits of a model, and the output limit that they leave for a request. */

/** In tokens. */
export interface Limits {
  /** The context window: the maximum input. */
  readonly context: number
  /** The maximum output. */
  readonly output: number
  /** The maximum of input and output together, where the provider has one. */
  readonly total?: number | undefined
}

/** For an unknown model: limits that even small models have. */
export const unknown: Limits = { context: 8192, output: 8192 }

/** For an unknown model of Anthropic: the limits of every one since Claude 3.5. */
export const unknownClaude: Limits = { context: 200_000, output: 8192 }

/**
 * The output limit of a request: at most the requested one, that of the model, and what the estimated input leaves.
 * At least 1: providers reject 0, and report a full context window better themselves.
 */
export const clamp = (requested: number, limits: Limits | undefined, estimatedInput: number): number => {
  const { context, output, total = Number.POSITIVE_INFINITY } = limits ?? unknown
  return Math.max(1, Math.floor(Math.min(requested, output, context - estimatedInput, total - estimatedInput)))
}
