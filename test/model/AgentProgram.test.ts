import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Stream, TestClock } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as AgentProgram from "../../src/model/AgentProgram.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, ProgramFailed, TimedOut } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"

const { Stderr, Stdout } = AgentProgram.Output

/** An agent with this output for every prompt, and the prompts it received. */
const agentWith = (outputs: Stream.Stream<AgentProgram.Output, ModelError>) => {
  const prompts: Array<string> = []
  const agent: AgentProgram.Service = {
    id: new ModelId({ provider: "cli", name: "test" }),
    name: "test",
    format: "xml",
    abilities: { streams: true, readsFiles: false },
    ready: Effect.void,
    ask: (prompt) => {
      prompts.push(prompt)
      return outputs
    },
  }
  return { prompts, model: AgentProgram.toModel(agent) }
}

const words = (...texts: ReadonlyArray<string>) => Stream.fromIterable(texts.map((text) => Stdout({ text })))

const asking = (content: Message.User["content"] = [Block.text("why?")]): Request => ({
  system: "Be brief.",
  messages: [{ role: "user", content }],
  tools: [],
})

const failure = (reason: ModelError["reason"]) => new ModelError({ model: "cli/test", reason })

describe("Agent.toModel", () => {
  it.effect("renders a conversation as one prompt, and answers with stdout", () =>
    Effect.gen(function* () {
      const { model, prompts } = agentWith(
        Stream.make(Stdout({ text: "Be" }), Stderr({ text: "(thinking)" }), Stdout({ text: "cause." })),
      )
      assert.deepStrictEqual(yield* model.generate(asking()), {
        blocks: [Block.text("Because.")],
        finish: "stop",
        usage: Usage.none,
        model: model.id,
      })
      assert.deepStrictEqual(prompts, ["<system>\nBe brief.\n</system>\n\nUser: why?\nAssistant:"])
    }),
  )

  it.effect("emits text as it arrives, without the white space around it", () =>
    Effect.gen(function* () {
      const { model } = agentWith(words("\n ", "\n a", " ", "\n", "b ", " c \n", "\n"))
      const parts = yield* Stream.runCollect(model.stream(asking()))
      assert.deepStrictEqual(Array.from(parts), [
        Part.Text({ text: "a" }),
        Part.Text({ text: " \nb" }),
        Part.Text({ text: "  c" }),
        Part.Finish({ reason: "stop", usage: Usage.none }),
      ])
    }),
  )

  it.effect("passes its options on, and all output to the listener", () =>
    Effect.gen(function* () {
      const outputs = [Stdout({ text: " a" }), Stderr({ text: "(hm)" }), Stdout({ text: "b " })]
      const heard: Array<AgentProgram.Output> = []
      const askings: Array<AgentProgram.Asking | undefined> = []
      const asked: AgentProgram.Service = {
        ...AgentProgram.fromModel(agentWith(words()).model),
        ask: (_, asking) => {
          askings.push(asking)
          return Stream.fromIterable(outputs)
        },
      }
      const how = { cwd: "/project", flags: ["--fast"], timeout: "1 minute" } as const
      const model = AgentProgram.toModel(asked, { ...how, onOutput: (output) => Effect.sync(() => heard.push(output)) })
      assert.deepStrictEqual((yield* model.generate(asking())).blocks, [Block.text("ab")])
      assert.deepStrictEqual(heard, outputs)
      assert.deepStrictEqual(askings, [how])
    }),
  )

  it.effect("fails with Empty where there is no other text", () =>
    Effect.gen(function* () {
      const { model, prompts } = agentWith(Stream.concat(words(" ", "\n"), Stream.make(Stderr({ text: "x" }))))
      const { reason } = yield* Effect.flip(Stream.runDrain(model.stream(asking())))
      assert.strictEqual(reason._tag, "Empty")
      assert.lengthOf(prompts, 1)
    }),
  )

  it.effect("runs once where the program failed, or timed out", () =>
    Effect.gen(function* () {
      for (const reason of [
        new ProgramFailed({ message: "it broke", code: 1 }),
        new TimedOut({ message: "too long" }),
      ]) {
        const { model, prompts } = agentWith(Stream.concat(words("half"), Stream.fail(failure(reason))))
        assert.deepStrictEqual((yield* Effect.flip(model.generate(asking()))).reason, reason)
        assert.lengthOf(prompts, 1)
      }
    }),
  )

  it.effect("fails on images, which agents do not support", () =>
    Effect.gen(function* () {
      const { model, prompts } = agentWith(words("nice"))
      const content = [Block.text("what is this?"), Block.image("image/png", "AAAA")] as const
      assert.strictEqual((yield* Effect.flip(model.generate(asking(content)))).reason._tag, "Unsupported")
      assert.lengthOf(prompts, 0)
    }),
  )

  it.effect("stops the agent when it is cancelled", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const gone = yield* Deferred.make<void>()
      const { model } = agentWith(
        Stream.fromEffect(Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)).pipe(
          Stream.ensuring(Deferred.succeed(gone, undefined)),
        ),
      )
      const fiber = yield* Effect.fork(model.generate(asking()))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(gone)
    }),
  )
})

describe("Agent.fromModel", () => {
  it.effect("sends a model one message without tools, and emits its text", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const model = yield* Scripted.make((request) => {
        requests.push(request)
        return { thinking: "hm", text: "Because." }
      })
      const agent = AgentProgram.fromModel(model)
      yield* agent.ready
      const outputs = yield* Stream.runCollect(agent.ask("why?"))
      assert.deepStrictEqual(Array.from(outputs), [Stdout({ text: "Because." })])
      assert.deepStrictEqual(requests, [{ system: "", messages: [Message.user("why?")], tools: [] }])
    }),
  )

  it.effect("is a model again by toModel", () =>
    Effect.gen(function* () {
      const model = AgentProgram.toModel(AgentProgram.fromModel(yield* Scripted.make(["Because."])))
      assert.deepStrictEqual((yield* model.generate(asking())).blocks, [Block.text("Because.")])
    }),
  )

  it.effect("fails at the time limit, and not before; zero is none", () =>
    Effect.gen(function* () {
      const never = LanguageModel.make(new ModelId({ provider: "test", name: "never" }), () => Effect.never)
      const agent = AgentProgram.fromModel(never)
      const limited = yield* Effect.fork(Effect.flip(Stream.runDrain(agent.ask("?", { timeout: "180 seconds" }))))
      const unlimited = yield* Effect.fork(Stream.runDrain(agent.ask("?", { timeout: Duration.zero })))
      yield* TestClock.adjust("179 seconds")
      assert.isTrue((yield* Fiber.poll(limited))._tag === "None")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(limited)).reason._tag, "TimedOut")
      yield* TestClock.adjust("1 day")
      assert.isTrue((yield* Fiber.poll(unlimited))._tag === "None")
      yield* Fiber.interrupt(unlimited)
    }),
  )
})
