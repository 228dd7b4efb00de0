import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as CurrentDate from "../../src/toolbox/CurrentDate.ts"

const context = { node: NodeId.make("n"), callId: "c", model: new ModelId({ provider: "p", name: "m" }) }

const asked = (input: object) => Effect.map(CurrentDate.make.execute(input, context), ({ text }) => text)

describe("current_date", () => {
  it.effect("returns weekday, date and time in a time zone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 23, 30))
      assert.strictEqual(
        yield* asked({ timeZone: "Europe/Berlin" }),
        "Sunday, 2026-11-22T00:30:00.000+01:00[Europe/Berlin]",
      )
      assert.strictEqual(yield* asked({ timeZone: "UTC" }), "Saturday, 2026-11-21T23:30:00.000+00:00[UTC]")
    }),
  )

  it.effect("tells them where it runs, when no zone is named", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 12))
      assert.match(yield* asked({}), /^\w+day, 2026-11-2\dT\d\d:\d\d:00.000[+-]\d\d:\d\d\[.+\]$/)
    }),
  )

  it.effect("refuses an unknown time zone", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(asked({ timeZone: "Europe/Atlantis" }))
      assert.include(error.message, "there is no time zone Europe/Atlantis")
    }),
  )
})
