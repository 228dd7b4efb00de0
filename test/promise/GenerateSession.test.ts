import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, ManagedRuntime, Schema } from "effect"
import { ToolsOnlySupportNSingletonError } from "../../src/agent/GenerateError.ts"
import type { GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../src/agent/GenerateOptions.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { generate, generateStream } from "../../src/promise/GenerateSession.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { layerOf, root, types } from "../utils/Looms.ts"
import * as TurnEvents from "../utils/TurnEvents.ts"

const tools = ToolRegistry.make([
  Tool.make({
    name: "echo",
    description: "Says it again.",
    parameters: Schema.Struct({ text: Schema.String }),
    run: ({ text }) => Effect.succeed(text),
  }),
])

/** The kernel in memory, on a runtime of its own that ends with the test, and a tree for the conversation. */
const kernel = (model: Layer.Layer<LanguageModel.LanguageModel>) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.acquireRelease(
      Effect.sync(() => ManagedRuntime.make(layerOf(model))),
      (runtime) => runtime.disposeEffect,
    )
    const { id } = yield* Effect.promise(() => runtime.runPromise(root))
    const session = (options?: GenerateOptions) => generateStream(runtime, id, options)
    const stored = Effect.promise(() =>
      runtime.runPromise(Effect.flatMap(Forest.Forest, (forest) => forest.children(id))),
    )
    return { id, runtime, session, stored }
  })

/** Says the lines in order, and counts how often it was asked. */
const counted = (lines: ReadonlyArray<Scripted.Line>) => {
  let asked = 0
  const model = Scripted.layer((_, index) => {
    asked++
    return lines[index] ?? "nothing more"
  })
  return { model, asked: () => asked }
}

/** Never answers; reports when it is asked and when it is interrupted. */
const hanging = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const letGo = yield* Deferred.make<void>()
  const attempt = () =>
    Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never).pipe(
      Effect.onInterrupt(() => Deferred.succeed(letGo, undefined)),
    )
  const model = LanguageModel.make(new ModelId({ provider: "hanging", name: "test" }), attempt)
  return { model: Layer.succeed(LanguageModel.LanguageModel, model), asked, letGo }
})

const all = async (session: AsyncIterable<GenerateEvent>) => {
  const events: Array<GenerateEvent> = []
  for await (const event of session) events.push(event)
  return events
}

const messageOf = (event: GenerateEvent | undefined) => (event?.type === "error" ? event.error.message : undefined)

describe("GenerateSession", () => {
  it.scopedLive("tells a run to its end", () =>
    Effect.gen(function* () {
      const { session } = yield* kernel(Scripted.layer([Scripted.calls(["echo", { text: "x" }]), "done"]))
      const events = yield* Effect.promise(() => all(session({ text: "Go", tools })))
      assert.deepStrictEqual(types(events), [
        "provider_request",
        "provider_response",
        "assistant_node",
        "tool_result_node",
        "provider_request",
        "provider_response",
        "assistant_node",
        "done",
      ])
    }),
  )

  it.scopedLive("has an id of its own", () =>
    Effect.gen(function* () {
      const { session } = yield* kernel(Scripted.layer([]))
      const sessions = [session(), session()]
      for (const { id } of sessions) assert.match(id, /^\w+$/)
      assert.notStrictEqual(sessions[0]?.id, sessions[1]?.id)
    }),
  )

  it.scopedLive("does nothing before it is iterated", () =>
    Effect.gen(function* () {
      const { asked, model } = counted(["never said"])
      const { session } = yield* kernel(model)
      const waiting = session({ text: "Go" })
      waiting[Symbol.asyncIterator]()
      yield* Effect.repeatN(Effect.yieldNow(), 50)
      assert.strictEqual(asked(), 0)
    }),
  )

  it.scopedLive("can be iterated once", () =>
    Effect.gen(function* () {
      const { session } = yield* kernel(Scripted.layer(["Hello"]))
      const once = session({ text: "Go" })
      yield* Effect.promise(() => all(once))
      assert.throws(() => once[Symbol.asyncIterator](), "GenerateSession can only be iterated once.")
    }),
  )

  it.scopedLive("asks no model when its signal is aborted already", () =>
    Effect.gen(function* () {
      const { asked, model } = counted(["never said"])
      const { session } = yield* kernel(model)
      const events = yield* Effect.promise(() => all(session({ text: "Go", signal: AbortSignal.abort("too late") })))
      assert.deepStrictEqual(types(events), ["error"])
      assert.strictEqual(messageOf(events[0]), "Generation aborted: too late")
      assert.strictEqual(asked(), 0)
    }),
  )

  it.scopedLive("asks no model when it was aborted before it is iterated", () =>
    Effect.gen(function* () {
      const { asked, model } = counted(["never said"])
      const { session } = yield* kernel(model)
      const aborted = session({ text: "Go" })
      aborted.abort()
      const events = yield* Effect.promise(() => all(aborted))
      assert.deepStrictEqual(types(events), ["error"])
      assert.strictEqual(messageOf(events[0]), "Generation aborted")
      assert.strictEqual(asked(), 0)
    }),
  )

  it.scopedLive("asks the model once when it is aborted at a tool's result", () =>
    Effect.gen(function* () {
      const { asked, model } = counted([Scripted.calls(["echo", { text: "x" }]), "never said"])
      const { session } = yield* kernel(model)
      const run = session({ text: "Go", tools })
      const events: Array<GenerateEvent> = []
      yield* Effect.promise(async () => {
        for await (const event of run) {
          events.push(event)
          if (event.type === "tool_result_node") run.abort("user cancel")
        }
      })
      assert.deepStrictEqual(types(events).slice(-2), ["tool_result_node", "error"])
      assert.strictEqual(messageOf(events.at(-1)), "Generation aborted: user cancel")
      assert.strictEqual(asked(), 1)
    }),
  )

  it.scopedLive.each(["its own abort", "the signal it was given"])(
    "ends promptly while the model hangs, by %s",
    (way) =>
      Effect.gen(function* () {
        const { asked, letGo, model } = yield* hanging
        const { session, stored } = yield* kernel(model)
        const controller = new AbortController()
        const run = session({ text: "Go", signal: controller.signal })
        const events = all(run)
        yield* Deferred.await(asked)
        if (way === "its own abort") run.abort("user cancel")
        else controller.abort("user cancel")
        const told = yield* Effect.promise(() => events)
        assert.deepStrictEqual(types(told), ["provider_request", "error"])
        assert.strictEqual(messageOf(told[1]), "Generation aborted: user cancel")
        yield* Deferred.await(letGo)
        assert.lengthOf(yield* stored, 0)
      }),
  )

  it.scopedLive("does not run ahead of its consumer", () =>
    Effect.gen(function* () {
      const { asked, model } = counted(["Hello"])
      const { session } = yield* kernel(model)
      const iterator = session({ text: "Go" })[Symbol.asyncIterator]()
      const request = yield* Effect.promise(() => iterator.next())
      assert.deepInclude(request.value, { type: "provider_request" })
      yield* Effect.repeatN(Effect.yieldNow(), 50)
      assert.strictEqual(asked(), 0)
      yield* Effect.promise(() => iterator.next())
      assert.strictEqual(asked(), 1)
    }),
  )

  it.scopedLive("stops the run when the loop over it is left, with every call on the path answered", () =>
    Effect.gen(function* () {
      const { asked, model } = counted([Scripted.calls(["echo", { text: "x" }]), "never said"])
      const { runtime, session } = yield* kernel(model)
      const left = yield* Effect.promise(async () => {
        for await (const event of session({ text: "Go", tools })) if (event.type === "assistant_node") return event.node
      })
      const stored = Effect.flatMap(Forest.Forest, (forest) => forest.children(left?.id ?? assert.fail("no answer")))
      const answers = yield* Effect.promise(() => runtime.runPromise(stored))
      assert.deepStrictEqual(
        answers.map(({ message }) => Message.text(message)),
        ["Error: tool 'echo' was interrupted; it may or may not have run"],
      )
      assert.strictEqual(asked(), 1)
    }),
  )

  it.scopedLive("lets the model go when its iterator is left in the middle of a call", () =>
    Effect.gen(function* () {
      const { asked, letGo, model } = yield* hanging
      const { session, stored } = yield* kernel(model)
      const iterator = session({ text: "Go" })[Symbol.asyncIterator]()
      yield* Effect.promise(() => iterator.next())
      const pending = iterator.next()
      yield* Deferred.await(asked)
      yield* Effect.promise(async () => iterator.return?.())
      yield* Deferred.await(letGo)
      assert.strictEqual(messageOf((yield* Effect.promise(() => pending)).value), "Generation aborted")
      assert.lengthOf(yield* stored, 0)
    }),
  )

  it.scopedLive("names a missing node", () =>
    Effect.gen(function* () {
      const { runtime } = yield* kernel(Scripted.layer([]))
      const events = yield* Effect.promise(() => all(generateStream(runtime, "nowhere" as NodeId)))
      assert.deepStrictEqual(types(events), ["error"])
      assert.strictEqual(messageOf(events[0]), "Node not found: nowhere")
    }),
  )

  it.scopedLive("rejects where the program is broken", () =>
    Effect.gen(function* () {
      const { session } = yield* kernel(Scripted.layer(["Hello"]))
      const broken = TurnEvents.onPart(() => Effect.die(new Error("broken sink")))
      const failure = yield* Effect.flip(Effect.tryPromise(() => all(session({ text: "Go", onEvent: broken }))))
      assert.include(String(failure.error), "broken sink")
    }),
  )
})

describe("generate", () => {
  it.scopedLive("gives the answers of a run", () =>
    Effect.gen(function* () {
      const { id, runtime } = yield* kernel(Scripted.layer([Scripted.calls(["echo", { text: "x" }]), "done"]))
      const nodes = yield* Effect.promise(() => generate(runtime, id, { text: "Go", tools }))
      assert.deepStrictEqual(
        nodes.map(({ message }) => Message.text(message)),
        ["done"],
      )
    }),
  )

  it.scopedLive("rejects with the error of a run", () =>
    Effect.gen(function* () {
      const { id, runtime } = yield* kernel(Scripted.layer([]))
      const error = yield* Effect.flip(
        Effect.tryPromise({ try: () => generate(runtime, id, { n: 2, tools }), catch: (error) => error }),
      )
      assert.instanceOf(error, ToolsOnlySupportNSingletonError)
    }),
  )
})
