import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { GraphSymbol, SymbolGraph } from "../../../src/index/IndexStore.ts"
import * as Candidates from "../../../src/wiki/flows/Candidates.ts"

const symbol = (path: string, qualifiedName: string, more: Partial<GraphSymbol> = {}): GraphSymbol => ({
  path,
  qualifiedName,
  startLine: 1,
  isCallable: true,
  isExported: true,
  isOffered: false,
  isUsedOutside: false,
  usedBy: 1,
  ...more,
})

const part = (...files: ReadonlyArray<string>) => ({ name: files[0] ?? "", files })

const graphOf = (symbols: ReadonlyArray<GraphSymbol>) => ({
  files: Array.from(new Set(symbols.map(({ path }) => path))).sort(),
  hubs: new Set<string>(),
})

/** `load` of the entry file calls `read` and `parse`; `probe` has no caller, and calls `read`. */
const symbols = [
  symbol("index.ts", "load", { isOffered: true }),
  symbol("read.ts", "read"),
  symbol("parse.ts", "parse"),
  symbol("probe.ts", "probe", { usedBy: 0 }),
  symbol("probe.ts", "onSave"),
]
const graph: SymbolGraph = { symbols, uses: [[1, 2], [2], [], [1], [1]] }
const parts = [part("index.ts", "parse.ts"), part("read.ts"), part("probe.ts")]
const find = (graph: SymbolGraph) => Candidates.find(graph, graphOf(graph.symbols), parts)

describe("Candidates.find", () => {
  it("prefers what the project offers, then handlers, then what has no caller, by the parts that it reaches", () => {
    assert.deepStrictEqual(
      find(graph).map(({ parts, qualifiedName, reason }) => [qualifiedName, reason, parts]),
      [
        ["load", "offered", 2],
        ["onSave", "handler", 3],
        ["probe", "uncalled", 3],
      ],
    )
  })

  const reasonsOf = (symbols: ReadonlyArray<GraphSymbol>, shown: ReadonlySet<string> = new Set()) =>
    Candidates.find({ ...graph, symbols }, graphOf(symbols), parts, { shown }).map(({ qualifiedName, reason }) => [
      qualifiedName,
      reason,
    ])
  const rename = (name: string, more: Partial<GraphSymbol>) =>
    symbols.map((one) => (one.qualifiedName === name ? { ...one, ...more } : one))

  it("begins with the function that a manifest names, before others that are called main", () => {
    const two = rename("probe", { qualifiedName: "main", path: "tool.ts" }).map((one) =>
      one.qualifiedName === "load" ? { ...one, qualifiedName: "cli" } : one,
    )
    const begins = (entries?: Candidates.Known["entries"]) =>
      Candidates.find({ ...graph, symbols: two }, graphOf(two), [...parts, part("tool.ts")], { entries }).map(
        ({ qualifiedName, reason }) => [qualifiedName, reason],
      )
    assert.deepStrictEqual(begins()[0], ["main", "main"])
    assert.deepStrictEqual(begins([{ path: "index.ts", symbol: "cli" }]).slice(0, 2), [
      ["cli", "main"],
      ["main", "main"],
    ])
    // An entry that names no function begins at the `main` of its file.
    assert.deepStrictEqual(begins([{ path: "tool.ts" }])[0], ["main", "main"])
  })

  it("takes what the documents say that users do, though code calls it too, before what only has no caller", () => {
    const found = (actions: ReadonlyMap<string, number>) =>
      Candidates.find(
        {
          ...graph,
          symbols: rename("read", { qualifiedName: "import", usedBy: 2 }),
          uses: [[1, 2], [2, 3], [], [1], [1]],
        },
        graphOf(symbols),
        parts,
        { actions },
      ).flatMap(({ qualifiedName, reason }) => (qualifiedName === "import" ? [reason] : []))
    assert.deepStrictEqual(found(new Map([["import", 4]])), ["action"])
    assert.deepStrictEqual(found(new Map([["export", 4]])), [])
  })

  it("begins with the start of a program, and ends with what a language calls by itself", () => {
    assert.deepStrictEqual(reasonsOf(rename("probe", { qualifiedName: "main" }))[0], ["main", "main"])
    assert.deepStrictEqual(reasonsOf(rename("load", { qualifiedName: "Loader.__init__" })).at(-1), [
      "Loader.__init__",
      "implicit",
    ])
  })

  it("takes what tests and examples use, or the README calls, though code calls it too", () => {
    const within = { ...graph, uses: [[1, 2], [2], [], [0, 1], [1]] }
    const of = (symbols: ReadonlyArray<GraphSymbol>, shown?: ReadonlySet<string>) =>
      Candidates.find({ ...within, symbols }, graphOf(symbols), parts, { shown }).find(
        ({ qualifiedName }) => qualifiedName === "load",
      )?.reason
    assert.isUndefined(of(rename("load", { isOffered: false, usedBy: 3 })))
    assert.strictEqual(of(rename("load", { isOffered: false, usedBy: 4 })), "used")
    assert.strictEqual(of(rename("load", { isOffered: false }), new Set(["load"])), "used")
    const alike = Array.from({ length: 4 }, (_, n) => symbol(`other${n}.ts`, `Other${n}.load`))
    const many = [...rename("load", { isOffered: false }), ...alike]
    const found = Candidates.find(
      { symbols: many, uses: [...within.uses, ...alike.map(() => [])] },
      graphOf(many),
      parts,
      { shown: new Set(["load"]) },
    )
    assert.isUndefined(found.find(({ qualifiedName }) => qualifiedName === "load"))
  })

  it("does not take what registers something, or a module imports at its top, for a handler", () => {
    assert.deepStrictEqual(reasonsOf(rename("probe", { qualifiedName: "addHandler" })).at(-1), [
      "addHandler",
      "uncalled",
    ])
    const imported = rename("load", { isOffered: false, isUsedOutside: true })
    const uses = [[1, 2], [2], [], [0, 1], [1]]
    const found = Candidates.find({ symbols: imported, uses }, graphOf(imported), parts)
    assert.isUndefined(found.find(({ qualifiedName }) => qualifiedName === "load"))
  })

  it("begins at no test in the code of Rust", () => {
    const inRust = symbols.map((one) => ({ ...one, path: one.path.replace(".ts", ".rs") }))
    const partsOf = parts.map(({ files, name }) => ({ name, files: files.map((path) => path.replace(".ts", ".rs")) }))
    const names = (symbols: ReadonlyArray<GraphSymbol>) =>
      Candidates.find({ ...graph, symbols }, graphOf(symbols), partsOf).map(({ qualifiedName }) => qualifiedName)
    assert.include(names(inRust), "probe")
    const tests = inRust.map((one) => (one.qualifiedName === "probe" ? { ...one, qualifiedName: "tests.probe" } : one))
    assert.notInclude(names(tests), "tests.probe")
  })

  it("takes a symbol for a handler that code outside of all symbols uses", () => {
    const registered = symbols.map((one) => ({ ...one, isOffered: false, isUsedOutside: one.qualifiedName === "load" }))
    assert.strictEqual(
      find({ ...graph, symbols: registered }).find(({ qualifiedName }) => qualifiedName === "load")?.reason,
      "handler",
    )
  })

  it("does not go through helpers that most files use", () => {
    const busy = symbols.map((one) => (one.qualifiedName === "read" ? { ...one, usedBy: 500 } : one))
    assert.deepStrictEqual(find({ ...graph, symbols: busy }), [])
  })

  it.prop(
    "ends in cycles, and reaches itself and nothing twice",
    [fc.array(fc.uniqueArray(fc.nat(9), { maxLength: 4 }), { minLength: 10, maxLength: 10 })],
    ([uses]) => {
      const cyclic = {
        symbols: uses.map((_, n) => symbol(`f${n % 3}.ts`, `run${n}`, { isOffered: n % 2 === 0 })),
        uses,
      }
      const found = Candidates.find(cyclic, graphOf(cyclic.symbols), [part("f0.ts"), part("f1.ts"), part("f2.ts")])
      for (const { parts, qualifiedName, reached } of found) {
        assert.include(reached, Number(qualifiedName.slice(3)))
        assert.strictEqual(new Set(reached).size, reached.length)
        assert.isAtLeast(parts, 2)
      }
      assert.isTrue(found.every(({ path }) => found.filter((other) => other.path === path).length <= 3))
    },
  )
})

describe("Candidates.isHelper", () => {
  const isHelper = Candidates.isHelper({ files: ["http.ts", "app.ts"], hubs: new Set(["http.ts"]) })

  it("leaves out what many files use, and what a file of helpers offers to many", () => {
    assert.isTrue(isHelper({ path: "app.ts", usedBy: 500 }, { path: "app.ts" }))
    assert.isTrue(isHelper({ path: "http.ts", usedBy: 8 }, { path: "app.ts" }))
    assert.isFalse(isHelper({ path: "app.ts", usedBy: 8 }, { path: "http.ts" }))
  })

  it("keeps what a file of helpers calls in itself, and what it offers to few", () => {
    assert.isFalse(isHelper({ path: "http.ts", usedBy: 8 }, { path: "http.ts" }))
    assert.isFalse(isHelper({ path: "http.ts", usedBy: 2 }, { path: "app.ts" }))
  })

  it("begins flows in a file of helpers that calls others of it", () => {
    const symbols = [
      symbol("http.ts", "form", { isOffered: true }),
      symbol("http.ts", "readForm", { usedBy: 9 }),
      symbol("parser.ts", "parse"),
    ]
    const found = Candidates.find(
      { symbols, uses: [[1], [2], []] },
      { files: ["http.ts", "parser.ts"], hubs: new Set(["http.ts"]) },
      [part("http.ts"), part("parser.ts")],
    )
    assert.deepStrictEqual(
      found.map(({ qualifiedName, reached }) => [qualifiedName, reached]),
      [["form", [0, 1, 2]]],
    )
  })
})

describe("Candidates.choose", () => {
  const candidate = (qualifiedName: string, ...reached: ReadonlyArray<number>): Candidates.Candidate => ({
    path: "a.ts",
    qualifiedName,
    startLine: 1,
    reason: "offered",
    parts: 2,
    reached,
  })

  it("leaves out what mostly repeats a better one, and stops when there are enough", () => {
    const all = [candidate("a", 1, 2, 3), candidate("b", 2, 3, 4), candidate("c", 5, 6, 7), candidate("d", 8, 9, 10)]
    const names = (most: number) => Candidates.choose(all, most).map(({ qualifiedName }) => qualifiedName)
    assert.deepStrictEqual(names(9), ["a", "c", "d"])
    assert.deepStrictEqual(names(2), ["a", "c"])
  })

  it("takes the best of each package before the second of any", () => {
    const all = [candidate("a", 1, 2), candidate("b", 3, 4), candidate("c", 5, 6)].map((each) => ({
      ...each,
      path: each.qualifiedName === "c" ? "two/c.ts" : "one/a.ts",
    }))
    const names = Candidates.choose(all, 2, (path) => path.split("/")[0]).map(({ qualifiedName }) => qualifiedName)
    assert.deepStrictEqual(names, ["a", "c"])
  })

  it("leaves out a second one of the same name, such as that of another class", () => {
    const all = [candidate("A.run", 1, 2, 3), candidate("B.run", 4, 5, 6), candidate("stop", 7, 8, 9)]
    assert.deepStrictEqual(
      Candidates.choose(all, 3).map(({ qualifiedName }) => qualifiedName),
      ["A.run", "stop"],
    )
  })
})

describe("Candidates.whyNone", () => {
  it("names the languages without resolved calls, and is silent if any call is resolved", () => {
    const none = { symbols, uses: symbols.map(() => []) }
    assert.strictEqual(Candidates.whyNone(none, ["lua"]), "No call is resolved in Lua, so no flow can be followed.")
    assert.strictEqual(
      Candidates.whyNone({ symbols: [], uses: [] }, []),
      "The code has no functions that the index knows.",
    )
    assert.isUndefined(Candidates.whyNone(graph, ["lua"]))
  })
})
