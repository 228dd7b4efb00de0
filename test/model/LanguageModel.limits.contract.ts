/** The contract of every provider's adapter: the limits of an answer, beyond which it is stopped or cut. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { isThorough } from "../thoroughness.ts"
import { hello, withoutWaiting } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { type Adapter, askThrough, call, finish, look, reasonOf, text } from "./LanguageModel.adapter.ts"

export const limits = (adapter: Adapter): void => {
  const {
    models: [model],
    name,
    open,
    wire,
  } = adapter
  const { anything, blocksOf, has } = askThrough(adapter)

  describe(`LanguageModel (${name}): limits of an answer`, () => {
    for (const [how, write] of [
      ["streamed", wire.streamed],
      ["whole", wire.whole],
    ] as const) {
      it.scoped.skipIf(write === undefined)(
        `emits a call that is nested too deeply as one that gets a result, ${how}`,
        () =>
          Effect.gen(function* () {
            const content = write?.([call("call_a", { path: "DEEP" }), finish("tool_calls")]) ?? assert.fail()
            // As JSON, or as JSON within a JSON string.
            const deep = (levels: number) =>
              content.body.replaceAll(/\\?"DEEP\\?"/g, "[".repeat(levels) + "]".repeat(levels))
            for (const levels of [2000, 5000, 100_000]) {
              const [block] = yield* blocksOf({ ...content, body: deep(levels) }, { ...hello, tools: [look] })
              assert.strictEqual(block?.type, "tool-use")
              if (block?.type !== "tool-use") return
              // It can be stored.
              assert.include(JSON.stringify(block), "[nested too deeply]")
              const result = yield* ToolRegistry.make([look]).execute(block, {
                node: NodeId.make("n-1"),
                callId: block.id,
                model: new ModelId({ provider: "test", name: model }),
              })
              assert.isTrue(result.isError)
              assert.include(result.text, "nested more than 128 levels deep")
            }
          }),
      )
    }

    // All wires share the check, so `npm test` sends the megabytes over one of them.
    it.scoped.runIf(isThorough || name === "openai")(
      "stops an answer without an end, without a retry, and closes the connection",
      () =>
        Effect.gen(function* () {
          const words = Array.from({ length: 9 }, () => text("round and round ".repeat(65_536)))
          const server = yield* FakeServer.serve([{ ...wire.streamed(words), ending: "hang" }])
          const { result } = yield* withoutWaiting((observer) =>
            Effect.either(open(model, server.url).generate(hello, observer)),
          )
          const reason = reasonOf(result)
          assert.strictEqual(reason._tag, "OutputLimit")
          assert.strictEqual(reason.message, "its answer has more than 8,388,608 characters")
          assert.lengthOf(server.requests, 1)
          yield* server.abandoned
        }),
    )

    // These wires count what they hold back of an answer. The others have only the check that all share.
    const counts = isThorough || ["openai", "openai-responses", "anthropic"].includes(name)
    it.scoped.runIf(counts && has("thousands of calls"))("stops an answer of thousands of calls, without a retry", () =>
      Effect.gen(function* () {
        const calls = Array.from({ length: 4097 }, (_, at) => call(`call_${at}`, { path: `${at}` }))
        const server = yield* FakeServer.serve([{ ...wire.streamed([...calls, finish("tool_calls")]), ending: "hang" }])
        const { result } = yield* withoutWaiting((observer) =>
          Effect.either(open(model, server.url).generate(anything, observer)),
        )
        const reason = reasonOf(result)
        assert.strictEqual(reason._tag, "OutputLimit")
        assert.strictEqual(reason.message, "its answer has more than 4,096 parts")
        assert.lengthOf(server.requests, 1)
        yield* server.abandoned
      }),
    )
  })
}
