import { assert, describe, it } from "@effect/vitest"
import { Duration, Schema } from "effect"
import * as ModelErrors from "../../src/model/ModelError.ts"

const { ModelError } = ModelErrors

const message = "as it is"
const reasons: ReadonlyArray<ModelErrors.Reason> = [
  new ModelErrors.RateLimited({ message }),
  new ModelErrors.QuotaExhausted({ message }),
  new ModelErrors.Overloaded({ message }),
  new ModelErrors.Unreachable({ message }),
  new ModelErrors.StreamIncomplete({ message }),
  new ModelErrors.Unauthorized({ message }),
  new ModelErrors.Misconfigured({ message }),
  new ModelErrors.ModelNotFound({ message }),
  new ModelErrors.ContextOverflow({ message }),
  new ModelErrors.InvalidRequest({ message }),
  new ModelErrors.Blocked({ message }),
  new ModelErrors.Unusable({ message, correction: "Do better." }),
  new ModelErrors.Unsupported({ message }),
  new ModelErrors.Empty(),
  new ModelErrors.OutputLimit({ message }),
]

describe("ModelError", () => {
  it("is retryable for transient failures only", () => {
    const retryable = reasons.filter((reason) => new ModelError({ model: "a/b", reason }).isRetryable)
    assert.deepStrictEqual(
      retryable.map(({ _tag }) => _tag),
      ["RateLimited", "Overloaded", "Unreachable", "StreamIncomplete"],
    )
  })

  it("shows the delay that a provider asks for", () => {
    const hinted = (millis: number) =>
      new ModelError({
        model: "a/b",
        reason: new ModelErrors.Overloaded({ message, retryAfter: Duration.millis(millis) }),
      })
    assert.strictEqual(hinted(999).message, "a/b: as it is")
    assert.strictEqual(hinted(90_000).message, "a/b: as it is; it says to try again in 1m 30s")
  })

  it("round-trips through JSON, for every reason", () => {
    for (const reason of reasons) {
      const error = new ModelError({ model: "a/b", reason })
      const json: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(ModelError)(error)))
      assert.deepStrictEqual(Schema.decodeUnknownSync(ModelError)(json).reason, reason)
    }
  })
})
