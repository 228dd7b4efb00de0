/** The tools that conversations give to models, on real folders. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import * as CodeLayer from "../../../src/cli/layers/CodeLayer.ts"
import * as ReadOnlyTools from "../../../src/cli/layers/ReadOnlyTools.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import * as Block from "../../../src/message/Block.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import type * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

const project = Effect.map(temporaryFolder, (folder) => {
  fs.writeFileSync(
    path.join(folder, "stack.ts"),
    "/** Keeps what was put in last on top. */\nexport class Stack {\n  push(item: string): void {}\n}\n",
  )
  fs.writeFileSync(path.join(folder, "AGENTS.md"), "Run the tests.\n")
  return folder
})

const layer = Layer.merge(
  CodeLayer.layer,
  Layer.unwrapEffect(Effect.map(Ref.make<ReadonlyArray<Screen.Written>>([]), (written) => Screen.layerMemory(written))),
)

const makeIndex = (folder: string) =>
  Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    const index = yield* store.open(yield* Workspace.open(folder))
    yield* index.refresh
  }).pipe(Effect.scoped)

const call = ({ execute }: ToolRegistry.Service, name: string, parameters: Record<string, unknown>) =>
  execute(Block.toolUse("c1", name, parameters), {
    node: NodeId.make("n-1"),
    callId: "c1",
    model: new ModelId({ provider: "scripted", name: "test" }),
  })

describe("ReadOnlyTools", () => {
  it.scopedLive("have the same names with and without an index", () =>
    Effect.gen(function* () {
      const folder = yield* project
      const without = yield* ReadOnlyTools.available(folder)
      yield* makeIndex(folder)
      const indexed = yield* ReadOnlyTools.available(folder)
      const namesOf = ({ tools }: typeof indexed) => tools.tools.map(({ name }) => name)
      assert.deepStrictEqual(namesOf(without), namesOf(indexed))
      assert.include(namesOf(indexed), "find_symbols")
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("find symbols in a folder without an index, and write nothing there", () =>
    Effect.gen(function* () {
      const folder = yield* project
      const { findSymbols, prompt, tools } = yield* ReadOnlyTools.available(folder)
      const { text } = yield* call(tools, "find_symbols", { query: "what was put in last" })
      assert.match(text, /^stack\.ts:2-4 {2}class Stack\n {2}# Keeps what was put in last on top\./)
      assert.strictEqual(findSymbols.name, "find_symbols")
      assert.include(prompt([]), path.basename(folder))
      assert.include(prompt([]), "AGENTS.md")
      assert.isFalse(fs.existsSync(path.join(folder, ".vibe")))
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("name the places of further results, which the model puts in order itself", () =>
    Effect.gen(function* () {
      const folder = yield* project
      // The words of the question are in all of them, and the place that is meant matches least.
      for (const n of [1, 2, 3, 4, 5, 6])
        fs.writeFileSync(
          path.join(folder, `cache${n}.ts`),
          `/** Evicts old entries of the cache. */\nexport const evictOldEntries${n} = (cache: string) => cache\n`,
        )
      fs.writeFileSync(
        path.join(folder, "sweeper.ts"),
        `export const sweep = () => {\n${'  step("tick")\n'.repeat(40)}  drop("old entries")\n}\n`,
      )
      const { tools } = yield* ReadOnlyTools.available(folder)
      const answered = yield* call(tools, "find_symbols", { query: "evict old entries of the cache" })
      const [shown = "", further = ""] = answered.text.split("\nFurther places")
      assert.notInclude(shown, "sweeper.ts")
      assert.match(further, /\nsweeper\.ts +sweep 1-43/)
      const places = Array.from(answered.text.matchAll(/^(\w+\.ts)/gm), ([, place]) => place)
      assert.strictEqual(new Set(places).size, places.length)

      const fewer = yield* call(tools, "find_symbols", { query: "evict old entries of the cache", limit: 2 })
      const named = yield* call(tools, "find_symbols", { query: "sweep" })
      for (const { text } of [fewer, named]) assert.notInclude(text, "Further places")
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("find nothing in a folder without an index that its settings leave out of one", () =>
    Effect.gen(function* () {
      const folder = yield* project
      fs.mkdirSync(path.join(folder, ".vibe"))
      fs.writeFileSync(path.join(folder, ".vibe", "config.toml"), '[index]\nexclude = ["stack.ts"]\n')
      fs.writeFileSync(path.join(folder, "heap.ts"), "export const siftDown = (at: number) => at\n")
      const { tools } = yield* ReadOnlyTools.available(folder)
      assert.match((yield* call(tools, "find_symbols", { query: "sift down" })).text, /^heap\.ts:1-1/)
      assert.match((yield* call(tools, "find_symbols", { query: "put in last" })).text, /no symbol matches/)
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("see the changes that are made during a conversation", () =>
    Effect.gen(function* () {
      const folder = yield* project
      yield* makeIndex(folder)
      const { prompt, tools } = yield* ReadOnlyTools.available(folder)
      assert.include(prompt([]), "typescript (1 file); about 2 symbols")
      fs.writeFileSync(path.join(folder, "heap.ts"), "export const siftDown = (at: number) => at\n")
      const { text } = yield* call(tools, "find_symbols", { query: "sift down", limit: 1 })
      assert.match(text, /^heap\.ts:1-1 {2}function siftDown/)
      fs.rmSync(path.join(folder, "heap.ts"))
      const gone = yield* call(tools, "find_symbols", { query: "sift down", limit: 1 })
      assert.match(gone.text, /no symbol matches/)
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("search in a part of the folder, with words that the code may use", () =>
    Effect.gen(function* () {
      const folder = yield* project
      fs.mkdirSync(path.join(folder, "lib"))
      fs.writeFileSync(path.join(folder, "lib", "heap.ts"), "export function pushItem(item: string) {}\n")
      fs.writeFileSync(path.join(folder, "lib", "note.txt"), "push\n")
      const { tools } = yield* ReadOnlyTools.available(folder)
      const find = (parameters: Record<string, unknown>) =>
        Effect.map(call(tools, "find_symbols", parameters), ({ text }) => text)
      for (const lib of ["lib", "./lib/", "lib/heap.ts", path.join(folder, "lib")]) {
        const text = yield* find({ query: "push an item", path: lib })
        assert.match(text, /^lib\/heap\.ts:1-1 {2}function pushItem/, lib)
        assert.notInclude(text, "stack.ts")
      }
      assert.match(yield* find({ query: "enqueue", keywords: ["pushItem"] }), /^lib\/heap\.ts:1-1/)
      assert.match(yield* find({ query: "push", path: "lib/note.txt" }), /^\(no symbol matches/)
      assert.match(yield* find({ query: "push", path: "lib/heop.ts" }), /lib\/heop\.ts.*lib\/heap\.ts/)
      assert.match(yield* find({ query: "push", path: "../elsewhere" }), /^Error/)
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("say what is wrong with a question", () =>
    Effect.gen(function* () {
      const { tools } = yield* ReadOnlyTools.available(yield* project)
      const empty = yield* call(tools, "find_symbols", { query: "  " })
      assert.deepStrictEqual(
        [empty.text, empty.isError],
        ["Error: tool 'find_symbols' failed: the query is empty", true],
      )
      const wrong = yield* call(tools, "find_symbols", { query: "x", limit: 0 })
      assert.isTrue(wrong.isError)
    }).pipe(Effect.provide(layer)),
  )
})
