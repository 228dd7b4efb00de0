/** The contract of IndexStore, which the tests of every adapter run. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import * as Selection from "../../src/code/Selection.ts"
import * as Coverage from "../../src/index/Coverage.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as ProjectMap from "../../src/index/ProjectMap.ts"
import * as RunProgress from "../../src/index/RunProgress.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { openIndex, purposeOf, record, withIndex, workspace } from "./IndexStore.fixture.ts"

const append = "export function append(node) {\n  return store.add(node)\n}\n"
const changedAppend = "export function append(node) {\n  return store.add(node, now)\n}\n"
const path = "export function path(id) {\n  return walk(id)\n}\n"

const plant = "export function plant() {\n}\n"

const forest = `// Adds a node.\n${append}\n${path}`
const chat = "import { append } from './Forest.ts'\nfunction send(text) {\n  append(text)\n  append(text)\n}\n"
const loom = "import { append, path } from './Forest.ts'\nfunction weave() {\n  append(path(1))\n}\n"
const files = { "README.md": "A forest.\n", "src/Chat.ts": chat, "src/Forest.ts": forest, "src/Loom.ts": loom }

/** `root`: makes a new root for each test. */
export const contract = <E>(
  name: string,
  layer: Layer.Layer<IndexStore.IndexStore, E>,
  root: Effect.Effect<string, never, Scope.Scope>,
) =>
  it.layer(layer)(`IndexStore (${name})`, (it) => {
    it.scoped("classes all files anew when an attributes file changes", () =>
      Effect.gen(function* () {
        const folder = yield* root
        const source = "function shared() {\n  return shared.one\n}\n"
        const both = { "lib/a.ts": source, "src/b.ts": source }
        const look = (index: IndexStore.Index) =>
          Effect.gen(function* () {
            const classes = (yield* index.files).map((file) => `${file.path} ${file.class}`)
            return [classes, (yield* index.search("shared one", { limit: 1 })).map(({ entry }) => entry.path)]
          })
        yield* withIndex(folder, { ...both, ".gitattributes": "src/** linguist-vendored\n" }, (index) =>
          Effect.map(look(index), (found) =>
            assert.deepStrictEqual(found, [
              [".gitattributes code", "lib/a.ts code", "src/b.ts vendored"],
              ["lib/a.ts"],
            ]),
          ),
        )
        yield* withIndex(folder, { ...both, ".gitattributes": "lib/** linguist-vendored\n" }, (index) =>
          Effect.map(look(index), (found) =>
            assert.deepStrictEqual(found, [
              [".gitattributes code", "lib/a.ts vendored", "src/b.ts code"],
              ["src/b.ts"],
            ]),
          ),
        )
      }),
    )

    it.scoped("classes examples as code while nearly all symbols of the project are in them", () =>
      Effect.gen(function* () {
        const folder = yield* root
        const sample = Array.from({ length: 10 }, (_, i) => `export function shared${i}() {\n}\n`).join("")
        const classes = (index: IndexStore.Index) =>
          Effect.map(index.files, (files) => files.map((file) => `${file.path} ${file.class}`))
        const only = { "examples/a.ts": sample, "docs/examples/b.ts": sample }
        const asCode = ["docs/examples/b.ts documentation", "examples/a.ts code"]
        const asExamples = ["docs/examples/b.ts example", "examples/a.ts example"]
        yield* withIndex(folder, only, (index) =>
          Effect.map(classes(index), (found) => assert.deepStrictEqual(found, asCode)),
        )
        yield* withIndex(folder, { ...only, "src/c.ts": `${append}${path}${plant}` }, (index) =>
          Effect.map(classes(index), (found) => assert.deepStrictEqual(found, [...asExamples, "src/c.ts code"])),
        )
        yield* withIndex(folder, { ...only, "src/c.ts": append }, (index) =>
          Effect.map(classes(index), (found) => assert.deepStrictEqual(found, [...asCode, "src/c.ts code"])),
        )
      }),
    )

    it.scoped("shows readers the files that the exploration was to see", () =>
      Effect.gen(function* () {
        const store = yield* IndexStore.IndexStore
        const here = yield* root
        const opened = yield* workspace(here, { ...files, ".gitignore": "lib\n", "lib/a.ts": append })
        const explore = (selection: Partial<Selection.Selection>) =>
          Effect.scoped(
            Effect.flatMap(store.open(opened.select({ ...Selection.none, ...selection })), (index) => index.refresh),
          )
        const paths = Effect.scoped(
          Effect.gen(function* () {
            const { index, workspace } = yield* store.openExisting(opened)
            const read = yield* Effect.either(workspace.read("lib/a.ts"))
            return [(yield* index.files).map(({ path }) => path), read._tag]
          }),
        )
        yield* explore({ exclude: ["src/[CL]*"], include: ["lib"] })
        assert.deepStrictEqual(yield* paths, [[".gitignore", "README.md", "lib/a.ts", "src/Forest.ts"], "Right"])
        yield* explore({ exclude: ["src"] })
        assert.deepStrictEqual(yield* paths, [[".gitignore", "README.md"], "Left"])
      }),
    )

    it.scoped("has no map until one is recorded, and then the latest, limited in length and safe to print", () =>
      Effect.gen(function* () {
        const folder = yield* root
        const map = yield* withIndex(folder, files, (index) =>
          Effect.gen(function* () {
            assert.isUndefined(yield* index.map)
            yield* index.recordMap("An early map.")
            yield* index.recordMap("  ")
            assert.strictEqual(yield* index.map, "An early map.")
            yield* index.recordMap(`A forest\x1b[2J of trees.\n\n\n\n${"It has many words.\n".repeat(300)}`)
            return yield* index.map
          }),
        )
        assert.match(map ?? "", /^A forest of trees\.\n\nIt has many words\.\n/)
        assert.match(map ?? "", /words\.\n…$/)
        assert.isAtMost(map?.length ?? 0, ProjectMap.MAX_LENGTH)
        assert.strictEqual(yield* withIndex(folder, files, (index) => index.map), map)
      }),
    )

    it.scoped("lists the files with their symbols and how many have no purpose", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, files)
        yield* record(index, "append", "Adds a node to the forest.")
        assert.deepStrictEqual(yield* index.files, [
          {
            path: "README.md",
            language: "markdown",
            class: "documentation",
            symbols: 0,
            major: 0,
            open: 0,
            importance: 0,
            note: undefined,
            cut: undefined,
          },
          {
            path: "src/Chat.ts",
            language: "typescript",
            class: "code",
            symbols: 1,
            major: 1,
            open: 1,
            importance: 0,
            note: undefined,
            cut: undefined,
          },
          {
            path: "src/Forest.ts",
            language: "typescript",
            class: "code",
            symbols: 2,
            major: 2,
            open: 1,
            importance: 1,
            note: undefined,
            cut: undefined,
          },
          {
            path: "src/Loom.ts",
            language: "typescript",
            class: "code",
            symbols: 1,
            major: 1,
            open: 1,
            importance: 0,
            note: undefined,
            cut: undefined,
          },
        ])
      }),
    )

    it.scoped("lists the files of a folder, and a file alone", () =>
      Effect.gen(function* () {
        const neighbours = { "src/a.ts": "", "src/in/b.ts": "", "src-in.ts": "", "src.ts": "", "src0.ts": "" }
        const index = yield* openIndex(yield* root, neighbours)
        const paths = (path: string) => Effect.map(index.filesIn(path), (files) => files.map(({ path }) => path))
        assert.deepStrictEqual(yield* paths("src"), ["src/a.ts", "src/in/b.ts"])
        assert.deepStrictEqual(yield* paths("src/in"), ["src/in/b.ts"])
        assert.deepStrictEqual(yield* paths("src/a.ts"), ["src/a.ts"])
        assert.deepStrictEqual(yield* paths("sr"), [])
        assert.deepStrictEqual(yield* paths("."), ["src-in.ts", "src.ts", "src/a.ts", "src/in/b.ts", "src0.ts"])
      }),
    )

    it.scoped("lists the symbols of a file, and none for an unknown file", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, files)
        const [first, second] = yield* index.symbolsIn("src/Forest.ts")
        assert.deepInclude(first, {
          path: "src/Forest.ts",
          name: "append",
          kind: "function",
          startLine: 2,
          endLine: 4,
          signature: "export function append(node)",
          doc: "Adds a node.",
          exported: true,
          usedBy: 2,
        })
        assert.deepInclude(second, { name: "path", doc: undefined, usedBy: 1 })
        assert.deepStrictEqual(yield* index.symbolsIn("src/Nowhere.ts"), [])
      }),
    )

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
        const guess = (symbol: string) =>
          Effect.map(index.nearest(symbol), (entries) => entries.map(({ name }) => name))
        assert.deepStrictEqual(yield* guess("Apend"), ["append"])
        assert.deepStrictEqual(yield* guess("Forest.append()"), ["append"])
        assert.deepStrictEqual(yield* guess("zzz"), [])
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
        for (const state of states) {
          const changed = yield* withIndex(here, state, counted)
          assert.deepStrictEqual(changed, yield* withIndex(yield* root, state, counted))
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

    it.scoped("lists an unreadable file with the reason", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, { "logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0) })
        const [file] = yield* index.files
        assert.deepInclude(file, { path: "logo.png", symbols: 0, note: "binary, 8 bytes" })
      }),
    )

    it.scoped("shows a purpose when it is recorded, and when the index is opened again", () =>
      Effect.gen(function* () {
        const here = yield* root
        yield* withIndex(
          here,
          files,
          Effect.fnUntraced(function* (index) {
            yield* record(index, "append", "Adds a node to the forest.")
            assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
          }),
        )
        const { index } = yield* (yield* IndexStore.IndexStore).openExisting(yield* workspace(here, files))
        assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
      }),
    )

    it.scoped("brings an index up to date when it is opened for reading", () =>
      Effect.gen(function* () {
        const here = yield* root
        yield* withIndex(here, files, () => Effect.void)
        const store = yield* IndexStore.IndexStore
        const { index, outdated } = yield* store.openExisting(yield* workspace(here, { "lib/Wood.ts": forest }))
        assert.isUndefined(outdated)
        assert.deepStrictEqual(
          (yield* index.files).map(({ path }) => path),
          ["lib/Wood.ts"],
        )
      }),
    )

    it.scoped("fails with NotIndexed where there is no index", () =>
      Effect.gen(function* () {
        const here = yield* root
        const store = yield* IndexStore.IndexStore
        const error = yield* Effect.flip(store.openExisting(yield* workspace(here, files)))
        assert.strictEqual(error.reason._tag, "NotIndexed")
      }),
    )

    it.scoped("shows a purpose after its file was moved", () =>
      Effect.gen(function* () {
        const here = yield* root
        yield* withIndex(here, files, (index) => record(index, "append", "Adds a node to the forest."))
        const index = yield* openIndex(here, { "lib/Wood.ts": `\n\n${forest}` })
        assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
      }),
    )

    it.scoped("keeps why a purpose is weak and what bears it out, until a better one is recorded", () =>
      Effect.gen(function* () {
        const here = yield* root
        const recordWeak = (index: IndexStore.Index, node: string) =>
          Effect.flatMap(index.find("append"), (entries) =>
            index.record(
              entries.map((entry) => ({
                entry,
                text: "Adds.",
                model: "a/b",
                node,
                weak: "says nothing",
                lines: [0, 1],
              })),
            ),
          )
        yield* withIndex(here, { "a.ts": append }, (index) => recordWeak(index, "n"))
        const index = yield* openIndex(here, { "a.ts": append })
        const [entry] = yield* index.find("append")
        assert.deepInclude(entry?.purpose, { text: "Adds.", weak: "says nothing", lines: [0, 1] })
        assert.notProperty(entry?.purpose, "confirmed")
        assert.deepStrictEqual(
          (yield* index.weak).map(({ name }) => name),
          ["append"],
        )
        assert.deepInclude(yield* index.status, { weak: 1, stale: 0, open: 0, covered: 1 })
        // The same model has no better one.
        yield* recordWeak(index, "another call")
        assert.deepInclude((yield* index.find("append"))[0]?.purpose, { weak: "says nothing", confirmed: true })
        yield* record(index, "append", "Adds a node to the forest.")
        assert.deepInclude(yield* index.status, { weak: 0, open: 0 })
        assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
        assert.deepStrictEqual(yield* index.weak, [])
      }),
    )

    it.scoped("shows a purpose as stale while its symbol is changed, and no longer when the change is undone", () =>
      Effect.gen(function* () {
        const here = yield* root
        yield* withIndex(here, { "a.ts": append }, (index) => record(index, "append", "Adds a node."))
        const now = (text: string) =>
          withIndex(here, { "a.ts": text }, (index) => Effect.all([purposeOf(index, "append"), index.status]))
        const [changed, status] = yield* now(changedAppend)
        assert.strictEqual(changed, "Adds a node. (stale)")
        assert.deepInclude(status, { stale: 1, majorSymbols: 1, covered: 0 })
        assert.strictEqual((yield* now(append))[0], "Adds a node.")
      }),
    )

    it.scoped(
      "shows a purpose as current after a change of layout, also in an index that is made anew, and keeps it",
      () =>
        Effect.gen(function* () {
          const here = yield* root
          yield* withIndex(here, { "a.ts": append }, (index) => record(index, "append", "Adds a node."))
          const wide = append.replaceAll("  ", "      ")
          assert.notStrictEqual(wide, append)
          const now = (path: string, text: string) =>
            withIndex(here, { [path]: text }, (index) =>
              Effect.all([purposeOf(index, "append"), Effect.map(index.status, ({ stale }) => stale)]),
            )
          assert.deepStrictEqual(yield* now("a.ts", wide), ["Adds a node.", 0])
          const text = yield* withIndex(here, { "a.ts": append }, (index) =>
            Effect.flatMap(index.symbolsOf("a.ts", wide), (entries) => Effect.succeed(entries[0]?.purpose?.stale)),
          )
          assert.isFalse(text)
          // Purposes of other versions come and go; this one is of the present source.
          for (let version = 0; version < 4; version++) {
            const changed = changedAppend.replaceAll("  ", `  // ${version}\n  `)
            yield* withIndex(here, { "a.ts": changed }, (index) => record(index, "append", `Version ${version}.`))
          }
          yield* withIndex(here, { "a.ts": wide }, (index) => record(index, "append", "Adds a node at last."))
          assert.deepStrictEqual(yield* now("b.ts", append), ["Adds a node at last.", 0])
        }),
    )

    it.scoped("keeps the purposes of both versions of a symbol, as on two branches", () =>
      Effect.gen(function* () {
        const here = yield* root
        yield* withIndex(here, { "a.ts": append }, (index) => record(index, "append", "Adds a node."))
        yield* withIndex(here, { "a.ts": changedAppend }, (index) =>
          record(index, "append", "Adds a node and its time."),
        )
        const now = (text: string) => withIndex(here, { "a.ts": text }, (index) => purposeOf(index, "append"))
        assert.strictEqual(yield* now(append), "Adds a node.")
        assert.strictEqual(yield* now(changedAppend), "Adds a node and its time.")
      }),
    )

    it.scoped("shows the comment of a symbol as its purpose as soon as its file is parsed", () =>
      Effect.gen(function* () {
        const here = yield* root
        const purposes = (text: string) =>
          withIndex(here, { "a.ts": text }, (index) =>
            Effect.map(index.symbolsIn("a.ts"), (entries) => entries.map(({ purpose }) => purpose)),
          )
        const comment = { text: "Adds a node.", origin: "comment", stale: false } as const
        assert.deepStrictEqual(yield* purposes(`// Adds a node.\n${append}\n${path}`), [comment, undefined])
        assert.deepStrictEqual(yield* purposes(`// Adds a node.\n${changedAppend}`), [comment])
        assert.deepStrictEqual(yield* purposes(`// Adds nodes.\n${append}`), [{ ...comment, text: "Adds nodes." }])
        assert.deepStrictEqual(yield* purposes(`// Append function.\n${append}`), [undefined])
      }),
    )

    it.scoped("prefers a purpose of a model to a comment, and that to one of an earlier version", () =>
      Effect.gen(function* () {
        const here = yield* root
        const shown = (text: string) => withIndex(here, { "a.ts": text }, (index) => purposeOf(index, "append"))
        yield* withIndex(here, { "a.ts": `// Adds.\n${append}` }, (index) =>
          record(index, "append", "Adds a node to the forest."),
        )
        assert.strictEqual(yield* shown(`// Adds.\n${append}`), "Adds a node to the forest.")
        assert.strictEqual(yield* shown(`// Adds.\n${changedAppend}`), "Adds.")
        assert.strictEqual(yield* shown(changedAppend), "Adds a node to the forest. (stale)")
        assert.strictEqual(yield* shown(append), "Adds a node to the forest.")
      }),
    )

    it.scoped("counts files, symbols and purposes by origin", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, {
          ...files,
          "src/Root.ts": `// Where paths end.\n${changedAppend}`,
        })
        yield* record(index, "path", "Walks up to the root.")
        const { bytesOnDisk: _, ...status } = yield* index.status
        assert.deepStrictEqual(status, {
          files: 5,
          partialFiles: 0,
          symbols: 5,
          purposes: { model: 1, comment: 2 },
          copies: 0,
          stale: 0,
          weak: 0,
          open: 2,
          majorSymbols: 5,
          covered: 3,
          classes: Coverage.make({
            code: { files: 4, symbols: 5, majorSymbols: 5, covered: 3 },
            documentation: { files: 1, symbols: 0, majorSymbols: 0, covered: 0 },
          }),
        })
      }),
    )

    it.scoped("counts the purposes of symbols with the same source as the one that was explained", () =>
      Effect.gen(function* () {
        const source = "export function knock(door: string) {\n  return `${door} opens`\n}\n"
        const index = yield* openIndex(yield* root, { "src/a.ts": source, "src/b.ts": source, "src/c.ts": append })
        yield* record(index, "append", "Adds a node.")
        const [knock] = yield* index.find("knock", "src/a.ts")
        assert.isDefined(knock)
        if (knock !== undefined) {
          const purpose = { entry: knock, text: "Lets guests in.", model: "a/b", node: "n", weak: undefined, lines: [] }
          yield* index.record([purpose])
        }
        const { copies, purposes } = yield* index.status
        assert.deepStrictEqual({ copies, model: purposes.model }, { copies: 1, model: 3 })
      }),
    )

    it.scoped("finds a symbol by the words of its purpose", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, files)
        yield* record(index, "weave", "Grows several answers from one message.")
        const [best] = yield* index.search("Where do several answers grow?", { limit: 3 })
        assert.strictEqual(best?.entry.name, "weave")
        assert.strictEqual(best?.entry.purpose?.text, "Grows several answers from one message.")
      }),
    )

    it.scoped("ranks a purpose with all words of a question above code with one of them", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, {
          "src/Retry.ts": "export function patience() {\n  return wait(2)\n}\n",
          ...Object.fromEntries(
            [1, 2, 3, 4].map((n) => [
              `src/Call${n}.ts`,
              `export function call${n}(message) {\n  return provider.send(message)\n}\n`,
            ]),
          ),
        })
        yield* record(index, "patience", "Waits for a busy provider to recover.")
        const [best] = yield* index.search("busy provider", { limit: 5 })
        assert.strictEqual(best?.entry.name, "patience")
      }),
    )

    it.scoped("keeps the rank of right answers without a purpose when other symbols get one", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, {
          "src/app.ts":
            "export function handle(request) {\n  const response = route(request)\n  return finish(response)\n}\n",
          "src/config.ts": "export function load(file) {\n  return merge(parse(file), defaults)\n}\n",
          "src/cookies.ts":
            "export function open(app, request) {\n  const signer = signing(app)\n  return signer.unsign(request.cookies)\n}\n",
          "src/retry.ts":
            "export function send(request) {\n  while (isBusy(request)) pause(backoff(request))\n  return post(request)\n}\n",
          "src/views.ts": "export function render(name, context) {\n  return escape(template(name), context)\n}\n",
        })
        const questions = [
          ["Where are the cookies of a request signed?", "open"],
          ["How long does the application pause before a request is sent again?", "send"],
        ] as const
        const right = Effect.forEach(questions, ([question]) =>
          Effect.map(index.search(question, { limit: 1 }), ([best]) => best?.entry.name),
        )
        const expected: ReadonlyArray<string | undefined> = questions.map(([, name]) => name)
        assert.deepStrictEqual(yield* right, expected)
        yield* record(
          index,
          "handle",
          "Answers a request of the application, with its session and its cookies opened before.",
        )
        yield* record(index, "load", "Reads the configuration of the application before the first request is sent.")
        assert.deepStrictEqual(yield* right, expected)
      }),
    )

    it.scoped("finds a symbol by its name", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, files)
        for (const { name } of yield* index.symbolsIn("src/Forest.ts")) {
          const [best] = yield* index.search(name, { limit: 5 })
          assert.strictEqual(best?.entry.name, name)
        }
      }),
    )

    it.scoped("finds the symbols of one file or folder, and of no other", () =>
      Effect.gen(function* () {
        const source = (name: string) => `export function ${name}(cookie) {\n  return sign(cookie)\n}\n`
        const index = yield* openIndex(yield* root, {
          "src/a.ts": source("bake"),
          "src/jar/b.ts": source("brew"),
          "src/jar/deep/c.ts": source("boil"),
          // Neither is in `src/jar`.
          "src/jar.ts": source("beat"),
          "src/jars/d.ts": source("blend"),
        })
        const found = (question: string, path: string) =>
          Effect.map(index.search(question, { limit: 9, path }), (hits) => hits.map(({ entry }) => entry.name).sort())
        assert.deepStrictEqual(yield* found("sign a cookie", "src/jar"), ["boil", "brew"])
        assert.deepStrictEqual(yield* found("sign a cookie", "src/jar.ts"), ["beat"])
        assert.lengthOf(yield* found("sign a cookie", "."), 5)
        assert.deepStrictEqual(yield* found("sign a cookie", "src/none"), [])
        assert.deepStrictEqual(yield* found("blend", "src/jar"), [])
        assert.deepStrictEqual(yield* found("where is beat.cookie, brew_it or bake", "src/jars"), ["blend"])
      }),
    )

    it.scoped("finds all of a small folder, whatever matches better elsewhere", () =>
      Effect.gen(function* () {
        const better = Array.from({ length: 150 }, (_, n): readonly [string, string] => [
          `src/cookies${n}.ts`,
          `// Signs a cookie.\nexport function signCookie() {\n  return cookie.sign(cookies)\n}\n`,
        ])
        const index = yield* openIndex(yield* root, {
          ...Object.fromEntries(better),
          "lib/far.ts": "export function last(tin) {\n  open(tin)\n  return tin.cookie\n}\n",
          "lib/name.ts": "export function signCookie() {\n  return 1\n}\n",
        })
        const hits = yield* index.search("sign cookies", { limit: 9, path: "lib" })
        assert.deepStrictEqual(hits.map(({ entry }) => entry.name).sort(), ["last", "signCookie"])
        const [named] = yield* index.search("signCookie", { limit: 1, path: "lib" })
        assert.strictEqual(named?.entry.path, "lib/name.ts")
      }),
    )

    it.scoped("finds symbols that only their vectors are near, in their place among those that words find", () =>
      Effect.gen(function* () {
        const source = (name: string, text: string) => `export function ${name}(tin) {\n  return ${text}(tin)\n}\n`
        const index = yield* openIndex(yield* root, {
          "src/a.ts": source("bake", "cookie"),
          "src/b.ts": source("brew", "coffee"),
          "src/c.ts": source("boil", "water"),
          "test/d.test.ts": source("burn", "toast"),
        })
        const similarTo = Effect.fnUntraced(function* (cosines: Readonly<Record<string, number>>) {
          const entries = yield* Effect.forEach(Object.keys(cosines), (name) => index.find(name))
          return entries.flat().map(({ hash, name, qualifiedName }) => ({
            qualifiedName,
            hash,
            similarity: cosines[name] ?? 0,
          }))
        })
        const names = (question: string, options: Partial<IndexStore.SearchOptions>) =>
          Effect.map(index.search(question, { limit: 9, ...options }), (hits) => hits.map(({ entry }) => entry.name))
        assert.deepStrictEqual(yield* names("cookie", { similar: [] }), ["bake"])
        const similar = yield* similarTo({ brew: 0.9, boil: 0.7, burn: 0.85, bake: 0.6 })
        assert.deepStrictEqual(yield* names("zzz", { similar }), ["brew", "burn", "boil"])
        assert.deepStrictEqual(yield* names("zzz", { similar, path: "test" }), ["burn"])
        const [best, ...others] = yield* names("cookie", { similar: yield* similarTo({ brew: 0.62, boil: 0.6 }) })
        assert.deepStrictEqual([best, others], ["bake", ["brew"]])
        // What the question names comes first, whatever is near it.
        assert.deepStrictEqual((yield* names("boil", { similar })).slice(0, 2), ["boil", "brew"])
        // One that has changed since, or is gone.
        assert.deepStrictEqual(yield* names("zzz", { similar: similar.map((each) => ({ ...each, hash: "old" })) }), [])
      }),
    )

    it.scoped("finds nothing for a question without words", () =>
      Effect.gen(function* () {
        const index = yield* openIndex(yield* root, files)
        for (const text of ["", "   ", '"', "* AND NEAR(", "the", "\0"]) {
          assert.deepStrictEqual(yield* index.search(text, { limit: 5 }), [])
        }
      }),
    )

    it.scoped("is locked by one run at a time, until its scope closes", () =>
      Effect.gen(function* () {
        const here = yield* root
        const [store, explored] = yield* Effect.all([IndexStore.IndexStore, workspace(here, files)])
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* store.claim(explored)
            const error = yield* Effect.flip(Effect.scoped(store.claim(explored)))
            assert.strictEqual(
              error.message,
              `${here}/.vibe: another vibe index is at work here (process ${process.pid})`,
            )
          }),
        )
        yield* store.claim(explored)
      }),
    )

    it.scoped("has what the run that locks it has published, until its scope closes", () =>
      Effect.gen(function* () {
        const [store, explored] = yield* Effect.all([IndexStore.IndexStore, workspace(yield* root, files)])
        const first = RunProgress.start(new ModelId({ provider: "scripted", name: "test" }), 1000)
        const published = store.progressOf(explored, process.pid)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* store.claim(explored)
            assert.isUndefined(yield* published)
            yield* store.publish(explored, first)
            yield* store.publish(explored, { ...first, requests: 3, cost: 0.5 })
            assert.deepStrictEqual(yield* published, { ...first, requests: 3, cost: 0.5 })
            assert.isUndefined(yield* store.progressOf(explored, process.pid + 1))
          }),
        )
        assert.isUndefined(yield* published)
      }),
    )

    it.scoped("answers without a refresh while another run makes the first structure", () =>
      Effect.gen(function* () {
        const here = yield* root
        const [store, explored] = yield* Effect.all([IndexStore.IndexStore, workspace(here, files)])
        yield* store.claim(explored)
        const run = yield* store.open(explored)
        const { index, outdated } = yield* store.openExisting(explored)
        assert.strictEqual(outdated?.reason._tag, "AtWork")
        assert.strictEqual((yield* Effect.flip(index.refresh)).reason._tag, "AtWork")
        assert.deepStrictEqual([yield* index.files, yield* index.isMade], [[], false])
        yield* run.refresh
        assert.isTrue(yield* index.isMade)
        assert.lengthOf(yield* index.files, 4)
        assert.deepInclude(yield* index.refresh, { files: 4, parsed: 0 })
      }),
    )
  })
