import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { coloured, plain } from "../../src/base/Style.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { findSymbols } from "../../src/lookup/findSymbols.ts"
import * as Relations from "../../src/lookup/Relations.ts"
import * as RelationsText from "../../src/lookup/RelationsText.ts"
import { workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

const format = { style: plain, displayPath: (path: string) => path }

const files = {
  "src/base.py": "class Base:\n    def send(self):\n        pass\n",
  "src/client.py":
    "from base import Base\n\nclass Client(Base):\n    def send(self, data):\n        return pack(data)\n\ndef pack(data):\n    return data.strip()\n\ndef post(base: Base):\n    base.send()\n",
  "src/strip.py": "class Text:\n    def strip(self):\n        pass\n",
  "src/main.py":
    "from client import Client\n\ndef main(other):\n    Client().send(1)\n    other.send(2)\n\nmain(None)\n",
  "tests/test_client.py": "from client import Client\n\ndef test_send():\n    Client().send(3)\n",
}

const wanted = { callers: false, callees: false, impact: false, depth: 3, limit: 10 }

/** The project with its index. */
const open = Effect.gen(function* () {
  const store = yield* IndexStore.IndexStore
  const folder = yield* workspace("/p", files)
  const index = yield* store.open(folder)
  yield* index.refresh
  return { workspace: folder, index, displayPath: format.displayPath }
})

const show = (name: string, which: Partial<Relations.Wanted>) =>
  Effect.gen(function* () {
    const project = yield* open
    const { named } = yield* findSymbols(project, name)
    const all = yield* Effect.forEach(named, (entry) => Relations.find(project, entry, { ...wanted, ...which }))
    return all
      .map((relations) => RelationsText.format(relations, format))
      .join("\n\n")
      .split("\n")
  }).pipe(Effect.scoped, Effect.provide(layer))

describe("relations of a symbol", () => {
  it.effect("are its callers by file, code before tests, and what it overrides", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* show("Client.send", { callers: true }), [
        "src/client.py:4-5  method Client.send",
        "",
        "used in 2 symbols of 2 files, 1 of them in code (resolved)",
        "src/main.py",
        "  4  main",
        "tests/test_client.py (test)",
        "  4  test_send",
        "",
        "it overrides src/base.py:2 Base.send, whose uses (in 1 symbol) may mean this one: vibe show --callers src/base.py:Base.send",
      ])
    }),
  )

  it.effect("are what it uses, and calls that are not resolved", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* show("pack", { callees: true }), [
        "src/client.py:7-8  function pack",
        "",
        "it uses no symbol that is resolved",
        "",
        "only the name: calls that may mean one of these, or something else",
        "  strip at 8: src/strip.py:2 Text.strip",
      ])
      assert.deepStrictEqual((yield* show("Client.send", { callees: true })).slice(2), [
        "it uses 1 symbol (resolved)",
        "src/client.py",
        "  7  function pack  used at 5",
      ])
    }),
  )

  it.effect("are what depends on it by distance, what overrides it, and how many files are not followed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* show("pack", { impact: true }), [
        "src/client.py:7-8  function pack",
        "",
        "5 symbols depend on it within 3 steps (resolved)",
        "",
        "distance 1: 1 symbol of 1 file",
        "src/client.py",
        "  5  Client.send",
        "",
        "distance 2: 3 symbols of 3 files, 2 of them in code",
        "src/client.py",
        "  11  post uses Base.send, which may mean Client.send",
        "src/main.py",
        "  4  main uses Client.send",
        "tests/test_client.py (test)",
        "  4  test_send uses Client.send",
        "",
        "distance 3: 1 symbol of 1 file",
        "src/main.py",
        "  7  (top level) uses main",
      ])
      const ofBase = yield* show("Base.send", { impact: true })
      assert.includeMembers(ofBase.slice(), [
        "1 method of derived types overrides it",
        "  src/client.py:4 Client.send",
        "not followed: 2 files in which only the name occurs (--callers lists the lines)",
      ])
    }),
  )

  it.effect("say how many more there are than they list", () =>
    Effect.gen(function* () {
      const lines = yield* show("Client.send", { callers: true, limit: 1 })
      assert.include(lines, "and 1 more symbol: --limit N lists more")
    }),
  )
})

describe("RelationsText.format", () => {
  it.effect("styles lines after they are wrapped, so that no escape sequence is broken", () =>
    Effect.gen(function* () {
      const project = yield* open
      const { named } = yield* findSymbols(project, "Client.send")
      const [entry] = named
      if (entry === undefined) return assert.fail()
      const relations = yield* Relations.find(project, entry, { ...wanted, callers: true, callees: true, impact: true })
      for (let columns = 8; columns < 60; columns++) {
        const text = RelationsText.format(relations, { ...format, style: coloured, columns })
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        for (const line of text.split("\n")) assert.match(line, /^(?:\x1b\[[12]m[^\x1b]*\x1b\[22m)?[^\x1b]*$/)
      }
    }).pipe(Effect.scoped, Effect.provide(layer)),
  )
})

describe("uses of a name that are not resolved", () => {
  it.effect("are listed once with the line, without those that are resolved", () =>
    Effect.gen(function* () {
      const project = yield* open
      const { named } = yield* findSymbols(project, "send")
      const uses = yield* Relations.findNamedUses(project, named, 10)
      assert.deepStrictEqual(RelationsText.formatNamed(uses, true, format).split("\n"), [
        "only the name send, on 1 line: it may mean one of these, or something else",
        "src/main.py",
        "  5  main  other.send(2)",
      ])
    }).pipe(Effect.scoped, Effect.provide(layer)),
  )
})
