/** How one worker asks for its batches, with a store in memory and a clock that the test moves. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import * as BatchContent from "../../../src/cluster/BatchContent.ts"
import * as Asker from "../../../src/cluster/internal/asker.ts"
import * as RunStore from "../../../src/cluster/RunStore.ts"
import { ModelError, RateLimited } from "../../../src/model/ModelError.ts"
import * as ModelRegistry from "../../../src/model/ModelRegistry.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"

const sent: typeof BatchContent.Sent.Encoded = { system: "", tools: [], toolChoice: "auto", prices: {} }

const rateLimited = new ModelError({ model: "scripted/test", reason: new RateLimited({ message: "slower" }) })

/** An asker of two batches at a time, and the numbers of the batches that have begun. */
const open = (lines: ReadonlyArray<Scripted.Line>) =>
  Effect.gen(function* () {
    const begun: Array<number> = []
    const content = yield* BatchContent.pack(BatchContent.BatchContent, {
      area: "src",
      text: "",
      message: "Explain it.",
      entries: [],
    })
    const store = Layer.mock(RunStore.RunStore, {
      begin: ({ number }) =>
        Effect.sync(() => {
          begun.push(number)
          return { _tag: "Ask", model: "scripted/test", content, attempts: 1, maxOutput: undefined }
        }),
      requestOf: () => Effect.succeed(sent),
      end: () => Effect.void,
    })
    const model = yield* Scripted.make(lines)
    const registry = Layer.mock(ModelRegistry.ModelRegistry, {
      providers: ["scripted"],
      open: () => Effect.succeed(model),
    })
    const asker = yield* Asker.make(
      { id: "a-worker", version: "1.0.0", parallel: 2, onEvent: () => Effect.void },
      Effect.orDie,
      Effect.die,
    ).pipe(Effect.provide(Layer.merge(store, registry)))
    return { begun, ask: (number: number) => asker.recover({ run: "c0ffee", number }) }
  })

describe("a worker whose requests are limited by the provider", () => {
  it.effect("sends one request fewer for a minute, also if a batch that waited for that was interrupted before", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* open([rateLimited, "one", rateLimited, "three", "four"])
      /** Asks for a batch that the provider limits first, and then answers. */
      const askWithLimit = (number: number) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(ask(number))
          // The content of a batch is unpacked in real time.
          yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 second"), realTurn), {
            until: () => Effect.map(Fiber.poll(fiber), ({ _tag }) => _tag === "Some"),
          })
        })
      yield* askWithLimit(1)
      const waiting = yield* Effect.fork(ask(2))
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.interrupt(waiting)
      assert.deepStrictEqual(begun, [1])
      yield* askWithLimit(3)
      const next = yield* Effect.fork(ask(4))
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(begun, [1, 3])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(next)
      assert.deepStrictEqual(begun, [1, 3, 4])
    }),
  )
})

/** Waits until what runs outside of Effect has had a turn. */
const realTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))
