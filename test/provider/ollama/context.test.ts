import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Context from "../../../src/provider/ollama/context.ts"

describe("context size", () => {
  it.prop(
    "is less than twice what is needed, within the model's maximum and current size",
    [FastCheck.integer({ min: 1, max: 1_000_000 }), FastCheck.integer({ min: 1, max: 1_000_000 })],
    ([needed, limit]) => {
      const free = Context.contextSize(needed, Context.unknownContext)
      assert.isAtLeast(free, needed)
      assert.isBelow(free, 2 * Math.max(needed, Context.MIN_CONTEXT))
      assert.strictEqual(Context.contextSize(needed, { limit, current: undefined }), Math.min(free, limit))
      assert.strictEqual(Context.contextSize(needed, { limit: undefined, current: limit }), Math.max(free, limit))
    },
  )

  it("leaves room for the requested output, up to a limit", () => {
    assert.strictEqual(Context.tokensNeeded(1000, undefined), 3048)
    assert.strictEqual(Context.tokensNeeded(1000, 5000), 6000)
    assert.strictEqual(Context.tokensNeeded(1000, 1_000_000), 17_384)
  })

  it("parses the server's model information, and ignores malformed information", () => {
    const shown = {
      model_info: { "general.file_type": 2, "llama.context_length": 131_072 },
      parameters: 'num_ctx   8192\nstop "x"',
    }
    const loaded = {
      models: [
        { name: "other:latest", context_length: 1 },
        { name: "llama3:latest", context_length: 4096 },
      ],
    }
    assert.deepStrictEqual(Context.parseContext("llama3", shown, loaded), { limit: 131_072, current: 8192 })
    assert.deepStrictEqual(Context.parseContext("llama3", {}, loaded), { limit: undefined, current: 4096 })
    assert.deepStrictEqual(Context.parseContext("llama3", { model_info: null }, null), Context.unknownContext)
  })
})
