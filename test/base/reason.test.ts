import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { reason } from "../../src/base/reason.ts"

class Busy extends reason("Busy", "is in use")<{ readonly process?: number | undefined }> {}

class Busier extends reason("Busy", "is in use by many") {}

class Broken extends reason("Broken", "is broken")<{ readonly cause: unknown }> {}

describe("reason", () => {
  it("makes errors with a tag, a message and facts", () => {
    const busy = new Busy({ process: 7 })
    assert.instanceOf(busy, Error)
    assert.instanceOf(busy, Busy)
    assert.deepStrictEqual([busy._tag, busy.name, busy.message, busy.process], ["Busy", "Busy", "is in use", 7])
    assert.strictEqual(String(busy), "Busy: is in use")
  })

  it("keeps classes apart, even those of one tag", () => {
    assert.strictEqual(new Busy({}).message, "is in use")
    assert.strictEqual(new Busier().message, "is in use by many")
    assert.notInstanceOf(new Busier(), Busy)
  })

  it("keeps the cause, which does not change the message", () => {
    const cause = new Error("no space")
    const broken = new Broken({ cause })
    assert.strictEqual(broken.cause, cause)
    assert.strictEqual(broken.message, "is broken")
  })

  it.effect("makes failures that are caught by their tag", () =>
    Effect.gen(function* () {
      const failing: Effect.Effect<never, Busy | Broken> = new Busy({ process: 7 })
      const caught = yield* Effect.either(Effect.catchTag(failing, "Busy", ({ process }) => Effect.succeed(process)))
      assert.deepStrictEqual(caught, Either.right(7))
    }),
  )
})
