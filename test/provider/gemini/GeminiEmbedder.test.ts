import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import * as GeminiEmbedder from "../../../src/provider/gemini/GeminiEmbedder.ts"
import { contract } from "../../model/Embedder.contract.ts"
import * as FakeServer from "../../utils/FakeServer.ts"

const Body = Schema.Struct({
  requests: Schema.Array(
    Schema.Struct({
      model: Schema.Literal("models/gemini-embedding-001"),
      content: Schema.Struct({ parts: Schema.Tuple(Schema.Struct({ text: Schema.String })) }),
      taskType: Schema.Literal("RETRIEVAL_DOCUMENT", "CODE_RETRIEVAL_QUERY"),
      outputDimensionality: Schema.optional(Schema.Number),
    }),
  ),
})
const decode = Schema.decodeUnknownSync(Body, { onExcessProperty: "error" })

const model = "gemini-embedding-001"

contract({
  id: `google/${model}`,
  make: ({ key, url, ...options }) =>
    GeminiEmbedder.make({ ...options, model, apiKey: Redacted.make(key), baseUrl: url }),
  answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
  refusal: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  read: (body) => {
    const { requests } = decode(body)
    return {
      texts: requests.map(({ content }) => content.parts[0].text),
      dimensions: requests[0]?.outputDimensionality,
    }
  },
})

describe("GeminiEmbedder", () => {
  it.scoped("says whether texts are searched or are a question about code, at the address of the batch", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([{ body: '{"embeddings": [{"values": [1]}]}' }])
      const embedder = GeminiEmbedder.make({ model, apiKey: Redacted.make("key"), baseUrl: server.url })
      yield* embedder.embedDocuments(["text"])
      yield* embedder.embedQuery("question")
      assert.deepStrictEqual(
        server.requests.map(({ body, headers, path }) => [
          path,
          headers["x-goog-api-key"],
          decode(body).requests[0]?.taskType,
        ]),
        [
          [`/v1beta/models/${model}:batchEmbedContents`, "key", "RETRIEVAL_DOCUMENT"],
          [`/v1beta/models/${model}:batchEmbedContents`, "key", "CODE_RETRIEVAL_QUERY"],
        ],
      )
    }),
  )

  it.effect("is not available through Vertex AI, and sends nothing", () =>
    Effect.gen(function* () {
      const options = { model, apiKey: Redacted.make("key"), vertex: { project: "p" }, baseUrl: "http://127.0.0.1:9" }
      const error = yield* Effect.flip(GeminiEmbedder.make(options).embedQuery("question"))
      assert.strictEqual(error.reason._tag, "Unsupported")
    }),
  )
})
