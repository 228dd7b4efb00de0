import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as History from "../../../src/model/History.ts"
import { estimateTokens, makeEncoder } from "../../../src/provider/ollama/request.ts"
import { messages } from "../../message/Messages.ts"
import { brokenBy } from "../../utils/OllamaRules.ts"

describe("makeEncoder, for any history", () => {
  it.prop("breaks no rule of the wire", [messages], ([path]) => {
    const { messages } = makeEncoder("qwen3")({ system: "Be brief.", messages: History.repair(path), tools: [] })
    assert.isUndefined(brokenBy(messages))
  })

  it.prop(
    "is independent of earlier requests, and so is its estimate",
    [messages, FastCheck.nat(12)],
    ([path, cut]) => {
      const request = (messages: typeof path) => ({ system: "", messages, tools: [] })
      const encode = makeEncoder("qwen3")
      estimateTokens(encode(request(path.slice(0, cut))))
      const again = encode(request(path))
      const anew = makeEncoder("qwen3")(request(path))
      assert.deepStrictEqual(again, anew)
      assert.strictEqual(estimateTokens(again), estimateTokens(anew))
    },
  )
})
