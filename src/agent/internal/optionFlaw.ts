/** Finds the first option of a run that is out of range, so that it is refused before anything is stored or sent. */
import * as Count from "../../base/Count.ts"
import type { GenerateOptions } from "../GenerateOptions.ts"

/** Returns undefined if all options are in range. */
export const optionFlaw = (options: GenerateOptions): string | undefined => {
  const { maxOutputTokens, maxToolIterations, n, temperature, window } = options
  return (
    (n === Number.POSITIVE_INFINITY ? "n must be a whole number from 1, and is Infinity" : Count.flawOf("n", n, 1)) ??
    Count.flawOf("maxToolIterations", maxToolIterations, 1) ??
    Count.flawOf("window", window, 0) ??
    Count.flawOf("maxOutputTokens", maxOutputTokens, 1) ??
    Count.flawOfMeasure("temperature", temperature)
  )
}
