import { LLMock } from "@copilotkit/aimock"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import * as OpenAiCompatible from "../../../src/provider/openai-chat/OpenAiCompatible.ts"
import * as OpenAiEmbedder from "../../../src/provider/openai-chat/OpenAiEmbedder.ts"
import { contract } from "../../model/Embedder.contract.ts"
import * as FakeServer from "../../utils/FakeServer.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    model: Schema.Literal("text-embedding-3-small"),
    input: Schema.Array(Schema.String),
    encoding_format: Schema.Literal("float"),
    dimensions: Schema.optional(Schema.Number),
  }),
  { onExcessProperty: "error" },
)

const model = "text-embedding-3-small"
const server = OpenAiCompatible.servers.openai

contract({
  id: `openai/${model}`,
  make: ({ key, url, ...options }) =>
    OpenAiEmbedder.make({ ...options, server, model, apiKey: Redacted.make(key), baseUrl: url }),
  answer: (vectors) => ({
    object: "list",
    // In another order, which is that of `index`.
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })).toReversed(),
    usage: { prompt_tokens: 7, total_tokens: 7 },
  }),
  refusal: (message) => ({ error: { message, type: "invalid_request_error", code: null } }),
  read: (body) => {
    const { dimensions, input } = decode(body)
    return { texts: input, dimensions }
  },
})

describe("OpenAiEmbedder", () => {
  it.scoped("takes an error with status 200 for one", () =>
    Effect.gen(function* () {
      const fake = yield* FakeServer.serve([{ body: '{"error": {"message": "no such model", "code": 404}}' }])
      const embedder = OpenAiEmbedder.make({ server, model, apiKey: Redacted.make("key"), baseUrl: fake.url })
      const error = yield* Effect.flip(embedder.embedQuery("question"))
      assert.strictEqual(error.reason._tag, "ModelNotFound")
    }),
  )

  it.effect("says that a server of this machine is not running, once", () =>
    Effect.gen(function* () {
      const server = OpenAiCompatible.servers.lmstudio
      // Of a server that has ended.
      const { url } = yield* Effect.scoped(FakeServer.serve([{ body: "" }]))
      const error = yield* Effect.flip(
        OpenAiEmbedder.make({ server, model: "nomic", baseUrl: url }).embedQuery("question"),
      )
      assert.strictEqual(error.message, `lmstudio/nomic: no connection: is LM Studio running at ${url}/?`)
    }),
  )

  it.scoped("embeds texts by the independent mock server", () =>
    Effect.gen(function* () {
      const mock = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const mock = new LLMock({ port: 0, host: "127.0.0.1" })
          await mock.start()
          return mock
        }),
        (mock) => Effect.promise(() => mock.stop()),
      )
      const options = { server, model, apiKey: Redacted.make("key"), baseUrl: `${mock.url}/v1` }
      const { vectors } = yield* OpenAiEmbedder.make({ ...options, dimensions: 64 }).embedDocuments([
        "one",
        "two",
        "one",
      ])
      assert.deepStrictEqual(
        vectors.map(({ length }) => length),
        [64, 64, 64],
      )
      assert.deepStrictEqual(vectors[0], vectors[2])
      assert.notDeepEqual(vectors[0], vectors[1])
    }),
  )
})
