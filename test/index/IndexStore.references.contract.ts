/** The contract of IndexStore: its symbols by name, what uses them, and what changes leave of that. */

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { openIndex, withIndex, workspace } from "./IndexStore.fixture.ts"
import { append, chat, files, forest, type It, loom, type NewRoot, path } from "./IndexStore.project.ts"

export const resolvesReferences = (it: It, root: NewRoot): void => {
  it.scoped("finds a symbol by its name, in one file or in all", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, { "a.ts": append, "b.ts": append })
      const paths = (entries: ReadonlyArray<{ readonly path: string }>) => entries.map(({ path }) => path)
      assert.deepStrictEqual(paths(yield* index.find("append")), ["a.ts", "b.ts"])
      assert.deepStrictEqual(paths(yield* index.find("append", "b.ts")), ["b.ts"])
      assert.deepStrictEqual(paths(yield* index.find("Append")), [])
    }),
  )

  it.scoped("suggests similar names", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, files)
      const guess = (symbol: string) => Effect.map(index.nearest(symbol), (entries) => entries.map(({ name }) => name))
      assert.deepStrictEqual(yield* guess("Apend"), ["append"])
      assert.deepStrictEqual(yield* guess("Forest.append()"), ["append"])
      assert.deepStrictEqual(yield* guess("zzz"), [])
    }),
  )

  it.scoped("suggests the most similar name first, and of names as similar the most used one", () =>
    Effect.gen(function* () {
      const functions = (...names: ReadonlyArray<string>) =>
        names.map((name) => `export function ${name}() {\n}\n`).join("")
      const index = yield* openIndex(yield* root, {
        "a.ts": functions("plantTheme", "plantTrea", "plantTreo", "plantTreu"),
        "b.ts": 'import { plantTreo } from "./a.ts"\nplantTreo()\n',
      })
      assert.deepStrictEqual(
        (yield* index.nearest("plantTree")).map(({ name }) => name),
        ["plantTreo", "plantTrea", "plantTreu", "plantTheme"],
      )
    }),
  )

  it.scoped("lists the uses of a symbol with their lines and the symbols around them", () =>
    Effect.gen(function* () {
      const other = `${append}function grow() {\n  append(1)\n}\n`
      const index = yield* openIndex(yield* root, { ...files, "src/Other.ts": other })
      const [ofForest, ofOther] = yield* index.find("append")
      if (ofForest === undefined || ofOther === undefined) return assert.fail("not found")
      assert.deepStrictEqual(yield* index.references(ofForest), [
        { path: "src/Chat.ts", line: 3, symbol: "send" },
        { path: "src/Chat.ts", line: 4, symbol: "send" },
        { path: "src/Loom.ts", line: 3, symbol: "weave" },
      ])
      assert.deepStrictEqual(yield* index.references(ofOther), [{ path: "src/Other.ts", line: 5, symbol: "grow" }])
    }),
  )

  it.scoped("lists the uses of a symbol in code before those in tests", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, { ...files, "src/Chat.test.ts": loom })
      const [ofForest] = yield* index.find("append")
      if (ofForest === undefined) return assert.fail("not found")
      const paths = (yield* index.references(ofForest)).map(({ path }) => path)
      assert.deepStrictEqual(paths, ["src/Chat.ts", "src/Chat.ts", "src/Loom.ts", "src/Chat.test.ts"])
    }),
  )

  it.scoped("names the symbols that use the open symbols of a file, those of other files first", () =>
    Effect.gen(function* () {
      const again = "function again() {\n  append(2)\n}\n"
      const index = yield* openIndex(yield* root, { ...files, "src/Forest.ts": `${append}${again}` })
      const callers = yield* index.callersIn("src/Forest.ts")
      assert.deepStrictEqual(
        Array.from(callers).filter(([key]) => key.endsWith(" append")),
        [["1 append", ["send", "weave", "again"]]],
      )
      assert.deepStrictEqual(Array.from(yield* index.callersIn("none.ts")), [])
    }),
  )

  it.scoped("names them also for a symbol with a weak purpose, and for none that is explained well", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, { ...files, "src/Forest.ts": append })
      const callersOf = Effect.map(index.callersIn("src/Forest.ts"), (callers) => callers.get("1 append"))
      const [entry] = yield* index.find("append")
      if (entry === undefined) return assert.fail("not found")
      const purpose = { entry, text: "Adds.", model: "scripted/test", node: "n-1" }
      yield* index.record([{ ...purpose, weak: "says too little" }])
      assert.deepStrictEqual(yield* callersOf, ["send", "weave"])
      yield* index.record([{ ...purpose, text: "Adds a message below its parent." }])
      assert.isUndefined(yield* callersOf)
    }),
  )

  it.scoped("lists what a symbol uses, in the order of its lines", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, files)
      const [weave] = yield* index.find("weave")
      const callees = weave === undefined ? [] : yield* index.callees(weave)
      assert.deepStrictEqual(
        callees.map(({ entry, lines }) => [entry.path, entry.name, lines]),
        [
          ["src/Forest.ts", "append", [3]],
          ["src/Forest.ts", "path", [3]],
        ],
      )
    }),
  )

  it.scoped("counts how often files use each other, in tests too and outside of all symbols", () =>
    Effect.gen(function* () {
      const main = 'import { append } from "./Forest"\nappend(1)\nappend(2)\n'
      const index = yield* openIndex(yield* root, { ...files, "src/Main.ts": main })
      assert.deepStrictEqual(yield* index.fileUses, [
        { from: "src/Chat.ts", to: "src/Forest.ts", count: 2 },
        { from: "src/Loom.ts", to: "src/Forest.ts", count: 2 },
        { from: "src/Main.ts", to: "src/Forest.ts", count: 2 },
      ])
    }),
  )

  it.scoped("counts how often the symbols of some files use each other, and are used by other files", () =>
    Effect.gen(function* () {
      const loop =
        "export function weaveAll() {\n  return knot(1)\n}\n\nexport function knot(times: number) {\n  return times\n}\n"
      const main = 'import { weaveAll } from "./Loop"\nweaveAll()\n'
      const index = yield* openIndex(yield* root, { ...files, "src/Loop.ts": loop, "src/Main.ts": main })
      assert.deepStrictEqual(yield* index.symbolUses(["src/Loop.ts"]), [
        {
          from: { path: "src/Loop.ts", symbol: "weaveAll" },
          to: { path: "src/Loop.ts", symbol: "knot" },
          count: 1,
        },
        {
          from: { path: "src/Main.ts", symbol: undefined },
          to: { path: "src/Loop.ts", symbol: "weaveAll" },
          count: 1,
        },
      ])
      assert.deepStrictEqual(yield* index.symbolUses([]), [])
    }),
  )

  it.scoped("lists the files that each file uses by their paths, whichever was indexed first", () =>
    Effect.gen(function* () {
      const here = yield* root
      const forest = "export function append() {\n  return 1\n}\n"
      const both = 'import { append } from "./Forest"\nimport { early } from "./Early"\nappend(early())\n'
      const before = { "src/Forest.ts": forest, "src/Main.ts": both }
      yield* Effect.scoped(openIndex(here, before))
      const early = "export function early() {\n  return 1\n}\n"
      const index = yield* openIndex(here, { ...before, "src/Early.ts": early })
      assert.deepStrictEqual(yield* index.fileUses, [
        { from: "src/Main.ts", to: "src/Early.ts", count: 1 },
        { from: "src/Main.ts", to: "src/Forest.ts", count: 1 },
      ])
    }),
  )

  it.scoped("lists the files in which a name occurs, most often first, without those that only define it", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, files)
      assert.deepStrictEqual(yield* index.mentions("append"), [
        { path: "src/Chat.ts", count: 3 },
        { path: "src/Loom.ts", count: 2 },
      ])
      assert.deepStrictEqual(yield* index.mentions("appen"), [])
    }),
  )

  it.scoped("parses new and changed files only", () =>
    Effect.gen(function* () {
      const here = yield* root
      const refresh = (files: Readonly<Record<string, string>>) =>
        Effect.gen(function* () {
          const index = yield* (yield* IndexStore.IndexStore).open(yield* workspace(here, files))
          return yield* index.refresh
        })
      assert.deepStrictEqual(yield* refresh(files), { files: 4, symbols: 4, parsed: 4, removed: 0, hidden: 0 })
      assert.deepStrictEqual(yield* refresh(files), { files: 4, symbols: 4, parsed: 0, removed: 0, hidden: 0 })
      const { "README.md": _, ...rest } = files
      assert.deepStrictEqual(yield* refresh({ ...rest, "src/Chat.ts": `${chat}${path}` }), {
        files: 3,
        symbols: 5,
        parsed: 1,
        removed: 1,
        hidden: 0,
      })
    }),
  )

  it.scoped("updates the number of users when a file is removed", () =>
    Effect.gen(function* () {
      const here = yield* root
      const usedBy = (files: Readonly<Record<string, string>>) =>
        withIndex(here, files, (index) => Effect.map(index.find("append"), ([entry]) => entry?.usedBy))
      assert.strictEqual(yield* usedBy(files), 2)
      assert.strictEqual(yield* usedBy({ "src/Forest.ts": forest, "src/Chat.ts": chat }), 1)
    }),
  )

  it.scoped("counts the users of the symbol that they import, and none for another of that name", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, { ...files, "src/Other.ts": append })
      const usedBy = (yield* index.find("append")).map(({ path, usedBy }) => ({ path, usedBy }))
      assert.deepStrictEqual(usedBy, [
        { path: "src/Forest.ts", usedBy: 2 },
        { path: "src/Other.ts", usedBy: 0 },
      ])
    }),
  )

  it.scoped("counts the same after changes as in a new index", () =>
    Effect.gen(function* () {
      const here = yield* root
      const counted = (index: IndexStore.Index) =>
        Effect.gen(function* () {
          const entries = yield* Effect.forEach(yield* index.files, ({ path }) => index.symbolsIn(path))
          return entries.flat().map(({ name, path, usedBy }) => ({ path, name, usedBy }))
        })
      const { "src/Loom.ts": loom, ...unwoven } = files
      const states = [
        files,
        unwoven,
        { ...unwoven, "src/Other.ts": append },
        { ...unwoven, "src/Other.ts": `${append}${path}`, "src/Loom.ts": loom },
        { "src/Other.ts": path, "src/Loom.ts": "function weave() {\n  paths(1)\n}\n" },
        { "src/Other.ts": path.replaceAll("path", "paths"), "src/Loom.ts": "function weave() {\n  paths(1)\n}\n" },
        files,
      ]
      for (const [number, state] of states.entries()) {
        const changed = yield* withIndex(here, state, counted)
        // The first one is a new index itself.
        if (number > 0) assert.deepStrictEqual(changed, yield* withIndex(yield* root, state, counted))
      }
    }),
  )

  it.scoped("lists the symbols that most files use, without tests", () =>
    Effect.gen(function* () {
      const define = (name: string) => `export function ${name}() {\n}\n`
      const index = yield* openIndex(yield* root, {
        "src/a.ts": define("plantTree") + define("join") + define("readAll"),
        "src/b.ts":
          "import { readAll, plantTree } from './a.ts'\nimport { helpMe } from '../test/helper.ts'\n" +
          "join(readAll(plantTree()), helpMe())\n",
        "src/c.ts":
          "import { plantTree } from './a.ts'\nimport { helpMe } from '../test/helper.ts'\nplantTree(helpMe())\n",
        "test/helper.ts": define("helpMe"),
      })
      const names = (limit: number) =>
        Effect.map(index.landmarks(limit), (entries) => entries.map(({ qualifiedName }) => qualifiedName))
      assert.deepStrictEqual(yield* names(5), ["plantTree", "readAll"])
      assert.deepStrictEqual(yield* names(1), ["plantTree"])
    }),
  )

  it.scoped("has no landmarks in the examples of code whose uses are not resolved", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        "src/tree.ts": "export function plantTree() {\n  return 1\n}\n",
        "examples/a.ts": "export function plantElm() {\n  return 1\n}\n",
        "examples/b.ts": 'import { plantElm } from "./a.ts"\nexport function plantAll() {\n  plantElm()\n}\n',
      })
      assert.deepStrictEqual(yield* index.landmarks(5), [])
    }),
  )

  it.scoped("has landmarks in the examples of a project that has no code", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        "examples/a.ts": "export function plantElm() {\n  return 1\n}\n",
        "examples/b.ts": 'import { plantElm } from "./a.ts"\nexport function plantAll() {\n  plantElm()\n}\n',
      })
      assert.deepStrictEqual(
        (yield* index.landmarks(5)).map(({ name }) => name),
        ["plantElm"],
      )
    }),
  )

  it.scoped("holds a function that calls itself no more central than one that is used alike", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        "a.ts": "export function plantElm() {\n  return 1\n}\n",
        "b.ts": "export function plantOak() {\n  plantOak()\n  plantOak()\n}\n",
        "c.ts":
          'import { plantElm } from "./a.ts"\nimport { plantOak } from "./b.ts"\n' +
          "function plantAll() {\n  plantElm()\n  plantOak()\n}\n",
      })
      const names = (yield* index.central(3)).map(({ name }) => name)
      assert.isBelow(names.indexOf("plantElm"), names.indexOf("plantOak"), names.join(" "))
    }),
  )

  it.scoped("lists an unreadable file with the reason", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, { "logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0) })
      const [file] = yield* index.files
      assert.deepInclude(file, { path: "logo.png", symbols: 0, note: "binary, 8 bytes" })
    }),
  )
}
