import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { clamp, contextWindow, type Limits, maxInput, unknown, unknownClaude } from "../../src/model/Limits.ts"

const count = FastCheck.integer({ min: 1, max: 2_000_000 })
const limits: FastCheck.Arbitrary<Limits> = FastCheck.record(
  { context: count, output: count, total: count },
  { requiredKeys: ["context", "output"] },
)
const input = FastCheck.integer({ min: 0, max: 3_000_000 })

describe("Limits.clamp", () => {
  it.each<readonly [requested: number, limits: Limits | undefined, input: number, expected: number]>([
    [999_999, { context: 128_000, output: 16_384 }, 0, 16_384],
    [40, { context: 100, output: 50 }, 90, 10],
    [20, { context: 100, output: 50 }, 150, 1],
    [100_000, undefined, 1000, 7192],
    [100, { context: 100, output: 100, total: 120 }, 50, 50],
    [100, { context: 100, output: 100, total: 60 }, 50, 10],
    [Number.POSITIVE_INFINITY, { context: 100, output: 50 }, 10, 50],
    [0, { context: 100, output: 50 }, 10, 1],
  ])("clamp(%d, %o, %d) is %d", (requested, limits, input, expected) => {
    assert.strictEqual(clamp(requested, limits, input), expected)
  })

  it("refuses a number that is NaN, and says which", () => {
    const limits = { context: 100, output: 50 }
    assert.throws(() => clamp(Number.NaN, limits, 10), "requested must be a number of tokens, and is NaN")
    assert.throws(() => clamp(10, { ...limits, context: Number.NaN }, 10), "context must be")
    assert.throws(() => clamp(10, { ...limits, total: Number.NaN }, 10), "total must be")
    assert.throws(() => clamp(10, limits, Number.NaN), "estimatedInput must be")
  })

  it("uses small limits for an unknown model", () => {
    assert.deepStrictEqual(unknown, { context: 8192, output: 8192, isAssumed: true })
  })

  it.prop(
    "is a positive integer within every limit that leaves room for one",
    [count, limits, input],
    ([requested, limits, input]) => {
      const clamped = clamp(requested, limits, input)
      assert.isTrue(Number.isInteger(clamped) && clamped >= 1)
      for (const cap of [requested, limits.output, limits.context - input, (limits.total ?? Infinity) - input]) {
        assert.isAtMost(clamped, Math.max(1, cap))
      }
    },
  )

  it.prop(
    "increases with the requested output and decreases with the input",
    [count, limits, input, FastCheck.nat(100_000)],
    ([requested, limits, input, more]) => {
      const clamped = clamp(requested, limits, input)
      assert.isAtLeast(clamp(requested + more, limits, input), clamped)
      assert.isAtMost(clamp(requested, limits, input + more), clamped)
      assert.strictEqual(clamp(clamped, limits, input), clamped)
    },
  )
})

describe("Limits.maxInput", () => {
  it.each<readonly [requested: number | undefined, limits: Limits | undefined, expected: number | undefined]>([
    [undefined, { context: 32_768, output: 8192 }, 28_672],
    [2000, { context: 32_768, output: 8192 }, 30_768],
    [999_999, { context: 32_768, output: 8192 }, 24_576],
    [undefined, { context: 4096, output: 4096 }, 3072],
    [undefined, { context: 272_000, output: 128_000, total: 400_000 }, 272_000],
    [undefined, { context: Number.POSITIVE_INFINITY, output: Number.POSITIVE_INFINITY }, undefined],
    [undefined, unknownClaude, 195_904],
    [undefined, unknown, undefined],
    [undefined, undefined, undefined],
  ])("maxInput(%d, %o) is %d", (requested, limits, expected) => {
    assert.strictEqual(maxInput(requested, limits), expected)
  })
})

describe("Limits.contextWindow", () => {
  it("is none where it is assumed, and where only the server can say it", () => {
    assert.strictEqual(contextWindow({ context: 32_768, output: 8192 }), 32_768)
    for (const limits of [undefined, unknown, { context: Number.POSITIVE_INFINITY, output: 8192 }]) {
      assert.isUndefined(contextWindow(limits))
    }
  })
})
