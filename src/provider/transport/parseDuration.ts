/** Durations as providers write them: `34.4s`, `900ms`, `16h13m42.99s`. Pure. */
import * as Duration from "effect/Duration"

/** The sum of all durations in `text`; `undefined` where there is none. */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const millis = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
  const units = [...text.matchAll(/(?<![-\d.])(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  return units.length === 0
    ? undefined
    : Duration.millis(
        // The pattern matches no other unit.
        units.reduce((sum, [, count, unit]) => sum + Number(count) * millis[unit as keyof typeof millis], 0),
      )
}
