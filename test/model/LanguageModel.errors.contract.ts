import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as Block from "../../src/message/Block.ts"
import { Misconfigured, type Reason } from "../../src/model/ModelError.ts"
import { hello, key, withoutWaiting } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { type Adapter, askThrough, finish, once, type Refusal, reasonOf, text } from "./LanguageModel.adapter.ts"

export const errorResponses = (adapter: Adapter): void => {
  const {
    models: [model],
    name,
    open,
    wire,
  } = adapter
  const { ask, failure, has, refusals } = askThrough(adapter)

  describe(`LanguageModel (${name}): error responses`, () => {
    const tags: Record<Refusal, Reason["_tag"]> = {
      key: "Unauthorized",
      model: "ModelNotFound",
      quota: "QuotaExhausted",
      rate: "RateLimited",
      overload: "Overloaded",
      invalid: "InvalidRequest",
      overflow: "ContextOverflow",
    }
    const final: ReadonlyArray<Refusal> = ["key", "model", "quota", "invalid", "overflow"]

    for (const { answer, why } of refusals([...final, "rate", "overload"], `So it is: ${key}.`)) {
      it.scoped(`maps to ${tags[why]}, with the provider's message and without the key`, () =>
        Effect.gen(function* () {
          const reason = yield* failure(answer)
          assert.strictEqual(reason._tag, tags[why])
          assert.include(reason.message, "So it is: [key].")
          assert.notMatch(reason.message, /[{}]/)
        }),
      )
    }

    it.scoped("sends one request where a retry does not help", () =>
      Effect.gen(function* () {
        for (const { answer, why } of refusals(final, "No.")) {
          const { requests, url } = yield* FakeServer.serve([answer])
          const { result } = yield* withoutWaiting((observer) =>
            Effect.either(open(model, url).generate(hello, observer)),
          )
          assert.strictEqual(reasonOf(result)._tag, tags[why])
          assert.lengthOf(requests, 1, why)
        }
      }),
    )

    it.scoped("retries an overloaded server three times, after 2, 4 and 8 seconds", () =>
      Effect.gen(function* () {
        const answer = wire.refusal("overload", "Busy.") ?? assert.fail("every server can be overloaded")
        const { requests, url } = yield* FakeServer.serve([answer])
        const { retries } = yield* withoutWaiting((observer) =>
          Effect.either(open(model, url).generate(hello, observer)),
        )
        assert.deepStrictEqual(
          retries.map(({ delay }) => Duration.toSeconds(delay)),
          [2, 4, 8],
        )
        assert.lengthOf(requests, 4)
      }),
    )

    it.scoped("waits as long as the server asks for", () =>
      Effect.gen(function* () {
        const answer = wire.refusal("rate", "Slow down.")
        if (answer === undefined) return
        const { url } = yield* FakeServer.serve([answer, wire.streamed([text("fine"), finish("stop")])])
        const { result, retries } = yield* withoutWaiting((observer) => open(model, url).generate(hello, observer))
        assert.deepStrictEqual(
          retries.map(({ delay }) => Duration.toSeconds(delay)),
          [5],
        )
        assert.deepStrictEqual(result.blocks, [Block.text("fine")])
      }),
    )

    it.scoped("treats a server that sends nothing as overloaded", () =>
      Effect.gen(function* () {
        const reason = yield* failure({ status: 500, body: "", headers: { "content-type": "application/json" } })
        assert.strictEqual(reason._tag, "Overloaded")
        const page = yield* failure({ status: 502, body: "<html></html>", headers: { "content-type": "text/html" } })
        assert.strictEqual(page._tag, "Overloaded")
        assert.notInclude(page.message, "<")
        const late = yield* failure({ status: 504, body: "upstream request timed out" })
        assert.strictEqual(late._tag, "Overloaded")
      }),
    )

    it.scoped.skipIf(!has("long refusals"))("limits how much of an error response is read", () =>
      Effect.gen(function* () {
        const body = "no, and no again ".repeat(131_072)
        const server = yield* FakeServer.serve([{ status: 500, body, ending: "hang" }])
        const outcome = yield* once(Effect.either(open(model, server.url).generate(hello)))
        assert.strictEqual(reasonOf(outcome)._tag, "Overloaded")
        yield* server.abandoned
      }),
    )

    it.scoped.skipIf(!has("redirects"))("follows no redirect: the other server receives nothing, and is named", () =>
      Effect.gen(function* () {
        const other = yield* FakeServer.serve([wire.streamed([text("fine"), finish("stop")])])
        const address = other.url.replace("127.0.0.1", "localhost")
        for (const [status, host] of [
          ...[301, 302, 303, 307, 308].map((status) => [status, address] as const),
          [308, address.replace("//", "//me:pw@")] as const,
        ]) {
          const location = `${host}/v1/${key}?key=${key}`
          const { outcome, requests } = yield* ask({ status, headers: { location }, body: "" })
          assert.deepStrictEqual(
            reasonOf(outcome),
            new Misconfigured({
              message: `the provider redirects to ${address}/v1/[key], which is not followed: if you trust that address, set it as the provider's`,
            }),
          )
          assert.lengthOf(requests, 1)
        }
        assert.deepStrictEqual(other.requests, [])
        assert.strictEqual(yield* other.connections, 0)
      }),
    )

    it.scoped.skipIf(!has("redirects"))("follows no redirect on the same server either, nor one to nowhere", () =>
      Effect.gen(function* () {
        for (const [headers, where] of [
          [{ location: "/elsewhere" }, "http://127.0.0.1"],
          [{ location: "file:///etc/passwd" }, "another address"],
          [{}, "another address"],
        ] as const) {
          const { outcome, requests } = yield* ask({ status: 307, headers, body: "" })
          const { _tag, message } = reasonOf(outcome)
          assert.strictEqual(_tag, "Misconfigured")
          assert.include(message, `the provider redirects to ${where}`)
          assert.lengthOf(requests, 1)
        }
      }),
    )

    it.scoped("fails with Unreachable where the connection breaks before the answer", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* failure({ body: "", ending: "drop" }))._tag, "Unreachable")
      }),
    )
  })
}
