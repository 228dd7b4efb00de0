import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, Stream } from "effect"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as AgentProgram from "../../../src/model/AgentProgram.ts"
import { ModelError, ModelNotFound, ProgramFailed } from "../../../src/model/ModelError.ts"
import * as AgentCassette from "../../../src/provider/agents/AgentCassette.ts"
import * as Cassette from "../../../src/provider/transport/Cassette.ts"

const id = new ModelId({ provider: "cli", name: "test" })
const failed = (reason: ModelError["reason"]) => new ModelError({ model: String(id), reason })

const secret = "correct-horse-battery"

const agent = (outputs: Stream.Stream<AgentProgram.Output, ModelError>): AgentProgram.Service => ({
  id,
  name: "test",
  format: "text",
  abilities: { streams: true, readsFiles: false },
  ready: Effect.void,
  ask: () => outputs,
})

/** An agent that is not installed, and must not be called. */
const absent: AgentProgram.Service = {
  ...agent(Stream.dieMessage("asked")),
  ready: failed(new ModelNotFound({ message: "there is no 'test' on PATH" })),
}

const [words, aside] = [
  (text: string) => AgentProgram.Output.Stdout({ text }),
  (text: string) => AgentProgram.Output.Stderr({ text }),
]

const ask = (agent: AgentProgram.Service, prompt = "Why?", asking?: AgentProgram.Asking) =>
  Effect.either(Stream.runCollect(agent.ask(prompt, asking))).pipe(
    Effect.map(Either.map((outputs) => Array.from(outputs))),
    Effect.map(
      Either.map((outputs) => ({
        outputs: outputs.map((output) => (output._tag === "Stdout" ? output.text : "")).join(""),
        besides: outputs.map((output) => (output._tag === "Stderr" ? output.text : "")).join(""),
      })),
    ),
  )

const recorder = () => {
  const exchanges: Array<Cassette.Exchange> = []
  const record = AgentCassette.record((exchange) => void exchanges.push(exchange), [secret])
  /** As decoded from files. */
  const replay = () =>
    AgentCassette.replay(
      exchanges.map((exchange) => Either.getOrThrow(Cassette.decode(Cassette.encode(exchange)))),
      [secret],
    )(absent)
  return { exchanges, record, replay }
}

describe("AgentCassette", () => {
  it.effect.each([
    ["an answer", Stream.make(words("Because "), aside("thinking"), words("of it."))],
    ["code", Stream.make(words('<li key={i}> OpenAI(api_key="YOUR_KEY", timeout=5)\nAuthorization: $TOKEN'))],
    ["silence", Stream.empty],
    [
      "a program that failed",
      Stream.concat(
        Stream.make(words("Well"), aside("no money")),
        Stream.fail(failed(new ProgramFailed({ message: "it ended with exit code 3: no money", code: 3 }))),
      ),
    ],
  ] as const)("replays %s, without the program", ([, outputs]) =>
    Effect.gen(function* () {
      const { exchanges, record, replay } = recorder()
      const answer = yield* ask(record(agent(outputs)), "Why?", { cwd: "/somewhere", flags: ["--fast"] })
      assert.lengthOf(exchanges, 1)
      const replayed = replay()
      yield* replayed.ready
      assert.deepStrictEqual(yield* ask(replayed, "Why?", { flags: ["--fast"] }), answer)
      assert.notInclude(JSON.stringify(exchanges), "/somewhere")
    }),
  )

  it.effect("answers identical prompts in the recorded order, and fails for another prompt", () =>
    Effect.gen(function* () {
      const { record, replay } = recorder()
      for (const text of ["one", "two"]) yield* ask(record(agent(Stream.make(words(text)))))
      const replayed = replay()
      for (const outputs of ["one", "two"]) {
        assert.deepStrictEqual(yield* ask(replayed), Either.right({ outputs, besides: "" }))
      }
      for (const [exchange, why] of [
        [ask(replayed), "the recording has no further answer to this RUN cli/test: it was recorded 2 times"],
        [ask(replay(), "Why not?"), 'its body differs from character 3 on, near "Why not?"'],
      ] as const) {
        assert.include(String(Either.getOrThrow(Either.flip(yield* exchange))), why)
      }
    }),
  )

  it.effect("contains no key, in requests, responses and errors", () =>
    Effect.gen(function* () {
      const { exchanges, record, replay } = recorder()
      const outputs = [words(`it is ${secret}`), aside(`${secret} and sk-0123456789abcdef`)]
      yield* ask(record(agent(Stream.fromIterable(outputs))), `my key is ${secret}`, { flags: ["--key", secret] })
      assert.lengthOf(exchanges, 1)
      assert.notMatch(JSON.stringify(exchanges), /horse|sk-0/)
      const again = yield* ask(replay(), `my key is ${secret}`, { flags: ["--key", secret] })
      assert.deepStrictEqual(again, Either.right({ outputs: "it is [key]", besides: "[key] and [key]" }))
    }),
  )

  it.effect("records the part of an answer that was read", () =>
    Effect.gen(function* () {
      const { exchanges, record } = recorder()
      const hasBegun = yield* Deferred.make<void>()
      const slow = Stream.concat(
        Stream.make(words("Because")),
        Stream.drain(Stream.fromEffect(Effect.zipRight(Deferred.succeed(hasBegun, undefined), Effect.never))),
      )
      const fiber = yield* Effect.fork(ask(record(agent(slow))))
      yield* Deferred.await(hasBegun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(
        exchanges.map(({ failure, response }) => [response?.body, failure]),
        [["Because", "the rest was not read"]],
      )
    }),
  )
})
