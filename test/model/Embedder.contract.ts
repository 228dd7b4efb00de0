/** The contract of every adapter of embeddings, against an HTTP server with its wire. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import type * as Embedder from "../../src/model/Embedder.ts"
import type { ModelError } from "../../src/model/ModelError.ts"
import * as Cassette from "../../src/provider/transport/Cassette.ts"
import { withoutWaiting } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"

export interface Wire {
  /** `google/gemini-embedding-001` */
  readonly id: string
  readonly make: (options: {
    readonly url: string
    readonly key: string
    readonly dimensions?: number | undefined
    readonly fetch?: typeof globalThis.fetch | undefined
  }) => Embedder.Service
  readonly answer: (vectors: ReadonlyArray<ReadonlyArray<number>>) => unknown
  readonly refusal: (message: string) => unknown
  /** The texts and dimensions of a request's body. */
  readonly read: (body: unknown) => { readonly texts: ReadonlyArray<string>; readonly dimensions: number | undefined }
}

/** In two of the forms in which keys are redacted. */
const key = "sk-proj-0123456789abcdefghij"

export const contract = ({ answer, id, make, read, refusal }: Wire) =>
  describe(`${id} as an embedder`, () => {
    const json = { "content-type": "application/json" }
    const answering = (vectors: ReadonlyArray<ReadonlyArray<number>>): FakeServer.Answer => ({
      body: JSON.stringify(answer(vectors)),
      headers: json,
    })
    const refusing = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => ({
      status,
      body: JSON.stringify(refusal(message)),
      headers: { ...json, ...headers },
    })
    const embed = (embedder: Embedder.Service, texts: ReadonlyArray<string>) =>
      withoutWaiting(({ retry }) =>
        Effect.either(
          embedder.embedDocuments(texts, { retry: (retrying) => retry({ ...retrying, restarted: false }) }),
        ),
      )
    const failure = (answers: Parameters<typeof FakeServer.serve>[0], texts: ReadonlyArray<string> = ["one"]) =>
      Effect.gen(function* () {
        const server = yield* FakeServer.serve(answers)
        const { result } = yield* embed(make({ url: server.url, key, dimensions: 2 }), texts)
        if (result._tag === "Right") throw new Error("it succeeded")
        return { error: result.left, server }
      })
    const reasonOf = ({ error }: { readonly error: ModelError }) => error.reason._tag

    it.scoped("sends all texts in one request, and returns their vectors in the same order", () =>
      Effect.gen(function* () {
        const server = yield* FakeServer.serve([
          answering([
            [1, 2],
            [3, 4.5],
          ]),
        ])
        const { result } = yield* embed(make({ url: server.url, key, dimensions: 2 }), ["one", "two\ud800"])
        if (result._tag === "Left") throw result.left
        assert.deepStrictEqual(
          result.right.vectors.map((vector) => Array.from(vector)),
          [
            [1, 2],
            [3, 4.5],
          ],
        )
        assert.isAbove(result.right.usage.inputTokens, 0)
        assert.lengthOf(server.requests, 1)
        // Half a character cannot be sent.
        assert.deepStrictEqual(read(server.requests[0]?.body), { texts: ["one", "two\ufffd"], dimensions: 2 })
      }),
    )

    it.scoped("asks for no dimensions where the model decides", () =>
      Effect.gen(function* () {
        const server = yield* FakeServer.serve([answering([[1, 2, 3]])])
        const embedder = make({ url: server.url, key })
        assert.strictEqual(embedder.id, `${id}/own/1`)
        yield* embedder.embedQuery("question")
        assert.deepStrictEqual(read(server.requests[0]?.body), { texts: ["question"], dimensions: undefined })
      }),
    )

    it.scoped("waits as long as a server that limits the rate asks for, and tries again", () =>
      Effect.gen(function* () {
        const server = yield* FakeServer.serve([
          refusing(429, "slow down", { "retry-after": "7" }),
          refusing(503, "overloaded"),
          answering([[1, 2]]),
        ])
        const { result, retries } = yield* embed(make({ url: server.url, key, dimensions: 2 }), ["one"])
        assert.strictEqual(result._tag, "Right")
        assert.deepStrictEqual(
          retries.map(({ delay, error }) => [error.reason._tag, Duration.toSeconds(delay)]),
          [
            ["RateLimited", 7],
            ["Overloaded", 4],
          ],
        )
      }),
    )

    it.scoped("refuses without a retry what another attempt would not mend, and shows no key", () =>
      Effect.gen(function* () {
        const refused = yield* failure([refusing(401, `the key ${key} is not known`)])
        assert.strictEqual(reasonOf(refused), "Unauthorized")
        assert.notInclude(refused.error.message, key)
        assert.strictEqual(reasonOf(yield* failure([refusing(400, "no such field")])), "InvalidRequest")
        assert.strictEqual(reasonOf(yield* failure([refusing(404, "no such model")])), "ModelNotFound")
        assert.lengthOf(refused.server.requests, 1)
      }),
    )

    it.scoped("fails where the server returns other dimensions than it was asked for, and says what to set", () =>
      Effect.gen(function* () {
        const refused = yield* failure([answering([[1, 2, 3]])])
        assert.strictEqual(
          refused.error.message,
          `${id}: the server returned 3 dimensions instead of 2: set embedding.dimensions to 3, or choose a model that can be shortened`,
        )
        assert.lengthOf(refused.server.requests, 1)
      }),
    )

    for (const [what, vectors] of [
      ["fewer vectors than texts", [[1, 2]]],
      [
        "a vector that is zero",
        [
          [1, 2],
          [0, 0],
        ],
      ],
      [
        "a number that is infinite",
        [
          [1, 2],
          [1e39, 0],
        ],
      ],
    ] as const) {
      it.scoped(`takes ${what} for an incomplete answer`, () =>
        Effect.gen(function* () {
          assert.strictEqual(reasonOf(yield* failure([answering(vectors)], ["one", "two"])), "StreamIncomplete")
        }),
      )
    }

    it.scoped("refuses vectors of different dimensions", () =>
      Effect.gen(function* () {
        assert.strictEqual(reasonOf(yield* failure([answering([[1, 2], [1]])], ["one", "two"])), "Misconfigured")
      }),
    )

    for (const [what, body] of [
      ["a page", "<html>Welcome</html>"],
      ["half a document", '{"data": [{'],
      ["another document", '{"object": "list", "models": []}'],
      ["nothing", ""],
    ] as const) {
      it.scoped(`takes ${what} for an answer that cannot be read`, () =>
        Effect.gen(function* () {
          assert.strictEqual(reasonOf(yield* failure([{ body, headers: json }])), "StreamIncomplete")
        }),
      )
    }

    it.scoped("follows no redirect with the texts and the key", () =>
      Effect.gen(function* () {
        const other = yield* FakeServer.serve([answering([[1, 2]])])
        const refused = yield* failure([{ status: 307, body: "", headers: { location: other.url } }])
        assert.strictEqual(reasonOf(refused), "Misconfigured")
        assert.lengthOf(other.requests, 0)
      }),
    )

    it.scoped("aborts the request where it is interrupted", () =>
      Effect.gen(function* () {
        const server = yield* FakeServer.serve([{ body: "", ending: "mute" }])
        const fiber = yield* Effect.fork(make({ url: server.url, key }).embedQuery("question"))
        yield* server.asked
        yield* Fiber.interrupt(fiber)
        yield* server.abandoned
      }),
    )

    it.scoped("is replayed from a recording, which holds no key", () =>
      Effect.gen(function* () {
        const server = yield* FakeServer.serve([answering([[1, 2]])])
        const exchanges: Array<Cassette.Exchange> = []
        const record = Cassette.record(globalThis.fetch, (exchange) => void exchanges.push(exchange), [key])
        yield* embed(make({ url: server.url, key, dimensions: 2, fetch: record }), ["one"])
        assert.notInclude(JSON.stringify(exchanges), key)
        const fetch = Cassette.replay(exchanges, [key])
        const { result } = yield* embed(make({ url: "http://127.0.0.1:9", key, dimensions: 2, fetch }), ["one"])
        assert.strictEqual(result._tag, "Right")
      }),
    )
  })
