import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as FileName from "../../src/search/FileName.ts"

describe("FileName.of", () => {
  it.each([
    ["src/forest/Query.ts", "Query"],
    ["Makefile", "Makefile"],
    ["a.b/test.config.js", "test.config"],
    ["src/extract/mod.rs", "extract"],
    ["flask/json/__init__.py", "json"],
    ["index.ts", "index"],
  ])("of %s is %s", (path, name) => {
    assert.strictEqual(FileName.of(path), name)
  })
})

describe("FileName.reader", () => {
  const weights = new Map([
    ["retri", 4],
    ["polici", 4],
    ["request", 1],
    ["send", 3],
  ])
  const boostOf = (path: string, of: ReadonlyMap<string, number> = weights) => FileName.reader(of, () => path).boost(1)

  it("raises files whose whole name is in the question, the more of the question it is", () => {
    assert.isAbove(boostOf("src/retryPolicy.ts"), boostOf("src/send.ts"))
    assert.isAbove(boostOf("src/send.ts"), boostOf("src/request.ts"))
    assert.isAbove(boostOf("src/request.ts"), 1)
  })

  it("counts the folder of such a file", () => {
    assert.isAbove(boostOf("send/request.ts"), boostOf("src/request.ts"))
    assert.strictEqual(boostOf("retry/cache.ts"), 1)
  })

  it("takes a shortened word, and other forms of a word, for the word", () => {
    const [shortened, whole] = [new Map([["configur", 1]]), new Map([["util", 1]])]
    assert.isAbove(boostOf("src/config.ts", shortened), 1)
    assert.isAbove(boostOf("src/utility.ts", whole), 1)
    assert.strictEqual(boostOf("src/con.ts", shortened), 1)
    assert.strictEqual(boostOf("src/figure.ts", shortened), 1)
  })

  it("leaves files whose name has another word, no word, or nothing of the question", () => {
    for (const path of ["src/retryPolicyTable.ts", "src/_.ts", "src/cache.ts"]) assert.strictEqual(boostOf(path), 1)
    assert.strictEqual(boostOf("src/request.ts", new Map()), 1)
  })

  it.prop(
    "is between 1 and 1.5",
    [FastCheck.dictionary(FastCheck.string(), FastCheck.nat()), FastCheck.string()],
    ([words, path]) => {
      const boost = boostOf(path, new Map(Object.entries(words)))
      assert.isTrue(boost >= 1 && boost <= 1.5)
    },
  )
})
