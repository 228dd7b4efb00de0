/**
 * The law of a shared file: whatever the person saves and the model changes, in whichever order, also between the
 * moment at which vibe reads the file and the one at which it writes it, nothing of the person's is lost.
 */
import { describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { INTERLEAVINGS, interleaved, turn } from "../../utils/Interleavings.ts"

describe("SharedText: laws", () => {
  it.effect(
    `loses no character of the person's in ${INTERLEAVINGS} interleavings of saves and revisions`,
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(turn, { minLength: 1, maxLength: 3 }), (turns) =>
            Effect.runPromise(interleaved(turns)),
          ),
          { numRuns: INTERLEAVINGS },
        ),
      ),
    240_000,
  )
})
