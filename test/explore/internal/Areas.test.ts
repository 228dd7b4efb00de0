/** How units are grouped by folder, with units of sizes that no source has by itself. */
import { assert, describe, it } from "@effect/vitest"
import * as Areas from "../../../src/explore/internal/Areas.ts"
import type { Unit } from "../../../src/explore/internal/BatchText.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"

/** A unit with a symbol and a number of tokens; the header of its file has one of them. */
const unit = (path: string, tokens: number, symbols = 1): Unit => {
  const entries = Array.from(
    { length: symbols },
    (_, n) =>
      new IndexEntry({
        path,
        name: `f${n}`,
        kind: "function",
        signature: `f${n}()`,
        startLine: n + 1,
        endLine: n + 1,
        hash: String(n),
        exported: true,
        isMajor: true,
        usedBy: 0,
      }),
  )
  const [entry] = entries
  if (entry === undefined) throw new Error("a unit has a symbol")
  const node = { entry, isOpen: true, isNamed: false, children: [] }
  return { path, around: [], symbols: entries, tokens, header: 1, context: 0, node, nested: true, lines: 30 }
}

const pathsOf = (units: ReadonlyArray<Unit>) => units.map(({ path }) => path).join(" ")

/** The full groups and the rest, by paths. */
const group = (units: ReadonlyArray<Unit>, limits: Areas.Limits) => {
  const { full, rest } = Areas.group(units, limits)
  return { full: full.map(pathsOf), rest: pathsOf(rest) }
}

const limits = { tokens: 100, symbols: 50 }

describe("Areas.group", () => {
  it("joins what folders leave over with what stands beside them", () => {
    assert.deepStrictEqual(group([unit("a/b/x", 30), unit("a/c/y", 30), unit("d/z", 10)], limits), {
      full: [],
      rest: "a/b/x a/c/y d/z",
    })
    assert.deepStrictEqual(group([unit("a/b/x", 50), unit("a/b/y", 50), unit("a/c/z", 30)], limits), {
      full: ["a/b/x a/b/y"],
      rest: "a/c/z",
    })
  })

  it("is full from four fifths of a limit, of tokens or of symbols", () => {
    assert.deepStrictEqual(group([unit("a/x", 80)], limits), { full: ["a/x"], rest: "" })
    assert.deepStrictEqual(group([unit("a/x", 79)], limits), { full: [], rest: "a/x" })
    assert.deepStrictEqual(group([unit("a/x", 10, 40)], limits), { full: ["a/x"], rest: "" })
    assert.deepStrictEqual(group([unit("a/x", 10, 39)], limits), { full: [], rest: "a/x" })
    assert.deepStrictEqual(group([], limits), { full: [], rest: "" })
  })

  it("does not divide a file where the group is nearly full without it, and does where it is not", () => {
    const file = [unit("a/y", 15), unit("a/y", 15)]
    assert.deepStrictEqual(group([unit("a/x", 80), ...file], limits), { full: ["a/x"], rest: "a/y a/y" })
    assert.deepStrictEqual(group([unit("a/x", 79), ...file], limits), { full: ["a/x a/y"], rest: "a/y" })
    // A file that has room joins a group that is nearly full.
    assert.deepStrictEqual(group([unit("a/x", 80), unit("a/y", 10), unit("a/y", 11)], limits), {
      full: ["a/x a/y a/y"],
      rest: "",
    })
    assert.deepStrictEqual(group([unit("a/x", 10, 40), unit("a/y", 1, 5), unit("a/y", 1, 6)], limits), {
      full: ["a/x"],
      rest: "a/y a/y",
    })
  })

  it("takes a limit for the most, and has room for a unit of any size alone", () => {
    assert.deepStrictEqual(group([unit("a", 40), unit("b", 30), unit("c", 30), unit("d", 1)], limits), {
      full: ["a b c"],
      rest: "d",
    })
    assert.deepStrictEqual(group([unit("a", 1, 20), unit("b", 1, 30), unit("c", 1)], limits), {
      full: ["a b"],
      rest: "c",
    })
    assert.deepStrictEqual(group([unit("a", 500), unit("b", 1, 70), unit("c", 1)], limits), {
      full: ["a", "b"],
      rest: "c",
    })
  })

  it("tells a folder from a file that has its name", () => {
    assert.deepStrictEqual(group([unit("a", 10), unit("a/b", 10), unit("c", 10)], limits), {
      full: [],
      rest: "a a/b c",
    })
  })
})

describe("Areas.sizeOf", () => {
  it("counts the header of a file once", () => {
    assert.deepStrictEqual(Areas.sizeOf([]), { tokens: 0, symbols: 0 })
    assert.deepStrictEqual(Areas.sizeOf([unit("a", 10, 2), unit("a", 10, 3)]), { tokens: 19, symbols: 5 })
    assert.deepStrictEqual(Areas.sizeOf([unit("a", 10), unit("b", 10)]), { tokens: 20, symbols: 2 })
    assert.deepStrictEqual(Areas.sizeOf([unit("a", 10)], unit("a", 5)), { tokens: 9, symbols: 1 })
  })
})

describe("Areas.areaOf", () => {
  it("is the only path, or the folder that all are in", () => {
    const areaOf = (...paths: ReadonlyArray<string>) => Areas.areaOf(paths.map((path) => unit(path, 1)))
    assert.strictEqual(areaOf(), ".")
    assert.strictEqual(areaOf("a/b/c.ts", "a/b/c.ts"), "a/b/c.ts")
    assert.strictEqual(areaOf("a/b/c.ts", "a/b/d.ts"), "a/b")
    assert.strictEqual(areaOf("a/b/c.ts", "a/b/d/e.ts"), "a/b")
    assert.strictEqual(areaOf("a/b/d/e.ts", "a/b/c.ts", "a/f.ts"), "a")
    assert.strictEqual(areaOf("a/b.ts", "c.ts"), ".")
    assert.strictEqual(areaOf("a/b/c.ts", "d/b/c.ts"), ".")
    assert.strictEqual(areaOf("ab/c.ts", "a/c.ts"), ".")
  })
})
