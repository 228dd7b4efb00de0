import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as RepoMap from "../../src/lookup/RepoMap.ts"
import * as Tokens from "../../src/message/Tokens.ts"
import { workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const symbolOf = (path: string, name: string, startLine: number, container: string | undefined, signature: string) =>
  new IndexEntry({
    path,
    name,
    container,
    kind: container === undefined ? "class" : "method",
    startLine,
    endLine: startLine,
    signature,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
  })

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 40 }), fc.constant("漢字の名前"), fc.constant("a\nb"))

const facts: fc.Arbitrary<RepoMap.Facts> = fc.record({
  about: fc.array(text, { maxLength: 30 }),
  folders: fc.array(
    fc.record({
      path: text,
      files: fc.nat(),
      symbols: fc.nat(),
      purpose: fc.option(text, { nil: undefined }),
      source: fc.constant(undefined),
    }),
    { maxLength: 14 },
  ),
  symbols: fc.array(
    fc
      .tuple(
        fc.constantFrom("a.ts", "src/b.ts", "c/d.ts"),
        fc.constantFrom("A", "B", "C"),
        fc.nat(99),
        fc.boolean(),
        text,
      )
      .map(([path, name, line, isMember, signature]) =>
        symbolOf(path, name, line, isMember ? "A" : undefined, signature),
      ),
    { maxLength: 80 },
  ),
})

const displayPath = (path: string) => path

describe("RepoMap.fit", () => {
  it.prop(
    "never takes more tokens than are allowed, and lists the most important symbols",
    [facts, fc.nat(2_000)],
    ([facts, tokens]) => {
      const map = RepoMap.fit(facts, tokens, displayPath)
      assert.isAtMost(map.tokens, tokens)
      assert.isAtMost(Math.floor(0.3 * Tokens.lengthOf(map.text)), tokens)
      const listed = map.files.flatMap(({ symbols }) => symbols)
      assert.sameMembers(listed, facts.symbols.slice(0, listed.length))
      assert.deepStrictEqual(RepoMap.fit(facts, tokens, displayPath), map)
    },
  )

  it("puts members below their type, and names it where it is not listed", () => {
    const symbols = [
      symbolOf("src/a.ts", "A", 3, undefined, "class A"),
      symbolOf("src/a.ts", "run", 5, "A", "run(): void"),
      symbolOf("src/b.ts", "stop", 9, "B", "stop(): void"),
    ]
    const folder = { path: "src/", files: 2, symbols: 3, purpose: "Does it.", source: "src/README.md" }
    assert.strictEqual(
      RepoMap.fit({ about: ["package.json: it"], folders: [folder], symbols }, 200, displayPath).text,
      [
        "package.json: it",
        "",
        "src/ (2 files, 3 symbols)  Does it.",
        "",
        "src/a.ts",
        "  3 class A",
        "    5 run(): void",
        "src/b.ts",
        "  9 B: stop(): void",
      ].join("\n"),
    )
  })

  it("cuts long lines, and leaves out what does not fit from the end", () => {
    const symbols = Array.from({ length: 50 }, (_, n) => symbolOf(`${n}.ts`, "A", 1, undefined, "x".repeat(200)))
    const lines = RepoMap.fit({ about: [], folders: [], symbols }, 100, displayPath).text.split("\n")
    assert.deepStrictEqual(
      lines.filter((line) => line.endsWith(".ts")),
      ["0.ts", "1.ts", "2.ts"],
    )
    assert.isAtMost(Math.max(...lines.map(({ length }) => length)), 102)
  })
})

describe("RepoMap.read", () => {
  const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)
  const files = {
    "package.json": '{"name": "mail", "description": "Sends mail"}',
    "README.md": "# Mail\n\n![badge](x)\n\nKeeps a queue of letters until they are sent.\n",
    "core/README.md": "# core\n\nThe queue, and its storage on disk.\n",
    "core/queue.ts":
      'import { Letter } from "./letter.ts"\nexport class Queue {\n  push(letter: Letter) {}\n}\nexport function rarely() {}\n',
    "core/letter.ts": "export class Letter {}\n",
    "web/server.ts":
      'import { Queue } from "../core/queue.ts"\nimport { Letter } from "../core/letter.ts"\nexport function serve(queue: Queue) {\n  queue.push(new Letter())\n}\n',
    "test/queue.test.ts": 'import { rarely } from "../core/queue.ts"\nexport function testIt() {\n  rarely()\n}\n',
  }
  const read = (path: string, map?: string) =>
    Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      const folder = yield* workspace("/p", files)
      const index = yield* store.open(folder)
      yield* index.refresh
      if (map !== undefined) yield* index.recordMap(map)
      return yield* RepoMap.read({ workspace: folder, index }, path, 1_000)
    }).pipe(Effect.scoped, Effect.provide(layer))

  it.effect("quotes what folders are for, and begins with what sets the code going, then what it is built on", () =>
    Effect.gen(function* () {
      const { about, folders, symbols } = yield* read(".")
      assert.deepStrictEqual(about, [
        "package.json: mail, Sends mail",
        "README.md: Keeps a queue of letters until they are sent.",
      ])
      assert.deepStrictEqual(
        folders.map(({ path, purpose, source }) => [path, purpose, source]),
        [
          ["core/*", "The queue, and its storage on disk.", "core/README.md"],
          ["web/", undefined, undefined],
          ["test/", undefined, undefined],
        ],
      )
      assert.deepStrictEqual(
        symbols.map(({ qualifiedName }) => qualifiedName),
        ["serve", "Letter", "Queue", "Queue.push", "rarely"],
      )
    }),
  )

  it.effect("begins with the recorded map, and is restricted to a folder or a file", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* read(".", "A mailer.\n\nQueue first.")).about, ["A mailer.", "", "Queue first."])
      const web = yield* read("web", "A mailer.")
      assert.deepStrictEqual([web.about, web.symbols.map(({ name }) => name)], [[], ["serve"]])
      const file = yield* read("core/letter.ts")
      assert.deepStrictEqual([file.folders, file.symbols.map(({ name }) => name)], [[], ["Letter"]])
    }),
  )
})
