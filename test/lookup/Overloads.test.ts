import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Style from "../../src/base/Style.ts"
import type { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import type { Hit } from "../../src/index/IndexStore.ts"
import * as Overloads from "../../src/lookup/Overloads.ts"
import * as Query from "../../src/lookup/Query.ts"
import * as SymbolText from "../../src/lookup/SymbolText.ts"
import { withIndex, workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

const source = [
  "from typing import overload",
  "@overload",
  "def read(path: str) -> str: ...",
  "@overload",
  "def read(path: bytes) -> bytes: ...",
  "def read(path):",
  "    return path",
  "",
].join("\n")

describe("Overloads.separate", () => {
  it.effect("puts what only declares types beside the function that has the body", () =>
    withIndex("/p", { "a.py": source, "b.py": "def read():\n    pass\n" }, (index) =>
      Effect.gen(function* () {
        const { named, overloads } = yield* Overloads.separate(index, yield* index.find("read"))
        assert.deepStrictEqual(
          named.map(({ path, startLine }) => `${path}:${startLine}`),
          ["a.py:6", "b.py:1"],
        )
        const [body] = named
        assert.deepStrictEqual(
          (body === undefined ? [] : (overloads.get(body) ?? [])).map(({ signature }) => signature),
          ["def read(path: str) -> str", "def read(path: bytes) -> bytes"],
        )
      }),
    ).pipe(Effect.provide(layer)),
  )

  it.effect("leaves them out of the answers to a question", () =>
    withIndex("/p", { "a.py": source }, (index) =>
      Effect.gen(function* () {
        const project = {
          workspace: yield* workspace("/p", { "a.py": source }),
          index,
          displayPath: (path: string) => path,
        }
        const answers = yield* Query.answer(project, "read", { limit: 5 })
        assert.deepStrictEqual(
          answers.map(({ hit }) => hit.entry.startLine),
          [6],
        )
      }),
    ).pipe(Effect.provide(layer)),
  )

  it.effect("leaves overloads as they are where no function has a body", () =>
    withIndex("/p", { "a.py": source.split("\n").slice(0, 5).join("\n") }, (index) =>
      Effect.gen(function* () {
        const found = yield* index.find("read")
        assert.lengthOf(found, 2)
        assert.deepStrictEqual(yield* Overloads.separate(index, found), { named: found, overloads: new Map() })
      }),
    ).pipe(Effect.provide(layer)),
  )
})

describe("Overloads.merge", () => {
  const hitsOf = (entries: ReadonlyArray<IndexEntry>) => entries.map((entry, at) => ({ entry, score: 9 - at }))
  const places = (hits: ReadonlyArray<Hit>) => hits.map(({ entry, score }) => `${entry.startLine} ${score}`)

  it.effect("puts the function that has the body in the place of its best overload, however few are found", () =>
    withIndex("/p", { "a.py": source }, (index) =>
      Effect.gen(function* () {
        const [first, second, body] = yield* index.find("read")
        if (first === undefined || second === undefined || body === undefined) return assert.fail("not indexed")
        for (const found of [[second], [first, second], [second, first, body]]) {
          assert.deepStrictEqual(places(yield* Overloads.merge(index, hitsOf(found))), ["6 9"])
        }
      }),
    ).pipe(Effect.provide(layer)),
  )

  it.effect("leaves overloads without a body, and functions of one name that have bodies", () => {
    const stubs = source.split("\n").slice(0, 5).join("\n")
    const bodies = "class A:\n  def read(self): return 1\n\nclass B:\n  def read(self): return 2\n"
    return withIndex("/p", { "a.py": stubs, "b.py": bodies }, (index) =>
      Effect.gen(function* () {
        const found = hitsOf(yield* index.find("read"))
        assert.lengthOf(found, 4)
        assert.deepStrictEqual(yield* Overloads.merge(index, found), found)
      }),
    ).pipe(Effect.provide(layer))
  })

  it.effect("leaves an overload if several functions of its name have a body", () => {
    const body = "def read(key):\n    return key\n"
    const text = `${source.split("\n").slice(0, 5).join("\n")}\nif True:\n    ${body.replace("\n", "\n    ")}\nelse:\n    ${body.replace("\n", "\n    ")}`
    return withIndex("/p", { "a.py": text }, (index) =>
      Effect.gen(function* () {
        const [first] = yield* index.find("read")
        if (first === undefined) return assert.fail("not indexed")
        assert.deepStrictEqual(places(yield* Overloads.merge(index, hitsOf([first]))), [`${first.startLine} 9`])
      }),
    ).pipe(Effect.provide(layer))
  })

  it.effect("gives a question the same first answers whatever the limit", () => {
    const types = Array.from({ length: 30 }, (_, n) => `@overload\ndef connect(event: Event${n}) -> None: ...\n`)
    const text = `${types.join("")}def connect(event):\n    return event\n\ndef connect_all(events):\n    return events\n`
    return withIndex("/p", { "a.py": text }, (index) =>
      Effect.gen(function* () {
        const project = {
          workspace: yield* workspace("/p", { "a.py": text }),
          index,
          displayPath: (path: string) => path,
        }
        const answers = yield* Effect.forEach([2, 50], (limit) => Query.answer(project, "connect an event", { limit }))
        const [few, many] = answers.map((each) => each.map(({ hit }) => hit.entry.startLine))
        assert.deepStrictEqual(
          [few, many],
          [
            [61, 64],
            [61, 64],
          ],
        )
      }),
    ).pipe(Effect.provide(layer))
  })
})

const c = {
  "net.h": "/* Opens a connection. */\nint net_open(const char *host);\n",
  "net.c": '#include "net.h"\n\nint net_open(const char *host) {\n  return host[0];\n}\n',
}

describe("Overloads.separatePrototypes", () => {
  const separated = (files: Readonly<Record<string, string>>) =>
    withIndex("/p", files, (index) =>
      Effect.gen(function* () {
        const found = yield* index.find("net_open")
        const { declarations, named } = yield* Overloads.separatePrototypes(index, found)
        return {
          named: named.map(({ path, startLine }) => `${path}:${startLine}`),
          declared: named.flatMap((entry) => declarations.get(entry) ?? []),
          definition: named.find(({ path }) => path === "net.c"),
        }
      }),
    ).pipe(Effect.provide(layer))

  it.effect("puts the prototype of a header beside the definition, with its comment if the definition has none", () =>
    Effect.gen(function* () {
      const { declared, definition, named } = yield* separated(c)
      assert.deepStrictEqual(named, ["net.c:3"])
      assert.isDefined(definition)
      assert.deepStrictEqual(SymbolText.declarationLines(definition, declared, Style.plain), [
        "  declared at net.h:2: Opens a connection. (from its comment)",
      ])
      const heading = (declarations: ReadonlyArray<IndexEntry>) =>
        SymbolText.heading(definition, Style.plain, undefined, undefined, declarations)
      assert.notInclude(heading(declared), "no purpose")
      assert.include(heading([]), "(no purpose yet)")
    }),
  )

  it.effect("leaves all of them if two files define the name, or none does", () =>
    Effect.gen(function* () {
      const other = { "other.c": "int net_open(const char *host) {\n  return 0;\n}\n" }
      assert.lengthOf((yield* separated({ ...c, ...other })).named, 3)
      assert.deepStrictEqual((yield* separated({ "net.h": c["net.h"] })).named, ["net.h:2"])
    }),
  )
})
