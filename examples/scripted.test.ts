/**
 * Tests of what a model leads to, without a model: `npx vitest run --root examples`.
 *
 * `Scripted` answers with what a test gives it, and `Indexing.layerMemory` holds a repository in memory. So there is no
 * disk, no network, no key, and every run is the same.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Indexing, IndexingOrchestrator, IndexObserver, IndexStore, Workspace } from "vibe-index"
import { Scripted } from "vibe-index/provider"

const repository = { "/repo/add.ts": "export const add = (a: number, b: number) => a + b" }

/** What a run is given: a repository in memory, and a model that says these lines, one a request. */
const scriptedRun = (...script: ReadonlyArray<Scripted.Line>) =>
  Indexing.layerMemory(repository).pipe(Layer.provide([Scripted.layer(script), IndexObserver.layerSilent]))

const explain = (symbol: string, purpose: string) =>
  Scripted.calls(["create_index_entry", { entries: [{ path: "add.ts", symbol, purpose }] }])

it.scoped("finds a symbol by the purpose that the model gave it", () =>
  Effect.gen(function* () {
    yield* IndexingOrchestrator.runGuidedExploration("/repo")
    const store = yield* IndexStore.IndexStore
    const { index } = yield* store.openExisting(yield* Workspace.open("/repo"))
    const [hit] = yield* index.search("sum of two values", { limit: 1 })
    assert.strictEqual(hit?.entry.name, "add")
  }).pipe(Effect.provide(scriptedRun(explain("add", "The sum of two values."), "That is all."))),
)

it.effect("keeps nothing about a symbol that is not in the code", () =>
  Effect.gen(function* () {
    const report = yield* IndexingOrchestrator.runGuidedExploration("/repo")
    assert.strictEqual(report.purposesWritten, 0)
  }).pipe(Effect.provide(scriptedRun(explain("subtract", "Subtracts."), "That is all."))),
)

it.effect("shows the model the code that it asks for", () =>
  Effect.gen(function* () {
    let seen = ""
    // In place of lines, a script may be a function of the request that is sent.
    const model = Scripted.layer((request, index) => {
      if (index === 0) return Scripted.calls(["read_file", { path: "add.ts" }])
      seen = JSON.stringify(request.messages.at(-1))
      return "I have seen it."
    })
    const vibe = Indexing.layerMemory(repository).pipe(Layer.provide([model, IndexObserver.layerSilent]))
    yield* Effect.provide(IndexingOrchestrator.runGuidedExploration("/repo"), vibe)
    assert.include(seen, "a + b")
  }),
)
