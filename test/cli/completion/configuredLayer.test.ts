import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted, TestClock } from "effect"
import { listListed, listPulled } from "../../../src/cli/completion/configuredLayer.ts"
import { custom } from "../../../src/model/CompatibleServers.ts"
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

describe("ConfiguredNames.listListed", () => {
  const list: Answer = { body: JSON.stringify({ data: [{ id: "alpha" }, { id: "beta" }] }) }
  const at = (url: string) => [
    { server: custom("work", `${url}/v1`, undefined), apiKey: Option.none(), isConfigured: true },
  ]

  it.scoped("lists the models of a server that may be meant, which is not asked otherwise", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serve([list])
      assert.deepStrictEqual(yield* listListed(at(url), "wo"), ["work/alpha", "work/beta"])
      assert.deepStrictEqual(yield* listListed(at(url), "work/b"), ["work/beta"])
      assert.deepStrictEqual(yield* listListed(at(url), "google/"), [])
      assert.lengthOf(requests, 2)
    }),
  )

  it.scoped("asks another machine only for a prefix that names its server", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serve([list])
      const elsewhere = at(`http://[::ffff:127.0.0.1]:${new URL(url).port}`)
      assert.deepStrictEqual(yield* listListed(elsewhere, ""), [])
      assert.deepStrictEqual(requests, [])
      assert.deepStrictEqual(yield* listListed(elsewhere, "work/a"), ["work/alpha"])
    }),
  )

  it.scoped("sends the key of the server, and asks none whose key is not set", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serve([list])
      const server = custom("work", `${url}/v1`, "WORK_KEY")
      const locked = { server, apiKey: Option.none(), isConfigured: true }
      assert.deepStrictEqual(yield* listListed([locked], "work/"), [])
      const open = { ...locked, apiKey: Option.some(Redacted.make("s3cret-key")) }
      assert.lengthOf(yield* listListed([open], "work/"), 2)
      assert.deepStrictEqual(
        requests.map(({ headers }) => headers.authorization),
        ["Bearer s3cret-key"],
      )
    }),
  )

  it.scoped("waits 200 ms for a server on this machine that does not answer", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve([{ body: "", ending: "mute" }])
      const listing = yield* Effect.fork(listListed(at(url), "work/"))
      yield* asked
      yield* TestClock.adjust("200 millis")
      assert.deepStrictEqual(yield* Fiber.join(listing), [])
    }),
  )
})
