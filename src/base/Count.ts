/** Checks options that are counts, such as the most requests of a run. Pure. */

/**
 * Returns what an option has to be, if its value is not that: a whole number from `least`, or infinite. Undefined
 * stands for the default.
 */
export const flawOf = (option: string, value: number | undefined, least: number): string | undefined =>
  value === undefined || ((Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= least)
    ? undefined
    : `${option} must be a whole number from ${least}, and is ${value}`

/** Does the same for an option that is measured: a number from 0, or infinite. */
export const flawOfMeasure = (option: string, value: number | undefined): string | undefined =>
  value === undefined || value >= 0 ? undefined : `${option} must be a number from 0, and is ${value}`
