import { assert, describe, it } from "@effect/vitest"
import * as EvaluationCache from "../../../../src/index/IndexStore/internal/references/Evaluator/EvaluationCache.ts"

/** A cache over expressions that are sums of others, with the expressions that were computed. */
const sums = (terms: Readonly<Record<string, ReadonlyArray<string>>>) => {
  const cache = EvaluationCache.make<number>()
  const computed: Array<string> = []
  const compute = (file: number, expression: string): number => {
    computed.push(expression)
    cache.noteRead(file)
    return (terms[expression] ?? []).reduce((sum, term) => sum + (evaluate(term, file + 1) ?? 0), 1)
  }
  const evaluate = (expression: string, file = 1) => cache.valueOf(file, expression, compute)
  return { cache, computed, evaluate }
}

/** Expressions of which each depends on the next. */
const chain = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, n) => [`e${n}`, n === length - 1 ? [] : [`e${n + 1}`]]))

describe("an evaluation cache", () => {
  it("computes a value once, and has the files that were read for it each time", () => {
    const { cache, computed, evaluate } = sums({ a: ["b", "c"] })
    assert.strictEqual(evaluate("a"), 3)
    assert.deepStrictEqual(cache.takeRead(), [1, 2])
    assert.deepStrictEqual(cache.takeRead(), [])
    assert.strictEqual(evaluate("a"), 3)
    assert.deepStrictEqual(cache.takeRead(), [1, 2])
    assert.strictEqual(evaluate("b", 2), 1)
    assert.deepStrictEqual(cache.takeRead(), [2])
    assert.deepStrictEqual(computed, ["a", "b", "c"])
    // The same expression of another file is another one.
    evaluate("b", 3)
    assert.lengthOf(computed, 4)
  })

  it("keeps files apart that were read for a value and before it", () => {
    const { cache, evaluate } = sums({})
    cache.noteRead(7)
    cache.noteRead(7)
    evaluate("a")
    assert.deepStrictEqual(cache.takeRead(), [7, 1])
    evaluate("a")
    assert.deepStrictEqual(cache.takeRead(), [1])
  })

  it("keeps the outermost value of a circle, and none that depends on an unfinished one", () => {
    const cache = EvaluationCache.make<string>()
    const computed: Array<string> = []
    const terms: Readonly<Record<string, string>> = { a: "b", b: "c", c: "b", d: "d" }
    const evaluate = (expression: string): string | undefined =>
      cache.valueOf(1, expression, (_, name) => {
        computed.push(name)
        return `${name}${evaluate(terms[name] ?? "") ?? "?"}`
      })
    assert.strictEqual(evaluate("a"), "abc?")
    assert.strictEqual(evaluate("b"), "bc?")
    assert.deepStrictEqual(computed, ["a", "b", "c"])
    // Begun elsewhere, the circle has another value.
    assert.strictEqual(evaluate("c"), "cbc?")
    assert.strictEqual(evaluate("d"), "d?")
    assert.strictEqual(evaluate("d"), "d?")
    assert.deepStrictEqual(computed, ["a", "b", "c", "c", "d"])
  })

  it("evaluates expressions that depend on 59 others one in another, and keeps none that was cut short", () => {
    const deep = sums(chain(EvaluationCache.MAX_DEPTH))
    assert.strictEqual(deep.evaluate("e0"), 60)
    assert.strictEqual(deep.evaluate("e0"), 60)
    assert.lengthOf(deep.computed, 60)
    const deeper = sums(chain(EvaluationCache.MAX_DEPTH + 1))
    assert.strictEqual(deeper.evaluate("e0"), 60)
    assert.lengthOf(deeper.computed, 60)
    assert.strictEqual(deeper.evaluate("e0"), 60)
    assert.lengthOf(deeper.computed, 120)
    // The cache keeps an evaluation again that was not cut short.
    assert.strictEqual(deeper.evaluate("e10", 11), 51)
    assert.strictEqual(deeper.evaluate("e10", 11), 51)
    assert.lengthOf(deeper.computed, 120 + 51)
  })

  it("forgets the values of one file", () => {
    const { cache, computed, evaluate } = sums({})
    for (const file of [1, 2]) evaluate("a", file)
    cache.forget(1)
    cache.forget(3)
    for (const file of [1, 2]) evaluate("a", file)
    assert.lengthOf(computed, 3)
  })

  it("keeps 50,000 values, and forgets all with the next one", () => {
    const { cache, computed, evaluate } = sums({})
    const fill = (file: number, count: number) => {
      for (let n = 0; n < count; n++) evaluate(`e${n}`, file)
    }
    fill(1, 100)
    fill(2, 49_900)
    fill(1, 100)
    assert.lengthOf(computed, 50_000)
    cache.forget(1)
    fill(1, 100)
    fill(2, 1)
    assert.lengthOf(computed, 50_100)
    fill(3, 1)
    fill(2, 1)
    assert.lengthOf(computed, 50_102)
  })
})
