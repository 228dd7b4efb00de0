import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { listPulled } from "../../../src/cli/completion/configuredLayer.ts"
import { type Answer, serve } from "../../utils/FakeServer.ts"

const pulled: Answer = { body: JSON.stringify({ models: [{ name: "qwen3:8b" }] }) }

describe("ConfiguredNames.listPulled", () => {
  it.scoped("lists the models that Ollama has pulled", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([pulled])
      assert.deepStrictEqual(yield* listPulled(url), ["ollama/qwen3:8b"])
    }),
  )

  it.scoped("waits 200 ms for an Ollama that does not answer", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve([{ body: "", ending: "mute" }])
      const listing = yield* Effect.fork(listPulled(url))
      yield* asked
      yield* TestClock.adjust("199 millis")
      assert.isNull(listing.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(listing), [])
    }),
  )

  it.scoped("asks no other machine", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serve([pulled])
      // It leads to the same server, and is no loopback address.
      const elsewhere = `http://[::ffff:127.0.0.1]:${new URL(url).port}`
      assert.deepStrictEqual(yield* listPulled(elsewhere), [])
      assert.deepStrictEqual(requests, [])
    }),
  )

  it.scoped("lists none where no server listens, or the address is no address", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* listPulled("127.0.0.1:9"), [])
      assert.deepStrictEqual(yield* listPulled("a b"), [])
    }),
  )
})
