/** An invalid command line or slash command, and flaws of options. */
import * as Data from "effect/Data"

export class UsageError extends Data.TaggedError("UsageError")<{
  readonly message: string
  /** The command with the help that describes the arguments; absent for those of `vibe` itself. */
  readonly command?: string | undefined
  /** True if it is about an input of a session, which no command's help describes. */
  readonly isOfSession?: boolean | undefined
}> {}

/**
 * Returns what an option has to be, if its value is not that: a whole number from `least`, or infinite. Undefined
 * stands for the default.
 */
export const flawOfCount = (option: string, value: number | undefined, least: number): string | undefined =>
  value === undefined || ((Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= least)
    ? undefined
    : `${option} must be a whole number from ${least}, and is ${value}`

/** Does the same for an option that is measured: a number from 0, or infinite. */
export const flawOfMeasure = (option: string, value: number | undefined): string | undefined =>
  value === undefined || value >= 0 ? undefined : `${option} must be a number from 0, and is ${value}`
