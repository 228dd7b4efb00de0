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
  const long = "where one two three four five six seven are"
  const boostOf = (path: string, of: ReadonlyMap<string, number> = weights, text = long) =>
    FileName.reader(text, of, () => path).boost(1)

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

  it("raises files whose names have a word of a short question, the more of the name it is", () => {
    const [short, longer] = ["retry policy", "retry policy one two three four five six"]
    const boostIn = (text: string, path: string) => boostOf(path, weights, text)
    assert.isAbove(boostIn(short, "src/retryPolicyTable.ts"), boostIn(short, "src/retryTable.ts"))
    assert.isAbove(boostIn(short, "src/retryTable.ts"), 1)
    assert.isAbove(boostIn(short, "src/retryTable.ts"), boostIn(`${short} of sent requests`, "src/retryTable.ts"))
    assert.strictEqual(boostIn(longer, "src/retryTable.ts"), 1)
    assert.strictEqual(boostIn(short, "src/cache.ts"), 1)
  })

  it("raises a file whose name the question writes with a capital letter, however long the question is", () => {
    const boostIn = (text: string, path: string) => boostOf(path, weights, `${text} ${long}`)
    assert.isAbove(
      boostIn("how the Policy is read", "src/policy.ts"),
      boostIn("how the policy is read", "src/policy.ts"),
    )
    assert.isAbove(boostIn("how RetryPolicy is read", "src/retry_policy.py"), boostIn("", "src/retry_policy.py"))
    assert.strictEqual(boostIn("how the Policy is read", "src/policyTable.ts"), 1)
    assert.strictEqual(boostIn("A plan", "src/a.ts"), 1)
  })

  it.prop(
    "is between 1 and 2.5",
    [FastCheck.dictionary(FastCheck.string(), FastCheck.nat()), FastCheck.string(), FastCheck.string()],
    ([words, path, text]) => {
      const boost = boostOf(path, new Map(Object.entries(words)), text)
      assert.isTrue(boost >= 1 && boost <= 2.5)
    },
  )
})
