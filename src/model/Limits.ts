/** How much a model reads and writes at a time, and how much of that a request may still ask for. */

/** In tokens. */
export interface Limits {
  /** The window: what the model reads. */
  readonly context: number
  /** The longest answer. */
  readonly output: number
  /** Reading and writing together, where the provider says so. */
  readonly total?: number | undefined
}

/** Of a model that nothing is known of (REQUIREMENTS E-89): what even small ones have. */
export const unknown: Limits = { context: 8192, output: 8192 }

/** Of a model of Anthropic's that nothing is known of: what every one since Claude 3.5 reads and writes. */
export const unknownClaude: Limits = { context: 200_000, output: 8192 }

/**
 * The longest answer to ask for: no more than was requested, than the model writes, and than an input of this estimate
 * leaves free. At least 1, since a provider refuses 0 and can say better itself that its window is full.
 */
export const clamp = (requested: number, limits: Limits | undefined, estimatedInput: number): number => {
  const { context, output, total = Number.POSITIVE_INFINITY } = limits ?? unknown
  return Math.max(1, Math.floor(Math.min(requested, output, context - estimatedInput, total - estimatedInput)))
}
