/**
 * A provider of your own: `node examples/ownModel.ts`.
 *
 * `LanguageModel.make` makes a model of one operation, an attempt at an answer. Retries, budgets,
 * recordings and the loop over tools come with it. This one answers with the words of the user backwards,
 * after its first attempt has failed.
 */
import { Console, Effect, Either, Layer, Stream } from "effect"
import {
  Forest,
  Ids,
  LanguageModel,
  LoomEngine,
  Message,
  ModelError,
  ModelId,
  Reply,
  SqliteForestStore,
  Usage,
} from "vibe-index"

/** `parse` gives an `Either`: a text without a provider or a name is an error message. */
const id = Either.getOrThrowWith(ModelId.parse("mirror/backwards"), (message) => new Error(message))

let attempts = 0

const model = LanguageModel.make(id, (request, emit) =>
  Effect.gen(function* () {
    attempts += 1
    if (attempts === 1) {
      // The error has the id as a text. `isRetryable` of the reason decides whether it is tried again.
      return yield* new ModelError.ModelError({
        model: String(id),
        reason: new ModelError.Overloaded({ message: "the mirror is busy" }),
      })
    }
    const words = Message.text(request.messages.at(-1) ?? Message.user("")).split(" ")
    // Parts are emitted as they arrive, `Finish` last. `usage` is what the provider has counted.
    for (const word of words.reverse()) yield* emit([Reply.Part.Text({ text: `${word} ` })])
    yield* emit([Reply.Part.Finish({ reason: "stop", usage: { ...Usage.none, outputTokens: words.length } })])
  }),
)

const conversation = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const engine = yield* LoomEngine.LoomEngine
  const root = yield* forest.root({ owner: "example", systemPrompt: "" })
  yield* Stream.runForEach(engine.generateStream(root.id, { text: "one two three" }), (event) =>
    event.type === "done"
      ? Effect.forEach(event.final, ({ message }) => Console.log(Message.text(message).trim()), { discard: true })
      : Effect.void,
  )
  yield* Console.log(`${attempts} attempts`)
})

const vibe = LoomEngine.layer.pipe(
  Layer.provideMerge(Forest.layer),
  Layer.provide([Layer.succeed(LanguageModel.LanguageModel, model), SqliteForestStore.layerMemory, Ids.layer]),
)

await Effect.runPromise(Effect.provide(conversation, vibe))
