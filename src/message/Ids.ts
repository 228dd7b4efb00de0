/** Fresh ids, so that tests can choose them. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"

export class Ids extends Context.Tag("vibe/message/Ids")<Ids, Service>() {}

export interface Service {
  /** Gives an id with each call that no other call returns; callers brand it. For one operation, now. */
  readonly source: Effect.Effect<() => string>
}

/** One id. */
export const next: Effect.Effect<string, never, Ids> = Effect.flatMap(Ids, ({ source }) =>
  Effect.map(source, (next) => next()),
)

/** Crockford's alphabet: no i, l, o or u, so that an id can be read out aloud. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/**
 * 18 digits of 5 bits each: 9 of the time in milliseconds, 9 of chance when the layer is made and stepped on from there.
 * Chance alone would not do: Effect seeds its random numbers with 32 bits, so that of some 60 000 processes on one forest
 * two would name their nodes alike.
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

/** The golden section of them, and odd: what follows differs early on, so that beginnings of ids are told apart. */
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
