/** New ids, as a service, so that tests can predict them. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"

export class Ids extends Context.Tag("vibe/message/Ids")<Ids, Service>() {}

export interface Service {
  /** A generator of unique ids for one operation at the current time. Callers brand the ids. */
  readonly source: Effect.Effect<() => string>
}

/** One id. */
export const next: Effect.Effect<string, never, Ids> = Effect.flatMap(Ids, ({ source }) =>
  Effect.map(source, (next) => next()),
)

/** Crockford's Base32: without i, l, o and u, which are easily confused. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/**
 * 18 digits of 5 bits: 9 for the time in milliseconds, and 9 for a counter with a random start. Random numbers alone
 * would not be unique: Effect seeds its generator with 32 bits, so that two of some 60 000 processes on one forest
 * would make the same ids.
 */
export const layer: Layer.Layer<Ids> = Layer.effect(
  Ids,
  Effect.map(Random.next, (chance) => {
    let number = Math.floor(chance * NUMBERS)
    const at = (now: number) => {
      const time = nineDigits(now)
      return () => {
        number = (number + STEP) % NUMBERS
        return time + nineDigits(number)
      }
    }
    return Ids.of({ source: Effect.map(Clock.currentTimeMillis, at) })
  }),
)

const NUMBERS = alphabet.length ** 9

/**
 * The golden section of `NUMBERS`, and odd: successive ids differ in their first digits, so that prefixes are short.
 */
const STEP = 21745137823721

const nineDigits = (number: number): string => {
  let digits = ""
  for (let rest = number; digits.length < 9; rest = Math.floor(rest / alphabet.length)) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`
  }
  return digits
}

/** `n-0`, `n-1`, … */
export const layerSequence: Layer.Layer<Ids> = Layer.effect(
  Ids,
  Effect.sync(() => {
    let count = 0
    return Ids.of({ source: Effect.succeed(() => `n-${count++}`) })
  }),
)
