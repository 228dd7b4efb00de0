import { assert, describe, it } from "@effect/vitest"
import type { Statement } from "../../../src/wiki/Page.ts"
import * as Dependence from "../../../src/wiki/writing/Dependence.ts"

const part = (name: string, title: string, ...files: ReadonlyArray<string>) => ({ name, title, files })

const parts = [
  part("engine", "Engine", "engine.go"),
  part("route-tree", "Route tree", "tree.go", "path.go"),
  part("middleware", "Middleware", "logger.go"),
  part("scripts", "Scripts", "scripts/build.py"),
]

const uses = new Map([
  ["engine.go", new Map([["tree.go", 29]])],
  ["tree.go", new Map([["path.go", 4]])],
  ["logger.go", new Map([["engine.go", 13]])],
])

const arrows = Dependence.count(uses, parts)

const say = (text: string, ...cited: ReadonlyArray<readonly [path: string, symbol: string]>): Statement => ({
  text,
  kind: "claim",
  author: "model",
  citations: cited.map(([path, symbol]) => ({ path, symbol })),
})

const start = { kind: "start", name: "index" } as const

const read = (text: string, own?: string) =>
  Dependence.read(arrows, say(text), own).map(({ from, to }) => `${from} → ${to}`)

describe("Dependence.verdictOn", () => {
  it("compares a dependence with the counts in both directions", () => {
    const verdict = (from: string, to: string) => Dependence.verdictOn(arrows, { from, to })
    assert.strictEqual(verdict("engine", "route-tree"), "counted")
    assert.strictEqual(verdict("engine", "middleware"), "reversed")
    assert.strictEqual(verdict("middleware", "route-tree"), "missing")
  })

  it("does not know what a part in a dynamic language uses, nor one in a language of which nothing is resolved", () => {
    assert.strictEqual(Dependence.verdictOn(arrows, { from: "scripts", to: "engine" }), "unknown")
    const bare = Dependence.count(new Map(), parts)
    assert.strictEqual(Dependence.verdictOn(bare, { from: "engine", to: "route-tree" }), "unknown")
    assert.isUndefined(Dependence.refusalOf(bare, { from: "engine", to: "route-tree" }))
  })

  it("does not count uses within a part, nor of files of no part", () => {
    assert.deepStrictEqual(Array.from(arrows.counts.keys()).sort(), ["engine\0route-tree", "middleware\0engine"])
    const some = Dependence.count(uses, parts.slice(0, 2))
    assert.deepStrictEqual(Array.from(some.counts), [["engine\0route-tree", 29]])
  })
})

describe("Dependence.read", () => {
  it("reads which part a sentence says to use which", () => {
    assert.deepStrictEqual(read("The Engine uses the Route tree for each method."), ["engine → route-tree"])
    assert.deepStrictEqual(read("The Route tree is used by Middleware."), ["middleware → route-tree"])
    assert.deepStrictEqual(read("It is small. Middleware depends on the *Engine*."), ["middleware → engine"])
    assert.deepStrictEqual(read("This part relies on the Engine.", "middleware"), ["middleware → engine"])
  })

  it("reads nothing from sentences that say something else", () => {
    for (const text of [
      "A handler of the Engine uses Middleware.",
      "The Engine calls Middleware.",
      "The Engine does not use Middleware.",
      "The Engines use Middleware.",
      "The Engine uses a tree.",
      "The Engine uses Engine.",
      "This part relies on the Engine.",
    ]) {
      assert.deepStrictEqual(read(text), [], text)
    }
  })

  it("takes the name of a cited symbol for its part, unless symbols of two parts have it", () => {
    const text = "`Run` uses `Logger`."
    const one = say(text, ["engine.go", "Engine.Run"], ["logger.go", "Logger"])
    assert.deepStrictEqual(Dependence.read(arrows, one), [{ from: "engine", to: "middleware" }])
    const two = say(text, ["engine.go", "Engine.Run"], ["tree.go", "Tree.Run"], ["logger.go", "Logger"])
    assert.deepStrictEqual(Dependence.read(arrows, two), [])
  })
})

describe("Dependence.flawOf", () => {
  it("says which way the references run if a statement says the opposite", () => {
    assert.strictEqual(
      Dependence.flawOf(arrows, start, say("The Engine uses Middleware for the log.")),
      "no reference leads from Engine to Middleware, but 13 from Middleware to Engine",
    )
  })

  it("has nothing against what is counted, what a third part may join, and what is not known", () => {
    for (const text of ["Middleware uses the Engine.", "Middleware uses the Route tree.", "Scripts use the Engine."]) {
      assert.isUndefined(Dependence.flawOf(arrows, start, say(text)), text)
    }
  })

  it("has nothing against a reversed dependence of a part in a dynamic language", () => {
    const python = [part("app", "App", "app.py"), part("views", "Views", "views.py")]
    const counted = Dependence.count(
      new Map([
        ["views.py", new Map([["app.py", 3]])],
        ["app.py", new Map([["other.py", 1]])],
      ]),
      python,
    )
    assert.isUndefined(Dependence.flawOf(counted, start, say("App uses Views.")))
  })
})

describe("Dependence.pairsOf", () => {
  it("pairs the parts that a statement names or cites", () => {
    const pairs = Dependence.pairsOf(arrows, say("The Engine keeps a tree for each method.", ["tree.go", "addRoute"]))
    assert.deepStrictEqual(pairs, [{ from: "engine", to: "route-tree" }])
    assert.deepStrictEqual(Dependence.pairsOf(arrows, say("Engines run.", ["tree.go", "addRoute"])), [])
  })
})
