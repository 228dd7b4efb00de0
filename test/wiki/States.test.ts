import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import type { Citation, Page, Statement } from "../../src/wiki/Page.ts"
import * as States from "../../src/wiki/States.ts"

const entry = (path: string, name: string, hash: string, tokens: string | undefined = undefined) =>
  new IndexEntry({
    path,
    name,
    kind: "function",
    startLine: 1,
    endLine: 2,
    signature: name,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash,
    tokens,
  })

const present: States.Present = {
  symbols: new Map([
    [
      "a.ts",
      [
        entry("a.ts", "load", "h1", "t1"),
        entry("a.ts", "set", "s1"),
        entry("a.ts", "set", "s2"),
        entry("a.ts", "x", ""),
      ],
    ],
  ]),
  named: new Map([["gone", [entry("c.ts", "gone", "g0"), entry("b.ts", "gone", "g1")]]]),
  files: new Map([
    ["a.ts", "f1"],
    ["lib/moved.md", "m1"],
  ]),
}

const resolve = (citation: Citation) => {
  const { citation: next, state } = States.resolve(citation, present)
  return [state, next] as const
}

describe("States.resolve", () => {
  it("holds while hash or tokens are those of the symbol, and records its present layout", () => {
    const cited = { path: "a.ts", symbol: "load" }
    assert.deepStrictEqual(resolve({ ...cited, hash: "h1" }), ["holds", { ...cited, hash: "h1", tokens: "t1" }])
    assert.deepStrictEqual(resolve({ ...cited, hash: "h0", tokens: "t1" }), [
      "holds",
      { ...cited, hash: "h1", tokens: "t1" },
    ])
  })

  it("records the present source of a citation that a person wrote", () => {
    assert.deepStrictEqual(resolve({ path: "a.ts", symbol: "set", ordinal: 1 }), [
      "holds",
      { path: "a.ts", symbol: "set", ordinal: 1, hash: "s2" },
    ])
  })

  it("is touched if the source differs, and keeps the hash of the earlier one", () => {
    const cited = { path: "a.ts", symbol: "load", hash: "h0", tokens: "t0" }
    assert.deepStrictEqual(resolve(cited), ["touched", cited])
  })

  it("follows a symbol to another file, and to another place among those of its name", () => {
    assert.deepStrictEqual(resolve({ path: "old.ts", symbol: "gone", hash: "g1" }), [
      "moved",
      { path: "b.ts", symbol: "gone", hash: "g1" },
    ])
    assert.deepStrictEqual(resolve({ path: "a.ts", symbol: "set", ordinal: 1, hash: "s1" }), [
      "moved",
      { path: "a.ts", symbol: "set", hash: "s1" },
    ])
  })

  it("is gone if no symbol of that name has the source", () => {
    assert.strictEqual(resolve({ path: "old.ts", symbol: "gone", hash: "g9" })[0], "gone")
    assert.strictEqual(resolve({ path: "a.ts", symbol: "set", ordinal: 2, hash: "s3" })[0], "gone")
    assert.strictEqual(resolve({ path: "a.ts", symbol: "none" })[0], "gone")
  })

  it("judges a file as a whole by its text, and follows it to another folder", () => {
    assert.deepStrictEqual(resolve({ path: "a.ts", hash: "f1" }), ["holds", { path: "a.ts", hash: "f1" }])
    assert.deepStrictEqual(resolve({ path: "a.ts" }), ["holds", { path: "a.ts", hash: "f1" }])
    assert.strictEqual(resolve({ path: "a.ts", hash: "f0" })[0], "touched")
    assert.deepStrictEqual(resolve({ path: "docs/moved.md", hash: "m1" }), [
      "moved",
      { path: "lib/moved.md", hash: "m1" },
    ])
    assert.strictEqual(resolve({ path: "docs/other.md", hash: "m1" })[0], "gone")
  })
})

describe("States.stateOf", () => {
  const states: States.States = { of: (citation) => States.resolve(citation, present) }
  const touched = { path: "a.ts", symbol: "load", hash: "h0" }
  const gone = { path: "a.ts", symbol: "none" }
  const moved = { path: "old.ts", symbol: "gone", hash: "g1" }
  const claim = (...citations: ReadonlyArray<Citation>): Statement => ({
    text: "x",
    kind: "claim",
    author: "model",
    citations,
  })

  it("is the worst of its citations", () => {
    assert.strictEqual(States.stateOf(claim(touched, gone, moved), states), "gone")
    assert.strictEqual(States.stateOf(claim(moved, touched), states), "touched")
    assert.strictEqual(States.stateOf(claim(moved), states), "moved")
    assert.strictEqual(States.stateOf(claim(), states), "holds")
  })

  it("is unchecked behind what has changed, and before what was moved", () => {
    assert.strictEqual(States.stateOf({ ...claim(moved), unchecked: "undecided" }, states), "unchecked")
    assert.strictEqual(States.stateOf({ ...claim(touched), unchecked: "due" }, states), "touched")
  })

  it("is stale only if a model has said so", () => {
    assert.strictEqual(States.stateOf({ ...claim(touched), stale: "It loads later." }, states), "stale")
  })

  it("concerns a pointer only if something is gone", () => {
    assert.strictEqual(States.stateOf({ ...claim(touched), kind: "pointer" }, states), "holds")
    assert.strictEqual(States.stateOf({ ...claim(gone), kind: "pointer" }, states), "gone")
  })

  it("lets the links of a page follow", () => {
    const page: Page = {
      name: "a",
      kind: "part",
      title: "A",
      sections: [{ form: "text", blocks: [[claim(moved, touched)]] }],
    }
    assert.deepStrictEqual(States.follow(page, states).sections[0]?.blocks[0]?.[0]?.citations, [
      { path: "b.ts", symbol: "gone", hash: "g1" },
      touched,
    ])
  })
})

describe("States.read", () => {
  it.effect("reads nothing of an index for pages that cite nothing, such as those of a project without a wiki", () =>
    States.read(
      {
        files: Effect.dieMessage("files are read"),
        find: () => Effect.dieMessage("symbols are read"),
        symbolsIn: () => Effect.dieMessage("symbols are read"),
      },
      [],
      () => Effect.dieMessage("a file is read"),
    ),
  )
})
