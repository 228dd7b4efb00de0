/** The arm of `peers/loop`: one conversation of a user with a Gemini that calls one tool, until a text comes. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import * as Gemini from "../../src/provider/gemini/Gemini.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

interface Conversation {
  readonly url: string
  readonly turns: number
  readonly tool: (parameters: { readonly path: string; readonly line: number }) => string
  readonly onText: (text: string) => void
}

/** Resolves to the last text. */
export const run = ({ onText, tool, turns, url }: Conversation): Promise<string> => {
  const probe = Tool.make({
    name: "probe",
    description: "Looks at one line of a file.",
    parameters: Schema.Struct({ path: Schema.String, line: Schema.Int }),
    readOnly: true,
    run: (parameters) => Effect.sync(() => tool(parameters)),
  })
  const model = Gemini.layer({ apiKey: Redacted.make("none"), model: "fake-1", baseUrl: url })
  const program = Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const loom = yield* LoomEngine.LoomEngine
    const root = yield* forest.root({ owner: "bench", systemPrompt: "" })
    const nodes = yield* loom.generate(root.id, {
      text: "Go.",
      tools: ToolRegistry.make([probe]),
      maxToolIterations: turns + 1,
      onEvent: (event) =>
        Effect.sync(() => {
          if (event._tag === "PartReceived" && event.part._tag === "Text") onText(event.part.text)
        }),
    })
    return nodes.map(({ message }) => Message.text(message)).join("")
  })
  const forest = Layer.provide(Forest.layer, Layer.merge(SqliteForestStore.layerMemory, Ids.layer))
  return Effect.runPromise(Effect.provide(program, Layer.provideMerge(LoomEngine.layer, Layer.merge(forest, model))))
}
