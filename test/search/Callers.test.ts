import { assert, describe, it } from "@effect/vitest"
import * as Callers from "../../src/search/Callers.ts"

const weights = new Map([
  ["load", 1],
  ["config", 3],
])
const score = (names: ReadonlyArray<string>, impact = 0) => Callers.score(weights, new Set(names), () => impact)

describe("Callers.score", () => {
  it("grows with the weight of the words of the question that the callers are named after", () => {
    assert.strictEqual(score(["append"]), 0)
    assert.isAbove(score(["load"]), 0)
    assert.isAbove(score(["config"]), score(["load"]))
  })

  it("is less where the symbol has the word itself", () => {
    assert.isBelow(score(["config"], 200), score(["config"], 20))
    assert.isAtLeast(score(["config"], 255), 0)
  })

  it("is that of the caller that says most: the words of several add up to no description", () => {
    assert.strictEqual(score(["loadUsers", "parseConfig", "config"]), score(["config"]))
    assert.isAbove(score(["loadConfig"]), score(["load", "config"]))
  })

  it("never is as much as the word would be worth in the best document", () => {
    assert.isBelow(score(["configOne", "configTwo", "configThree"]), 3)
  })

  it("is 0 for a symbol that everything uses", () => {
    assert.strictEqual(score(Array.from({ length: Callers.MAX_CALLERS + 1 }, (_, n) => `config${n}`)), 0)
  })
})
