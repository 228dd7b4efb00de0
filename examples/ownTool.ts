/**
 * Lets a model call a tool of your own, in a conversation and in an index run: `node examples/ownTool.ts`.
 *
 * The model is scripted, so that this prints the same everywhere: it calls the tool, reads the result, and answers.
 * Put `Gemini.layer`, `Anthropic.layer`, `OpenAiCompatible.layer` or `Ollama.layer` in its
 * place, and a real one decides.
 */
import { Console, Effect, Layer, Schema, Stream } from "effect"
import {
  Forest,
  Ids,
  Indexing,
  IndexingOrchestrator,
  IndexObserver,
  LoomEngine,
  Message,
  Tool,
  ToolRegistry,
} from "vibe-index"
import { SqliteForestStore } from "vibe-index/forest"
import { Scripted } from "vibe-index/provider"

/** Arguments are an Effect Schema: the model is shown it as JSON Schema, and `run` receives what was decoded by it. */
const wordCount = Tool.make({
  name: "word_count",
  description: "Counts the words of a text.",
  parameters: Schema.Struct({ text: Schema.String.annotations({ description: "The text to count" }) }),
  // It changes nothing, so several calls of one turn run at the same time.
  readOnly: true,
  run: ({ text }) =>
    text.trim() === ""
      ? // A failure is a result, too: the model reads it and may try again.
        Tool.fail("the text is empty")
      : Effect.succeed(String(text.trim().split(/\s+/).length)),
})

/**
 * What is built over this layer offers the tool: an index run beside its own tools, a
 * conversation where it names no others.
 */
const tools = ToolRegistry.layer([wordCount])

const conversation = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const engine = yield* LoomEngine.LoomEngine

  // A conversation is a path in a tree. Its root holds the system prompt.
  const root = yield* forest.root({ owner: "example", systemPrompt: "You count words." })
  const events = engine.generateStream(root.id, {
    text: "How many words has 'to be or not to be'?",
    // Requests whose answer calls tools. Every call is answered, also when the run is interrupted.
    maxToolIterations: 5,
  })
  yield* Stream.runForEach(events, (event) => {
    switch (event.type) {
      case "tool_result_node":
        return Console.log(`tool: ${Message.text(event.node.message)}`)
      case "done":
        return Effect.forEach(event.final, ({ message }) => Console.log(`model: ${Message.text(message)}`))
      case "error":
        return Console.error(event.error.message)
      default:
        return Effect.void
    }
  })
})

const model = Scripted.layer([Scripted.calls(["word_count", { text: "to be or not to be" }]), "It has six words."])

// The conversation is kept in memory, and gone with the program.
const vibe = LoomEngine.layer.pipe(
  Layer.provideMerge(Forest.layer),
  Layer.provide([model, SqliteForestStore.layerMemory, Ids.layer, tools]),
)

await Effect.runPromise(Effect.provide(conversation, vibe))

// The same tool in an index run, over a repository in memory. `Indexing.layer` takes it as `Indexing.layerMemory` does.
const exploration = Effect.gen(function* () {
  const report = yield* IndexingOrchestrator.runGuidedExploration("/repo")
  yield* Console.log(`${report.toolCalls} calls, ${report.purposesWritten} purpose`)
})

const explorer = Scripted.layer([
  Scripted.calls(["word_count", { text: "export const add" }]),
  "One file, which adds.",
  Scripted.calls([
    "create_index_entry",
    { entries: [{ path: "add.ts", symbol: "add", purpose: "The sum of two values." }] },
  ]),
])
const index = Indexing.layerMemory({ "/repo/add.ts": "export const add = (a: number, b: number) => a + b" }).pipe(
  Layer.provide([explorer, IndexObserver.layerSilent, tools]),
)

await Effect.runPromise(Effect.provide(exploration, index))
