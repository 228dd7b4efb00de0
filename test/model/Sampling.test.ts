import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { check, type Sampling } from "../../src/model/Sampling.ts"

const messageFor = (provider: string, sampling: Sampling) =>
  Either.flip(check(provider, sampling)).pipe(Either.getOrNull)

describe("Sampling.check", () => {
  it.each<readonly [provider: string, temperature: number]>([
    ["google", 0],
    ["google", 2],
    ["openai", 2],
    ["anthropic", 1],
    ["some-other", 5],
  ])("allows %s a temperature of %d", (provider, temperature) => {
    assert.isNull(messageFor(provider, { temperature }))
  })

  it.each<readonly [provider: string, temperature: number, range: string]>([
    ["google", 2.1, "from 0 to 2 at google"],
    ["openai", 3, "from 0 to 2 at openai"],
    ["anthropic", 1.5, "from 0 to 1 at anthropic"],
    ["google", -0.1, "from 0 to 2"],
    ["some-other", -1, "from 0 on"],
    ["some-other", Number.NaN, "from 0 on"],
  ])("names the range of %s for a temperature of %d", (provider, temperature, range) => {
    assert.include(messageFor(provider, { temperature }), range)
    assert.include(messageFor(provider, { temperature }), String(temperature))
  })

  it("checks the other parameters too, and only those that are set", () => {
    assert.include(messageFor("google", { topP: 1.5 }), "topP")
    for (const maxOutputTokens of [0, -1, 1.5, Number.NaN]) {
      assert.include(messageFor("google", { maxOutputTokens }), String(maxOutputTokens))
    }
    assert.isNull(messageFor("google", { topP: 1, maxOutputTokens: 1 }))
    assert.isNull(messageFor("google", {}))
  })

  it.prop(
    "rejects exactly what is out of range",
    [
      FastCheck.constantFrom(
        { provider: "google", most: 2 },
        { provider: "openai", most: 2 },
        { provider: "anthropic", most: 1 },
      ),
      FastCheck.double(),
    ],
    ([{ most, provider }, temperature]) => {
      assert.strictEqual(messageFor(provider, { temperature }) === null, temperature >= 0 && temperature <= most)
    },
  )
})
