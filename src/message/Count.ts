/** Checks options that are counts, such as the most requests of a run. Pure. */

/** What an option has to be, if its value is not that: a whole number from `least`, or infinite. Undefined is the default. */
export const flawOf = (option: string, value: number | undefined, least: number): string | undefined =>
  value === undefined || ((Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= least)
    ? undefined
    : `${option} must be a whole number from ${least}, and is ${value}`

/** As `flawOf`, for what can be measured: a number from 0, or infinite. */
export const flawOfMeasure = (option: string, value: number | undefined): string | undefined =>
  value === undefined || value >= 0 ? undefined : `${option} must be a number from 0, and is ${value}`
