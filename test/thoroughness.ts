/**
 * How often the tests repeat what they repeat for thoroughness alone. `npm test` runs a twentieth of the cases of each
 * law, but five of those that have few, or a tenth of very few, and as few as they say of laws whose cases take long;
 * `npm run test:thorough` and `npm run check` run all.
 */
import { FastCheck } from "effect"

/** The configuration of vitest sets it for `--mode thorough`. */
export const isThorough = process.env.VIBE_TEST_THOROUGH === "1"

/** The share of the cases that `npm test` runs. */
const SHARE = 20

/** It runs at least so many. */
const FEWEST = 5

/** Fewer than fifty cases are so few because each takes long. `npm test` runs this share of them. */
const DEAR_SHARE = 10

/** Returns how many of `thorough` cases to run. */
export const cases = (thorough: number): number =>
  isThorough ? thorough : Math.max(Math.ceil(thorough / SHARE), Math.min(FEWEST, Math.ceil(thorough / DEAR_SHARE)))

/**
 * Returns all elements in a thorough run, else every fifth, or another share, begun at `offset`: for inputs of one
 * kind, each of which takes long. Different offsets of several lists together reach all.
 */
export const some = <A>(all: ReadonlyArray<A>, offset = 0, share = 5): ReadonlyArray<A> =>
  isThorough ? all : all.filter((_, at) => (at + offset) % share === 0)

/** Laws that do not say how many cases they need run a hundred. */
FastCheck.configureGlobal({ ...FastCheck.readConfigureGlobal(), numRuns: cases(100) })
