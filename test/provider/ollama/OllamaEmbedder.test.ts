import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import * as OllamaEmbedder from "../../../src/provider/ollama/OllamaEmbedder.ts"
import { contract } from "../../model/Embedder.contract.ts"
import * as FakeServer from "../../utils/FakeServer.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    model: Schema.Literal("nomic-embed-text"),
    input: Schema.Array(Schema.String),
    truncate: Schema.Literal(true),
    dimensions: Schema.optional(Schema.Number),
  }),
  { onExcessProperty: "error" },
)

const model = "nomic-embed-text"

contract({
  id: `ollama/${model}`,
  make: ({ key, url, ...options }) => OllamaEmbedder.make({ ...options, model, host: url, apiKey: Redacted.make(key) }),
  answer: (embeddings) => ({ model, embeddings, prompt_eval_count: 7 }),
  refusal: (message) => ({ error: message }),
  read: (body) => {
    const { dimensions, input } = decode(body)
    return { texts: input, dimensions }
  },
})

describe("OllamaEmbedder", () => {
  it.scoped("says how to get a model that is not pulled, and that another one has no embeddings", () =>
    Effect.gen(function* () {
      const messageFor = (status: number, error: string) =>
        Effect.gen(function* () {
          const server = yield* FakeServer.serve([{ status, body: JSON.stringify({ error }) }])
          return (yield* Effect.flip(OllamaEmbedder.make({ model, host: server.url }).embedQuery("question"))).message
        })
      assert.strictEqual(
        yield* messageFor(404, 'model "nomic-embed-text" not found, try pulling it first'),
        `ollama/${model}: model "nomic-embed-text" not found, try pulling it first: 'ollama pull ${model}' gets it`,
      )
      assert.include(yield* messageFor(501, "this model does not support embeddings"), "does not support embeddings")
    }),
  )
})
