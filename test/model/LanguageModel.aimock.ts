/** Tests of every adapter against an independent mock server with injected failures. */
import { LLMock } from "@copilotkit/aimock"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Either, type Layer } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Request } from "../../src/model/Request.ts"
import { RetryPolicy } from "../../src/model/Retry.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { isThorough } from "../thoroughness.ts"
import { asking, withoutWaiting } from "../utils/Asking.ts"

export interface Adapter {
  /** `google/gemini-2.5-flash` */
  readonly id: string
  /** A model with this name at the mock's address. */
  readonly layer: (url: string) => Layer.Layer<LanguageModel.LanguageModel>
  /** The status of an overloaded provider: 503 by default. */
  readonly overloaded?: number
}

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: () => Effect.succeed(""),
})

const mocked = (overloaded: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const mock = new LLMock({ port: 0, host: "127.0.0.1" })
      const toolCalls = ["a.ts", "b.ts"].map((path) => ({ name: "read_file", arguments: { path } }))
      mock.on({ userMessage: "explore", hasToolResult: false }, { content: "Two files.", toolCalls })
      mock.on({ userMessage: "explore", hasToolResult: true }, { content: "Both are about numbers." })
      const busy = { status: overloaded, error: { message: "overloaded", type: "overloaded_error" } }
      mock.on({ userMessage: "busy", sequenceIndex: 0 }, busy)
      mock.on({ userMessage: "busy", sequenceIndex: 1 }, busy)
      mock.on({ userMessage: "busy", sequenceIndex: 2 }, { content: "fine" })
      mock.on({ userMessage: "cut" }, { content: "0123456789" }, { latency: 20, truncateAfterChunks: 2, chunkSize: 2 })
      mock.on({ userMessage: "chaos" }, { content: "an answer in several pieces" }, { chunkSize: 5 })
      await mock.start()
      return mock
    }),
    (mock) => Effect.promise(() => mock.stop()),
  )

/** How often the server may do anything: often enough for each of four failures, and for answers. */
const CHAOTIC_ANSWERS = isThorough ? 100 : 25

/** Without retries. */
const once = { maxRetries: 0, maxWait: Duration.zero }

/** The errors that are allowed where anything may break: never a defect, and none that blames the user. */
const classes = ["Overloaded", "RateLimited", "StreamIncomplete", "Unreachable"]

export const against = ({ id, layer, overloaded = 503 }: Adapter) =>
  describe(`${id} with aimock`, () => {
    const asked = <A, E>(use: (model: LanguageModel.Service, mock: LLMock) => Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        const mock = yield* mocked(overloaded)
        return yield* Effect.flatMap(LanguageModel.LanguageModel, (model) => use(model, mock)).pipe(
          Effect.provide(layer(mock.url)),
        )
      })

    it.scoped("makes two parallel calls, and receives their results in the next turn", () =>
      asked((model) =>
        Effect.gen(function* () {
          const request: Request = { ...asking("explore"), tools: [readFile] }
          const first = yield* model.generate(request)
          assert.deepStrictEqual([first.finish, String(first.model)], ["tool_calls", id])
          const calls = first.blocks.filter(Block.isToolUse)
          assert.deepStrictEqual(
            calls.map(({ parameters }) => parameters.path),
            ["a.ts", "b.ts"],
          )
          const answers = calls.map((call) => Message.toolResult(call, "1", false))
          const messages = [...request.messages, { role: "assistant" as const, content: first.blocks }, ...answers]
          const second = yield* model.generate({ ...request, messages })
          assert.deepStrictEqual(second.blocks.filter(Block.isText), [Block.text("Both are about numbers.")])
        }),
      ),
    )

    it.scoped("retries a provider that is overloaded twice", () =>
      asked((model, mock) =>
        Effect.gen(function* () {
          const { result, retries } = yield* withoutWaiting((observer) => model.generate(asking("busy"), observer))
          assert.deepStrictEqual(result.blocks.filter(Block.isText), [Block.text("fine")])
          assert.deepStrictEqual(
            retries.map(({ delay, error }) => [Duration.toSeconds(delay), error.reason._tag]),
            [
              [2, "Overloaded"],
              [4, "Overloaded"],
            ],
          )
          assert.lengthOf(
            mock.getRequests().filter(({ response }) => response.status === overloaded || response.status === 200),
            3,
          )
        }),
      ),
    )

    it.scoped("does not accept a truncated answer as complete", () =>
      asked((model) =>
        Effect.gen(function* () {
          const { reason } = yield* Effect.flip(Effect.provideService(model.generate(asking("cut")), RetryPolicy, once))
          assert.include(["Unreachable", "StreamIncomplete"], reason._tag)
        }),
      ),
    )

    it.scoped(`returns a complete answer or an error, ${CHAOTIC_ANSWERS} times, whatever the server does`, () =>
      asked((model, mock) =>
        Effect.gen(function* () {
          mock.setChaos({ dropRate: 0.15, malformedRate: 0.15, rateLimitRate: 0.15, disconnectRate: 0.15 })
          const results = yield* Effect.forEach(
            Array.from({ length: CHAOTIC_ANSWERS }, () => asking("chaos")),
            (request) => Effect.either(Effect.provideService(model.generate(request), RetryPolicy, once)),
            { concurrency: 8 },
          )
          for (const result of results) {
            if (Either.isLeft(result)) assert.include(classes, result.left.reason._tag, result.left.message)
            else
              assert.deepStrictEqual(result.right.blocks.filter(Block.isText), [
                Block.text("an answer in several pieces"),
              ])
          }
        }),
      ),
    )
  })
