import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as ModelId from "../../src/message/ModelId.ts"

describe("ModelId.parse", () => {
  it.each([
    ["google/gemini-2.5-flash", "google", "gemini-2.5-flash"],
    ["openrouter/anthropic/claude-3", "openrouter", "anthropic/claude-3"],
    ["ollama/qwen2.5-coder:7b", "ollama", "qwen2.5-coder:7b"],
    ["  google/gemini-2.5-flash\n", "google", "gemini-2.5-flash"],
    ["offline", "offline", "offline"],
  ])("parses %j", (text, provider, name) => {
    assert.deepStrictEqual(ModelId.parse(text), Either.right(new ModelId.ModelId({ provider, name })))
  })

  it.each(["", " ", "/", "/x", "x/", " / ", "x/ "])("refuses %j", (text) => {
    assert.deepStrictEqual(ModelId.parse(text), Either.left(`a model is written PROVIDER/NAME, not "${text}"`))
  })

  it.prop(
    "parses its own string form",
    [FastCheck.array(FastCheck.constantFrom("/", " ", "a", "b.5", ":"), { maxLength: 8 })],
    ([pieces]) => {
      const parsed = ModelId.parse(pieces.join(""))
      if (Either.isRight(parsed)) assert.deepStrictEqual(ModelId.parse(String(parsed.right)), parsed)
    },
  )
})

describe("ModelId", () => {
  it("is converted to a string as users write it", () => {
    assert.strictEqual(
      String(new ModelId.ModelId({ provider: "openrouter", name: "anthropic/claude-3" })),
      "openrouter/anthropic/claude-3",
    )
    assert.strictEqual(String(new ModelId.ModelId({ provider: "offline", name: "offline" })), "offline")
  })
})
