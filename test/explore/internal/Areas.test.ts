/** How units are grouped by folder, with units of sizes that no source has by itself. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Areas from "../../../src/explore/internal/Areas.ts"
import type { Unit } from "../../../src/explore/internal/BatchText.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import { cases } from "../../thoroughness.ts"

/** A unit with a symbol and a number of tokens; the header of its file has one of them. */
const unit = (path: string, tokens: number, symbols = 1, names = [`${path} ${tokens} ${symbols}`]): Unit => {
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
  return { path, names, around: [], symbols: entries, tokens, header: 1, context: 0, node, nested: true, lines: 30 }
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
    const file = [unit("a/y", 18), unit("a/y", 17)]
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

  it("keeps a file of a third of a limit together", () => {
    // The file has 33 tokens in the first case and 34 in the second, its header included once.
    assert.deepStrictEqual(group([unit("a/x", 79), unit("a/y", 20), unit("a/y", 14)], limits), {
      full: ["a/x"],
      rest: "a/y a/y",
    })
    assert.deepStrictEqual(group([unit("a/x", 79), unit("a/y", 20), unit("a/y", 15)], limits), {
      full: ["a/x a/y"],
      rest: "a/y",
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

  it("sends no group of less than two thirds because the next thing is large", () => {
    // A large thing is a group by itself, and one of middle size waits for the next group.
    assert.deepStrictEqual(group([unit("a", 66), unit("b", 67), unit("c", 20)], limits), {
      full: ["b", "a c"],
      rest: "",
    })
    assert.deepStrictEqual(group([unit("a", 67), unit("b", 67), unit("c", 20)], limits), {
      full: ["a", "b c"],
      rest: "",
    })
    assert.deepStrictEqual(group([unit("a", 66), unit("b", 66), unit("c", 30), unit("d", 34)], limits), {
      full: ["a c", "b d"],
      rest: "",
    })
    assert.deepStrictEqual(group([unit("a", 60), unit("b", 60)], limits), { full: [], rest: "a b" })
  })

  it("tells a folder from a file that has its name", () => {
    assert.deepStrictEqual(group([unit("a", 10), unit("a/b", 10), unit("c", 10)], limits), {
      full: [],
      rest: "a a/b c",
    })
  })
})

describe("Areas.pack", () => {
  it("makes one group of what fits, and few of what does not", () => {
    assert.deepStrictEqual(Areas.pack([], limits), [])
    assert.deepStrictEqual(Areas.pack([unit("a", 60), unit("b", 40)], limits).map(pathsOf), ["a b"])
    assert.deepStrictEqual(
      Areas.pack([unit("a", 60), unit("b", 60), unit("c", 41), unit("d", 40)], limits).map(pathsOf),
      ["a d", "b", "c"],
    )
  })
})

describe("Areas.divide", () => {
  const member = (name: string, symbols = 1) => unit("a", 2, symbols, name === "" ? ["C"] : ["C", `C.${name}`])
  const namesOf = (groups: ReadonlyArray<Areas.Group>) =>
    groups.map((units) => units.map(({ names }) => names.join(">")).join(" "))

  it("keeps a class together, and divides one that exceeds a request in order, with overloads together", () => {
    const units = [member("", 2), member("x", 2), member("y", 2), member("x", 2)]
    assert.deepStrictEqual(namesOf(Areas.divide(units, { tokens: 100, symbols: 8 })), ["C C>C.x C>C.y C>C.x"])
    assert.deepStrictEqual(namesOf(Areas.divide(units, { tokens: 100, symbols: 7 })), ["C", "C>C.x C>C.x", "C>C.y"])
    assert.deepStrictEqual(namesOf(Areas.divide(units, { tokens: 100, symbols: 3 })), ["C", "C>C.x", "C>C.x", "C>C.y"])
  })

  it("keeps classes of one name in two files apart", () => {
    const other = unit("b", 2, 1, ["C"])
    assert.strictEqual(Areas.divide([member(""), other, member("x")], limits).length, 2)
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

const limit = { tokens: 1_000, symbols: 120 }

/** A unit of a random size, in a class or not; some names are overloaded, and some classes are too large. */
const randomUnit = FastCheck.record({
  path: FastCheck.constantFrom("a/b/x", "a/b/y", "a/z", "c"),
  names: FastCheck.oneof(
    FastCheck.constantFrom("f", "g", "C", "D").map((name) => [name]),
    FastCheck.tuple(FastCheck.constantFrom("C", "D"), FastCheck.constantFrom("m", "n", "o", "Inner")).map(
      ([container, name]) => [container, `${container}.${name}`],
    ),
  ),
  tokens: FastCheck.integer({ min: 5, max: 300 }),
  symbols: FastCheck.integer({ min: 1, max: 24 }),
}).map(({ names, path, symbols, tokens }) => unit(path, tokens, symbols, names))

const randomUnits = FastCheck.array(randomUnit, { maxLength: 80, size: "max" }).map((units) =>
  units.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0)),
)

describe("laws of Areas", () => {
  const exceeds = (size: Areas.Limits) => size.tokens > limit.tokens || size.symbols > limit.symbols
  const reachesTwoThirds = ({ symbols, tokens }: Areas.Limits) => tokens >= (2 / 3) * limit.tokens || symbols >= 80

  it.prop(
    "lose no unit, keep what belongs together in one request, and fill requests by two thirds",
    [randomUnits],
    ([units]) => {
      const { full, rest } = Areas.group(units, limit)
      const last = Areas.pack(rest, limit)
      const groups = [...full, ...last]
      const positions = groups.flat().map((each) => units.indexOf(each))
      assert.deepStrictEqual(
        positions.toSorted((one, other) => one - other),
        Array.from(units.keys()),
      )
      for (const group of groups) assert.isTrue(group.length === 1 || !exceeds(Areas.sizeOf(group)))
      for (const group of full) assert.isTrue(reachesTwoThirds(Areas.sizeOf(group)))
      const groupOf = new Map(groups.flatMap((group, at) => group.map((each) => [each, at] as const)))
      for (const depth of [0, 1]) {
        const things = Map.groupBy(
          units.filter(({ names }) => names.length > depth),
          ({ names, path }) => `${path} ${names[depth]}`,
        )
        for (const thing of things.values()) {
          const requests = new Set(thing.map((each) => groupOf.get(each)))
          assert.isTrue(requests.size <= 1 || exceeds(Areas.sizeOf(thing)))
        }
      }
      assert.deepStrictEqual(Areas.group(units, limit), { full, rest })
    },
    { fastCheck: { numRuns: cases(300) } },
  )
})
