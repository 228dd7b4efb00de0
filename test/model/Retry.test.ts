import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import * as Retry from "../../src/model/Retry.ts"

describe("Retry.describe", () => {
  it("has the delay with its unit, or says that there is none", () => {
    assert.strictEqual(Retry.describe(1, Duration.zero), "retry 1 at once")
    assert.strictEqual(Retry.describe(2, Duration.seconds(4)), "retry 2 in 4s")
    assert.strictEqual(Retry.describe(3, Duration.millis(500)), "retry 3 in 500ms")
  })
})
