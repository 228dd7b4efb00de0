import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Ref, Stream, TestClock } from "effect"
import type { GenerateOptions } from "../../src/agent/GenerateOptions.ts"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, Overloaded, Unauthorized } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { assertWhole, finalError, tools } from "../utils/LoomRuns.ts"
import { events, layerOf, root, types, withScript } from "../utils/Looms.ts"
import * as TurnEvents from "../utils/TurnEvents.ts"

describe("LoomEngine.generateStream, abort", () => {
  it.effect("only emits an error when the signal is aborted already", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", signal: AbortSignal.abort("too late") })
      assert.deepStrictEqual(types(story), ["error"])
      assert.strictEqual(finalError(story).message, "Generation aborted: too late")
    }).pipe(withScript([])),
  )

  it.effect("ends at once while the model hangs, with one error", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const fiber = yield* Effect.fork(events({ text: "Go", signal: controller.signal }))
      yield* TestClock.adjust("1 second")
      controller.abort("user cancel")
      const story = yield* Fiber.join(fiber)
      assert.deepStrictEqual(types(story), ["provider_request", "error"])
      assert.strictEqual(finalError(story)._tag, "GenerationAbortedError")
    }).pipe(
      Effect.provide(
        layerOf(
          Layer.succeed(
            LanguageModel.LanguageModel,
            LanguageModel.make(new ModelId({ provider: "hanging", name: "test" }), () => Effect.never),
          ),
        ),
      ),
    ),
  )

  it.effect("sends no further request once it is aborted at a tool result", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const controller = new AbortController()
      const story = yield* engine.generateStream(id, { text: "Go", tools, signal: controller.signal }).pipe(
        Stream.tap((event) =>
          Effect.sync(() => {
            if (event.type === "tool_result_node") controller.abort("user cancel")
          }),
        ),
        Stream.runCollect,
      )
      assert.deepStrictEqual(types(Array.from(story)), [
        "provider_request",
        "provider_response",
        "assistant_node",
        "tool_result_node",
        "error",
      ])
    }).pipe(withScript([Scripted.calls(["echo", { text: "x" }])])),
  )

  it.effect("stops the run when its consumer stops", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const asked = yield* Ref.make(0)
      const onEvent = TurnEvents.onPart(() => Ref.update(asked, (n) => n + 1))
      yield* Stream.runDrain(Stream.take(engine.generateStream(id, { text: "Go", onEvent }), 1))
      assert.strictEqual(yield* Ref.get(asked), 0)
    }).pipe(withScript(["never said"])),
  )
})

describe("LoomEngine.generateStream: a reply that is stopped", () => {
  const half = [Part.Thinking({ text: "Hm." }), Part.Text({ text: "Half " }), Part.Text({ text: "of it" })]
  const call = Part.ToolUse({ name: "echo", parameters: { text: "x" } })

  /** Each attempt emits its parts and ends as scripted; reports when one hangs. */
  const attempts = (...script: ReadonlyArray<readonly [ReadonlyArray<Part>, ModelError | "hangs"]>) =>
    Effect.map(Deferred.make<void>(), (hangs) => {
      let count = 0
      const model = LanguageModel.make(new ModelId({ provider: "test", name: "half" }), (_, say) => {
        const [parts, end] = script[count++] ?? assert.fail("it was asked once more")
        const ending =
          end === "hangs" ? Effect.zipRight(Deferred.succeed(hangs, undefined), Effect.never) : Effect.fail(end)
        return Effect.zipRight(say(parts), ending)
      })
      return { model, hangs }
    })

  /** Says `Go`, and aborts once the model hangs; what the tree holds then, and how the run ended. */
  const aborted = (options: GenerateOptions, hangs: Deferred.Deferred<void>) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const controller = new AbortController()
      const fiber = yield* Effect.fork(events({ text: "Go", tools, ...options, signal: controller.signal }))
      yield* TestClock.adjust("1 minute")
      yield* Deferred.await(hangs)
      controller.abort("enough")
      const story = yield* Fiber.join(fiber)
      assert.strictEqual(finalError(story)._tag, "GenerationAbortedError")
      return { kept: yield* forest.subtree((yield* root).id), story }
    })

  const said = (nodes: ReadonlyArray<Node>) => nodes.map(({ message }) => [message.role, Message.text(message)])

  it.effect("is stored below the message it answers, without its calls", () =>
    Effect.gen(function* () {
      const { hangs, model } = yield* attempts([[...half, call], "hangs"])
      const stored: Array<Node> = []
      const onEvent = TurnEvents.onNode((node) => Effect.sync(() => stored.push(node)))
      const { kept, story } = yield* aborted({ model, keepUnfinished: true, onEvent }, hangs)
      assert.deepStrictEqual(types(story), ["provider_request", "error"])
      assert.deepStrictEqual(said(kept), [
        ["user", "Go"],
        ["assistant", "Half of it"],
      ])
      assert.deepStrictEqual(kept[1]?.message.content, [Block.text("Half of it")])
      assert.deepStrictEqual(kept[1]?.source, {
        type: "model",
        model: "test/half",
        finish: "interrupted",
        usage: Usage.none,
        took: 60_000,
      })
      assert.strictEqual(kept[1]?.parent, kept[0]?.id)
      assert.deepStrictEqual(stored, kept)
    }).pipe(withScript([])),
  )

  it.effect("is not stored by default, nor while it has no text", () =>
    Effect.gen(function* () {
      for (const [parts, keepUnfinished] of [
        [half, undefined],
        [[...half.slice(0, 1), Part.Text({ text: " \n" })], true],
      ] as const) {
        const { hangs, model } = yield* attempts([parts, "hangs"])
        assert.deepStrictEqual((yield* aborted({ model, keepUnfinished }, hangs)).kept, [])
      }
    }).pipe(withScript([])),
  )

  it.effect("is stored without the text of an attempt that was discarded", () =>
    Effect.gen(function* () {
      const busy = new ModelError({ model: "test/half", reason: new Overloaded({ message: "busy" }) })
      const { hangs, model } = yield* attempts([[Part.Text({ text: "Void." })], busy], [half, "hangs"])
      const { kept } = yield* aborted({ model, keepUnfinished: true }, hangs)
      assert.deepStrictEqual(said(kept).slice(1), [["assistant", "Half of it"]])
    }).pipe(withScript([])),
  )

  it.effect("is not stored where the model itself failed", () =>
    Effect.gen(function* () {
      const failure = new ModelError({ model: "test/half", reason: new Unauthorized({ message: "no" }) })
      const { model } = yield* attempts([half, failure])
      const story = yield* events({ text: "Go", model, keepUnfinished: true })
      assert.strictEqual(finalError(story)._tag, "ModelError")
      const forest = yield* Forest.Forest
      assert.deepStrictEqual(yield* forest.subtree((yield* root).id), [])
    }).pipe(withScript([])),
  )

  it.effect("is stored below the tool results that it follows, without the text of the previous reply", () =>
    Effect.gen(function* () {
      const hangs = yield* Deferred.make<void>()
      const scripted = yield* Scripted.make([
        { text: "I look.", ...Scripted.calls(["echo", { text: "x" }]) },
        "It is x",
      ])
      let count = 0
      const part = ({ _tag }: Part) => {
        if (_tag !== "Finish" || ++count < 2) return Effect.void
        return Effect.zipRight(Deferred.succeed(hangs, undefined), Effect.never)
      }
      const { kept } = yield* aborted(
        { model: scripted, keepUnfinished: true, onEvent: TurnEvents.onPart(part) },
        hangs,
      )
      assert.deepStrictEqual(said(kept), [
        ["user", "Go"],
        ["assistant", "I look."],
        ["tool", '{"echo":"x"}'],
        ["assistant", "It is x"],
      ])
      assertWhole(kept.map(({ message }) => message))
    }).pipe(withScript([])),
  )

  it.effect("is stored where the stream is cancelled, even at the end of the reply", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const run = engine.generateStream(id, { text: "Go", keepUnfinished: true })
      const last = yield* Stream.runLast(Stream.take(run, 2))
      assert.strictEqual(Option.getOrThrow(last).type, "provider_response")
      assert.deepStrictEqual(said(yield* forest.subtree(id)), [
        ["user", "Go"],
        ["assistant", "All of it"],
      ])
    }).pipe(withScript(["All of it"])),
  )

  it.effect("reports all stored nodes in order, also those after the stream is cancelled", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const stored: Array<Node> = []
      const onEvent = TurnEvents.onNode((node) => Effect.sync(() => stored.push(node)))
      const run = engine.generateStream(id, { text: "Go", tools, onEvent })
      yield* Stream.runDrain(Stream.takeUntil(run, ({ type }) => type === "assistant_node"))
      assert.deepStrictEqual(
        stored.map(({ message }) => message.role),
        ["user", "assistant", "tool"],
      )
      assert.deepStrictEqual(stored, yield* forest.subtree(id))
    }).pipe(withScript([Scripted.calls(["echo", { text: "x" }])])),
  )
})
