import { assert, describe, it } from "@effect/vitest"
import type { Content } from "@google/genai"
import { FastCheck } from "effect"
import { withContents } from "../../../src/provider/gemini/body.ts"

const textOf = (body: string, contents: ReadonlyArray<Content>) =>
  new TextDecoder("utf-8", { fatal: true }).decode(withContents(body, contents))

const hello: Content = { role: "user", parts: [{ text: "größer 🚀" }] }

describe("withContents", () => {
  it("replaces the contents of the SDK's body", () => {
    const sdk = '{"contents":[{"parts":[{"text":""}]}],"generationConfig":{"temperature":0}}'
    assert.strictEqual(
      textOf(sdk, [hello, { role: "model", parts: [] }]),
      `{"contents":[${JSON.stringify(hello)},{"role":"model","parts":[]}],"generationConfig":{"temperature":0}}`,
    )
  })

  it("writes a body of contents alone", () => {
    assert.strictEqual(textOf('{"contents":[]}', [hello]), `{"contents":[${JSON.stringify(hello)}]}`)
    assert.strictEqual(textOf("{}", []), '{"contents":[]}')
  })

  const text = FastCheck.fullUnicodeString()
  const contents = FastCheck.array(
    FastCheck.record({
      role: FastCheck.constantFrom("user", "model"),
      parts: FastCheck.array(FastCheck.record({ text })),
    }),
  )

  it.prop(
    "equals a new serialisation, however often the same contents are sent",
    [FastCheck.dictionary(text, FastCheck.jsonValue()), contents],
    ([rest, contents]) => {
      const body = JSON.stringify({ ...rest, contents: [{ parts: [{ text: "" }] }] })
      for (const count of [contents.length, contents.length >> 1, contents.length]) {
        const sent = contents.slice(0, count)
        assert.deepStrictEqual(JSON.parse(textOf(body, sent)), { ...JSON.parse(body), contents: sent })
      }
    },
  )
})
