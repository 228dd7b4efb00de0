import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Ref } from "effect"
import * as VectorSearch from "../../../src/cli/layers/VectorSearch.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as Embedding from "../../../src/index/Embedding.ts"
import { IndexError, NotIndexed } from "../../../src/index/IndexError.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import * as HashedWords from "../../utils/HashedWords.ts"
import * as SharedSymbols from "../../utils/SharedSymbols.ts"
import * as VectorRoot from "../../utils/VectorRoot.ts"

const source = "/** Welcomes a visitor. */\nexport function greet() {}\n/** Adds. */\nexport function add() {}\n"

const answering: FakeServer.Answer = {
  body: JSON.stringify({ embeddings: [HashedWords.vectorOf("welcomes a visitor")] }),
}

/** The names that a search finds, and how many requests it sent. `set`: the settings of the environment. */
const find = Effect.fnUntraced(function* (
  question: string,
  { hasVectors, isSet }: { readonly hasVectors: boolean; readonly isSet: boolean },
) {
  const root = yield* VectorRoot.make
  fs.writeFileSync(path.join(root, "a.ts"), source)
  const server = yield* FakeServer.serve([answering])
  const settings = new Map([
    ["OLLAMA_HOST", server.url],
    ["HOME", root],
    ...(isSet ? [["VIBE_EMBEDDING_MODEL", "ollama/words"] as const] : []),
  ])
  const names = yield* Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    const index = yield* store.open(yield* Workspace.open(root))
    yield* index.refresh
    if (hasVectors) {
      const { embedder } = HashedWords.make()
      yield* Embedding.run({
        root,
        texts: yield* Embedding.textsOf(index),
        embedder: { ...embedder, id: "ollama/words/own/1" },
        parallel: 1,
        onProgress: () => Effect.void,
      })
    }
    return (yield* index.search(question, { limit: 5 })).map(({ entry }) => entry.name)
  }).pipe(
    Effect.scoped,
    Effect.provide(
      VectorSearch.layer(Sqlite.layer).pipe(Layer.provideMerge(Layer.merge(NodeFiles.layer, SharedSymbols.layer))),
    ),
    Effect.withConfigProvider(ConfigProvider.fromMap(settings)),
  )
  return { names, requests: server.requests.length }
})

describe("VectorSearch", () => {
  it.scoped("finds what vectors are near where there are vectors and the user has set their model", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* find("hospitality", { hasVectors: true, isSet: true }), {
        names: ["greet"],
        requests: 1,
      })
    }),
  )

  it.scoped("sends nothing, and finds by words, where one of the two is missing", () =>
    Effect.gen(function* () {
      for (const options of [
        { hasVectors: true, isSet: false },
        { hasVectors: false, isSet: true },
      ]) {
        assert.deepStrictEqual(yield* find("hospitality", options), { names: [], requests: 0 })
        assert.deepStrictEqual(yield* find("greet", options), { names: ["greet"], requests: 0 })
      }
    }),
  )
})

describe("VectorSearch.layer", () => {
  it.effect("opens an index as its caller says: refreshed at once, or later", () =>
    Effect.gen(function* () {
      const opened = yield* Ref.make<ReadonlyArray<unknown>>([])
      const fail = new IndexError({ path: "/repo", reason: new NotIndexed() })
      const store = Layer.succeed(IndexStore.IndexStore, {
        claim: () => fail,
        publish: () => Effect.void,
        progressOf: () => Effect.succeed(undefined),
        open: () => fail,
        openExisting: (_, options) =>
          Effect.zipRight(
            Ref.update(opened, (all) => [...all, options]),
            fail,
          ),
      })
      const workspace = yield* Effect.provide(Workspace.open("/repo"), Files.layerMemory({ "/repo/a.ts": "" }))
      yield* Effect.gen(function* () {
        const { openExisting } = yield* IndexStore.IndexStore
        yield* Effect.flip(openExisting(workspace))
        yield* Effect.flip(openExisting(workspace, { refresh: "later" }))
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.fresh(VectorSearch.layer(store))),
        Effect.provide(Files.layerMemory({})),
      )
      assert.deepStrictEqual(yield* Ref.get(opened), [undefined, { refresh: "later" }])
    }),
  )
})
