/** The contract of IndexStore: its files and their symbols, and who runs over it. */

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Selection from "../../src/code/Selection.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as ProjectMap from "../../src/index/ProjectMap.ts"
import { openIndex, record, withIndex, workspace } from "./IndexStore.fixture.ts"
import { append, files, type It, type NewRoot, path, plant } from "./IndexStore.project.ts"

export const listsFiles = (it: It, root: NewRoot): void => {
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
          assert.deepStrictEqual(found, [[".gitattributes code", "lib/a.ts code", "src/b.ts vendored"], ["lib/a.ts"]]),
        ),
      )
      yield* withIndex(folder, { ...both, ".gitattributes": "lib/** linguist-vendored\n" }, (index) =>
        Effect.map(look(index), (found) =>
          assert.deepStrictEqual(found, [[".gitattributes code", "lib/a.ts vendored", "src/b.ts code"], ["src/b.ts"]]),
        ),
      )
    }),
  )

  it.scoped("classes a module of code that has the name of tests as code, also when all files are classed anew", () =>
    Effect.gen(function* () {
      const folder = yield* root
      const both = {
        "lib/checks/tests.py": "def test_odd(value):\n    return value % 2 == 1\n",
        "lib/polls/tests.py": "import unittest\n\n\nclass Polls(unittest.TestCase):\n    pass\n",
      }
      for (const attributes of ["", "docs/** linguist-documentation\n"]) {
        yield* withIndex(folder, { ...both, ".gitattributes": attributes }, (index) =>
          Effect.map(index.files, (files) =>
            assert.deepStrictEqual(
              files.map((file) => `${file.path} ${file.class}`),
              [".gitattributes code", "lib/checks/tests.py code", "lib/polls/tests.py test"],
            ),
          ),
        )
      }
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

  it.scoped("lists the sizes of the same files as the files", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        ...files,
        "src/in/empty.ts": "",
        "test/a.test.ts": files["src/Forest.ts"],
      })
      for (const path of [".", "src", "src/in", "src/Forest.ts", "sr"]) {
        assert.deepStrictEqual(
          yield* index.sizesIn(path),
          (yield* index.filesIn(path)).map((file) => ({ path: file.path, class: file.class, symbols: file.symbols })),
        )
      }
      assert.isTrue((yield* index.sizesIn(".")).some(({ symbols }) => symbols > 1))
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
}
