import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FileError, Unreadable } from "../../src/code/FileError.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import type { Purpose } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import type { Project } from "../../src/lookup/Project.ts"
import * as IndexPages from "../../src/server/IndexPages.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const servicesOf = (files: Readonly<Record<string, string>>) =>
  Sqlite.layerMemory.pipe(Layer.provideMerge(SharedSymbols.layer), Layer.provideMerge(Files.layerMemory(files)))

const services = servicesOf({ "/p/a.ts": "export const first = 1\n" })

/** Indexes files, whose paths are relative, and passes on the project. */
const withProject = <A, E, R>(
  files: Readonly<Record<string, string>>,
  use: (project: Project) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/p")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    return yield* use({ index, workspace, displayPath: (path) => path })
  }).pipe(
    Effect.scoped,
    Effect.provide(servicesOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [`/p/${path}`, text])))),
  )

const folderOf = (project: Project, at: string) =>
  Effect.map(IndexPages.place(project, at), (place) => (place?.type === "folder" ? place : assert.fail()))

const fileOf = (project: Project, at: string) =>
  Effect.map(IndexPages.place(project, at), (place) => (place?.type === "file" ? place : assert.fail()))

const foundAt = (project: Project, at: string, line: number) =>
  Effect.map(IndexPages.find(project, at, line), (found) => found ?? assert.fail())

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** The symbols of `a.ts`, where `read` replaces how the workspace reads it. */
const symbolsWhere = (replace: (read: Workspace.Workspace["read"]) => Workspace.Workspace["read"]) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/p")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const project = {
      index,
      workspace: { ...workspace, read: replace(workspace.read) },
      displayPath: (path: string) => path,
    }
    const place = yield* IndexPages.place(project, "a.ts")
    if (place?.type !== "file") return assert.fail()
    return place.symbols.map(({ line, name }) => [line, name])
  }).pipe(Effect.scoped, Effect.provide(services))

describe("the page of a file", () => {
  it.effect("has the symbols of the text that the file has now", () =>
    Effect.gen(function* () {
      const text = "export const added = 0\nexport const first = 1\n"
      const symbols = yield* symbolsWhere((read) => (file) => Effect.map(read(file), (known) => ({ ...known, text })))
      assert.deepStrictEqual(symbols, [
        [1, "added"],
        [2, "first"],
      ])
    }),
  )

  it.effect("has the symbols of the index where the file cannot be read", () =>
    Effect.gen(function* () {
      const failure = new FileError({ path: "a.ts", reason: new Unreadable({ cause: undefined }) })
      assert.deepStrictEqual(yield* symbolsWhere(() => () => Effect.fail(failure)), [[1, "first"]])
    }),
  )
})

describe("the page of a folder", () => {
  it.effect("lists folders by their names, each with what is below it and what its document says", () =>
    withProject(
      {
        "a-b/one.ts": "export const one = 1\n",
        "a/README.md": "# A\n\nKeeps the <b>sums</b> of carts.\n",
        "a/deep/README.md": "# Deep\n\nSays nothing of the folder above.\n",
        "a/deep/two.ts": "/** The second number. */\nexport function two() {}\nfunction three() {}\n",
        "top.ts": "export const top = 1\n",
      },
      (project) =>
        Effect.gen(function* () {
          const { files, folders, path, type } = yield* folderOf(project, "")
          assert.deepStrictEqual([type, path], ["folder", "."])
          assert.deepStrictEqual(
            folders.map(({ files, path, purpose, symbols }) => [path, files, symbols, purpose]),
            [
              ["a", 3, folders[0]?.symbols, "Keeps the sums of carts."],
              ["a-b", 1, 1, undefined],
            ],
          )
          const deep = (yield* folderOf(project, "a")).folders[0]
          assert.strictEqual(deep?.path, "a/deep")
          const two = (yield* folderOf(project, "a/deep")).files.find(({ path }) => path === "a/deep/two.ts")
          assert.deepStrictEqual(
            [two?.class, two?.language, two?.symbols, two?.note],
            ["code", "typescript", 2, undefined],
          )
          assert.isBelow(two?.open ?? 0, two?.major ?? 0)
          assert.deepStrictEqual(
            [deep?.symbols, deep?.major, deep?.open].map(
              (count, n) => (count ?? 0) - ([0, two?.major, two?.open][n] ?? 0),
            ),
            [deep?.symbols, 0, 0],
          )
          assert.deepStrictEqual(
            files.map(({ path }) => path),
            ["top.ts"],
          )
          for (const path of ["a/", "a///"]) {
            assert.deepStrictEqual(yield* folderOf(project, path), yield* folderOf(project, "a"))
          }
          for (const path of ["b", "a/de", "top"]) assert.isUndefined(yield* IndexPages.place(project, path))
        }),
    ),
  )

  it.effect("reads the two most telling documents of each of the first sixty folders", () => {
    const quiet = { "README.md": "# Quiet\n", "__init__.py": "import os\n" }
    const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
    const many = numbers(62).map((n) => inFolder(`many/f${10 + n}`, { "README.md": `# F\n\nCounts the ${n} sheep.\n` }))
    return withProject(
      {
        ...inFolder("first", { "README.md": "# F\n\nAdds up prices.\n", "__init__.py": '"""Something else."""\n' }),
        ...inFolder("second", { ...quiet, "__init__.py": '"""Adds up taxes."""\n' }),
        ...inFolder("third", { ...quiet, "lib.rs": "//! Adds up hours.\n" }),
        ...Object.assign({}, ...many),
      },
      (project) =>
        Effect.gen(function* () {
          const purposes = (yield* folderOf(project, ".")).folders.map(({ path, purpose }) => [path, purpose])
          assert.deepStrictEqual(Object.fromEntries(purposes), {
            first: "Adds up prices.",
            many: undefined,
            second: "Adds up taxes.",
            third: undefined,
          })
          const described = (yield* folderOf(project, "many")).folders.map(({ purpose }) => purpose)
          assert.deepStrictEqual(
            described,
            numbers(62).map((n) => (n < 60 ? `Counts the ${n} sheep.` : undefined)),
          )
        }),
    )
  })

  it.effect("lists the twelve symbols that the rest is built on", () =>
    withProject(
      {
        "lib.ts": numbers(14)
          .map((n) => `export function base${n}(): void {}\n`)
          .join(""),
        "use.ts": `import { ${numbers(14)
          .map((n) => `base${n}`)
          .join(", ")} } from "./lib.ts"\n${numbers(14)
          .map((n) => `export function use${n}(): void { base${n}() }\n`)
          .join("")}`,
      },
      (project) =>
        Effect.map(folderOf(project, "."), ({ central }) => {
          assert.lengthOf(central, 12)
          assert.isTrue(central.every(({ isMajor, name }) => isMajor && name !== ""))
        }),
    ),
  )
})

describe("the lines of a file without symbols", () => {
  it.effect.each([
    ["without the break at their end", "one\ntwo\n", ["one", "two"]],
    ["with an empty line at their end", "one\n\n", ["one", ""]],
    ["without carriage returns at their ends", "one\r\ntw\ro\r\n", ["one", "two"]],
    ["without what a terminal would follow", "\u001b[31mred\u001b[0m\u202e\n", ["red"]],
    ["none of an empty file", "", []],
    ["none but the first 400", "line\n".repeat(401), numbers(400).map(() => "line")],
  ] as const)("are shown %s", ([, text, lines]) =>
    withProject({ "notes.txt": text, "a.ts": "export const a = 1\n" }, (project) =>
      Effect.gen(function* () {
        const place = yield* fileOf(project, "notes.txt")
        assert.deepStrictEqual([place.symbols, place.lines, place.path], [[], lines, "notes.txt"])
        const { lines: none, symbols } = yield* fileOf(project, "a.ts")
        assert.deepStrictEqual([none, symbols.length], [[], 1])
      }),
    ),
  )
})

const box = `/** Keeps things until they are taken out. */
export class Box {
  open(): void {}

  /** Closes it. */
  close(): void {
    this.open()
  }
}

export function after(): void {}
`

describe("the symbol at a line", () => {
  it.effect("is the one that begins there, or the innermost one around it, or none", () =>
    withProject({ "box.ts": box }, (project) =>
      Effect.gen(function* () {
        const nameAt = (line: number, path = "box.ts") =>
          Effect.map(IndexPages.find(project, path, line), (found) => found?.entry.qualifiedName)
        const names = yield* Effect.forEach([2, 3, 6, 7, 11, 10, 99], (line) => nameAt(line))
        assert.deepStrictEqual(names, ["Box", "Box.open", "Box.close", "Box.close", "after", undefined, undefined])
        assert.isUndefined(yield* nameAt(1, "none.ts"))
      }),
    ),
  )

  it.effect("is shown with its comment, its source and its members", () =>
    withProject({ "box.ts": box }, (project) =>
      Effect.gen(function* () {
        const found = yield* foundAt(project, "box.ts", 2)
        const page = yield* IndexPages.symbolPage(project, found)
        assert.deepStrictEqual([page.symbol.name, page.symbol.line, page.symbol.endLine], ["Box", 2, 9])
        assert.deepStrictEqual(page.symbol.purpose, {
          text: "Keeps things until they are taken out.",
          origin: "comment",
          isStale: false,
        })
        assert.deepStrictEqual(
          [page.doc, page.source, page.moreLines],
          ["Keeps things until they are taken out.", box.split("\n").slice(1, 9), 0],
        )
        assert.deepStrictEqual(
          page.members.map(({ name }) => name),
          ["Box.open", "Box.close"],
        )
        const gone = yield* IndexPages.symbolPage(project, { ...found, text: undefined })
        assert.deepStrictEqual([gone.source, gone.moreLines], [[], 0])
        const method = yield* IndexPages.symbolPage(project, yield* foundAt(project, "box.ts", 3))
        assert.deepStrictEqual([method.members, method.doc, method.symbol.purpose], [[], undefined, undefined])
        assert.deepStrictEqual(method.callers, [{ path: "box.ts", line: 6, name: "Box.close", lines: [7] }])
      }),
    ),
  )

  it.effect("is a row with its purpose in plain words, and why that is weak", () =>
    withProject({ "box.ts": box }, (project) =>
      Effect.gen(function* () {
        const { entry } = yield* foundAt(project, "box.ts", 3)
        // Some fields of an entry are on its prototype, which a spread leaves out.
        const purposeOf = (purpose: Purpose) =>
          IndexPages.symbolOf(Object.create(entry, { purpose: { value: purpose } })).purpose
        const written = { text: "Opens\u001b[31m it. What opens it?", origin: "model", stale: true } as const
        assert.deepStrictEqual(purposeOf(written), { text: "Opens it.", origin: "model", isStale: true })
        assert.deepStrictEqual(purposeOf({ ...written, model: "a/\u001b[31mb", weak: "it says\u202e little" }), {
          text: "Opens it.",
          origin: "model",
          model: "a/b",
          isStale: true,
          weak: "it says little",
        })
      }),
    ),
  )

  it.effect("is shown with 400 lines and 60 users and callees, and how many more there are", () => {
    const names = numbers(63)
    const text = `export function hub(): void {\n${"  0\n".repeat(340)}${names.map((n) => `  leaf${n}()\n`).join("")}}\n`
    return withProject(
      {
        "hub.ts": `import { ${names.map((n) => `leaf${n}`).join(", ")} } from "./leaves.ts"\n${text}`,
        "leaves.ts": names.map((n) => `export function leaf${n}(): void {}\n`).join(""),
        "users.ts": `import { hub } from "./hub.ts"\n${names.map((n) => `export function use${n}(): void { hub() }\n`).join("")}`,
      },
      (project) =>
        Effect.gen(function* () {
          const page = yield* IndexPages.symbolPage(project, yield* foundAt(project, "hub.ts", 2))
          assert.deepStrictEqual([page.source.length, page.moreLines], [400, 5])
          assert.deepStrictEqual([page.callers.length, page.moreCallers], [60, 3])
          assert.deepStrictEqual([page.callees.length, page.moreCallees], [60, 3])
          assert.deepStrictEqual(page.impact, [{ distance: 1, files: 1, symbols: 63 }])
        }),
    )
  })

  it.effect("is shown with five steps of its impact", () =>
    withProject(
      {
        "chain.ts": numbers(8)
          .map((n) => `export function step${n}(): void {${n === 0 ? "" : ` step${n - 1}() `}}\n`)
          .join(""),
      },
      (project) =>
        Effect.gen(function* () {
          const impactAt = (line: number) =>
            Effect.flatMap(foundAt(project, "chain.ts", line), (found) => IndexPages.symbolPage(project, found))
          const long = yield* impactAt(1)
          assert.deepStrictEqual(
            long.impact.map(({ distance, symbols }) => [distance, symbols]),
            numbers(5).map((n) => [n + 1, 1]),
          )
          assert.isTrue(long.isImpactComplete)
          assert.deepStrictEqual(
            long.callers.map(({ name }) => name),
            ["step1"],
          )
          const short = yield* impactAt(4)
          assert.lengthOf(short.impact, 4)
        }),
    ),
  )
})

describe("the picture of a symbol", () => {
  it.effect("has callers and callees in code before those in tests, and of them the most used ones", () => {
    const callers = numbers(9)
    return withProject(
      {
        "hub.ts": `import { rare, often } from "./leaves.ts"
import { helper } from "./test/helper.ts"
export function hub(n: number): void { helper(); rare(); often(); if (n > 0) hub(n - 1) }
`,
        "leaves.ts": `export function rare(): void {}
export function often(): void {}
`,
        "more.ts": 'import { often } from "./leaves.ts"\nexport function more(): void { often() }\n',
        "test/helper.ts": "export function helper(): void {}\n",
        "test/a.test.ts":
          'import { hub } from "../hub.ts"\nimport { helper } from "./helper.ts"\nexport function inTest(): void { hub(1); helper() }\nexport function again(): void { helper() }\n',
        "users.ts": `import { hub } from "./hub.ts"
${callers.map((n) => `export function use${n}(): void { hub(${n}) }\n`).join("")}export function last(): void { use8() }
export function other(): void { use8() }
`,
      },
      (project) =>
        Effect.gen(function* () {
          const { edges, more, nodes } = yield* IndexPages.graph(project, yield* foundAt(project, "hub.ts", 3))
          const drawn = (layer: number) => nodes.filter((node) => node.layer === layer).map(({ name }) => name)
          assert.deepStrictEqual(drawn(-1), ["use8", ...numbers(7).map((n) => `use${n}`)])
          assert.deepStrictEqual(drawn(-2), ["last", "other"])
          assert.deepStrictEqual(drawn(1), ["often", "rare", "helper"])
          assert.deepStrictEqual(more, [{ layer: -1, count: 2 }])
          assert.isTrue(edges.every(({ from, to }) => from !== to))
          assert.deepStrictEqual(nodes[0], {
            id: "hub.ts:3",
            path: "hub.ts",
            line: 3,
            name: "hub",
            kind: "function",
            layer: 0,
          })
        }),
    )
  })

  it.effect("tells a symbol from a caller of the same name in another file", () =>
    withProject(
      {
        "hub.ts": "export function hub(): void {}\n",
        "a.ts": 'import { hub as inner } from "./hub.ts"\nexport function hub(): void { inner() }\n',
        "b.ts": 'import { hub } from "./a.ts"\nexport function far(): void { hub() }\n',
        "c.ts": 'import { hub } from "./hub.ts"\nexport function near(): void { hub() }\n',
      },
      (project) =>
        Effect.gen(function* () {
          const { edges } = yield* IndexPages.graph(project, yield* foundAt(project, "hub.ts", 1))
          const to = (from: string) => edges.filter((edge) => edge.from === from).map((edge) => edge.to)
          assert.deepStrictEqual([to("a.ts:2"), to("c.ts:2")], [["hub.ts:1"], ["hub.ts:1"]])
        }),
    ),
  )

  it.effect("has a callee of the first layer there alone, without an edge within that layer", () =>
    withProject(
      {
        "hub.ts": `/** Begins. */
export function hub(): void { one(); two() }
/** Goes <b>first</b>. */
function one(): void { two(); three() }
function two(): void { three() }
function three(): void {}
`,
      },
      (project) =>
        Effect.gen(function* () {
          const { edges, more, nodes } = yield* IndexPages.graph(project, yield* foundAt(project, "hub.ts", 2))
          assert.deepStrictEqual(nodes.map(({ layer, name, purpose }) => [name, layer, purpose]).sort(), [
            ["hub", 0, "Begins."],
            ["one", 1, "Goes first."],
            ["three", 2, undefined],
            ["two", 1, undefined],
          ])
          assert.deepStrictEqual(more, [])
          assert.deepStrictEqual(edges.map(({ from, to }) => `${from} ${to}`).sort(), [
            "hub.ts:2 hub.ts:4",
            "hub.ts:2 hub.ts:5",
            "hub.ts:4 hub.ts:6",
            "hub.ts:5 hub.ts:6",
          ])
        }),
    ),
  )
})
