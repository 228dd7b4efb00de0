import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as Introspect from "../../src/toolbox/Introspect.ts"
import { root, withScript } from "../utils/Looms.ts"

describe("introspect", () => {
  it.effect("returns the model, its position in the conversation and its usage", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const tools = ToolRegistry.make([Introspect.make(forest, ["read_file"])])
      const usage = { inputTokens: 30, outputTokens: 4, cachedTokens: 20, thinkingTokens: 1 }
      const [earlier] = yield* forest.append(id, [
        {
          message: { role: "assistant", content: [Block.text("Hello")] },
          source: { type: "model", model: "scripted/earlier", finish: "stop", usage },
        },
      ])
      const [final] = yield* engine.generate(earlier?.id ?? id, { text: "Who are you?", tools })
      const { nodes } = yield* forest.path(final?.id ?? id)
      const answer = nodes.find(({ message }) => message.role === "tool")
      assert.deepStrictEqual(JSON.parse(answer === undefined ? "" : Message.text(answer.message)), {
        model: "scripted/test",
        node: nodes[2]?.id,
        root: id,
        messages: 3,
        tools: ["read_file", "introspect"],
        usage,
      })
    }).pipe(withScript([Scripted.calls(["introspect"]), "I am a script."])),
  )
})
