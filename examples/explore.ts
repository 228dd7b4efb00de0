/**
 * Explores a folder and asks the index a question: `node examples/explore.ts FOLDER QUESTION`.
 *
 * With GOOGLE_API_KEY a Gemini model explores. Without it the built-in guide does, so this runs without a network.
 * What is learned is kept in FOLDER/.vibe, where the command `vibe query` finds it as well.
 */
import { Config, Console, Effect, Layer, Option } from "effect"
import { Indexing, IndexingOrchestrator, IndexObserver, IndexStore, Workspace } from "vibe-index"
import { Gemini, Offline } from "vibe-index/provider"

const [folder = ".", ...words] = process.argv.slice(2)

const program = Effect.gen(function* () {
  // One run: at most 20 requests to the model. What it learned is on the disk, whatever ends it.
  const report = yield* IndexingOrchestrator.runGuidedExploration(folder)
  const { comment, model } = report.purposes
  yield* Console.log(`purposes: ${model} by a model, ${comment} from comments`)

  // The index of that folder, for reading. `openExisting` takes in what has changed since, without a model.
  const store = yield* IndexStore.IndexStore
  const { index } = yield* store.openExisting(yield* Workspace.open(folder))
  for (const { entry } of yield* index.search(words.join(" "), { limit: 3 })) {
    yield* Console.log(`${entry.path}:${entry.startLine} ${entry.qualifiedName}: ${entry.purpose?.text ?? "?"}`)
  }
})

/** The model is one layer among others: any `LanguageModel` does. */
const model = Layer.unwrapEffect(
  Effect.map(Config.option(Config.redacted("GOOGLE_API_KEY")), (key) =>
    Option.match(key, {
      onNone: () => Offline.layer,
      onSome: (apiKey) => Gemini.layer({ apiKey, model: "gemini-2.5-flash" }),
    }),
  ),
)

// The orchestrator over this machine's files. An observer shows the run; this one shows nothing.
const vibe = Indexing.layer.pipe(Layer.provide([model, IndexObserver.layerSilent]))

// Failures are typed (`FileError`, `ModelError`, `IndexError`, `ForestError`), each with a message for people.
await program.pipe(
  Effect.scoped,
  Effect.provide(vibe),
  Effect.catchAll((error) => {
    process.exitCode = 1
    return Console.error(error.message)
  }),
  Effect.runPromise,
)
