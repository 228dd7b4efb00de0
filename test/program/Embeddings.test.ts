/** `vibe index` and `vibe query` with embeddings, as processes, and a server that speaks Ollama's API. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import * as HashedWords from "../utils/HashedWords.ts"
import { folder, vibe } from "./vibe.ts"

const project = {
  "src/greet.ts": "/** Welcomes a visitor. */\nexport function greet(name: string): string {\n  return name\n}\n",
  "src/part.ts": "/** Sends the guest home. */\nexport function farewell(name: string): string {\n  return name\n}\n",
  "src/add.ts": "/** Adds numbers. */\nexport function add(a: number, b: number): number {\n  return a + b\n}\n",
}

const decode = Schema.decodeUnknownSync(Schema.Struct({ model: Schema.String, input: Schema.Array(Schema.String) }))

/** In the vectors of this model `hospitality` is the same as `visitor`. */
const embedding = ({ body, path }: FakeServer.Received): FakeServer.Answer => {
  if (path !== "/api/embed") return { status: 404, body: "{}" }
  const embeddings = decode(body).input.map((text) => HashedWords.vectorOf(text.replace("hospitality", "visitor"), 16))
  return { body: JSON.stringify({ embeddings, prompt_eval_count: 20 }) }
}

/** The texts of each request so far. Which models there are is asked for besides. */
const sentTo = ({ requests }: FakeServer.FakeServer) =>
  requests.filter(({ path }) => path !== "/api/tags").map(({ body }) => decode(body).input)

const model = "ollama/words"

describe("embeddings", () => {
  it.scoped("are made once, mixed into answers, and sent nowhere unless the user has set a model", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const server = yield* FakeServer.serve(embedding)
      const env = { OLLAMA_HOST: server.url }
      const on = { ...env, VIBE_EMBEDDING_MODEL: model }

      const estimate = yield* vibe(["index", "--estimate", "--embed", model], { cwd, env })
      assert.match(estimate.stdout, /^3 symbols to embed with ollama\/words\/own\/1: about \d+ tokens, about \$0\.00$/m)
      yield* vibe(["index", "--model", "offline"], { cwd, env })
      yield* vibe(["query", "hospitality"], { cwd, env: on })
      assert.lengthOf(sentTo(server), 0)

      const indexed = yield* vibe(["index", "--model", "offline", "--json"], { cwd, env: on })
      assert.strictEqual(indexed.code, 0, indexed.stderr)
      assert.deepStrictEqual(JSON.parse(indexed.stdout).embedding, {
        embedder: "ollama/words/own/1",
        symbols: 3,
        left: 0,
        embedded: 3,
        tokens: 20,
        cost: 0,
        failure: null,
      })
      assert.include(indexed.stderr, "3 symbols have vectors of ollama/words/own/1")
      yield* vibe(["index", "--model", "offline"], { cwd, env: on })
      assert.lengthOf(sentTo(server), 1)

      const plain = yield* vibe(["query", "hospitality"], { cwd, env })
      assert.deepStrictEqual(
        [plain.stdout, plain.stderr],
        ["", "no matches for 'hospitality' in the index\nno symbol and no text has 'hospitality'\n"],
      )
      assert.lengthOf(sentTo(server), 1)
      const answer = yield* vibe(["query", "hospitality", "--json"], { cwd, env: on })
      assert.strictEqual(JSON.parse(answer.stdout).results[0].path, "src/greet.ts")
      assert.deepStrictEqual(sentTo(server)[1], ["hospitality"])

      fs.appendFileSync(path.join(cwd, "src/add.ts"), "\n/** Takes away. */\nexport function subtract() {}\n")
      yield* vibe(["index", "--model", "offline", "--no-embed"], { cwd, env: on })
      yield* vibe(["index", "--model", "offline", "--embed", model], { cwd, env })
      assert.lengthOf(sentTo(server), 3)
      assert.lengthOf(sentTo(server)[2] ?? [], 1)
      assert.include(sentTo(server)[2]?.[0] ?? "", "function subtract")
    }),
  )

  it.scoped(
    "leave the search to words where their server is gone, refuses or has changed, and say so in one line",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder(project)
        let refuses = false
        const server = yield* FakeServer.serve((request) =>
          refuses ? { status: 500, body: '{"error": "the model crashed"}' } : embedding(request),
        )
        const on = { OLLAMA_HOST: server.url, VIBE_EMBEDDING_MODEL: model }
        yield* vibe(["index", "--model", "offline"], { cwd, env: on })
        const words = yield* vibe(["query", "visitor"], { cwd, env: { OLLAMA_HOST: server.url } })
        assert.include(words.stdout, "greet")
        const fallback = (env: Readonly<Record<string, string>>) =>
          Effect.map(vibe(["query", "visitor"], { cwd, env: { ...on, ...env } }), ({ code, stderr, stdout }) => {
            assert.deepStrictEqual([code, stdout], [0, words.stdout])
            return stderr
          })
        refuses = true
        assert.strictEqual(
          yield* fallback({}),
          "vibe: warn: the search goes by words alone: ollama/words: the model crashed\n",
        )
        assert.match(
          yield* fallback({ VIBE_EMBEDDING_MODEL: "anthropic/x" }),
          /alone: anthropic\/x: .* has no embeddings/,
        )
        assert.match(
          yield* fallback({ VIBE_EMBEDDING_MODEL: "ollama/other" }),
          /of ollama\/words\/own\/1: 'vibe index' makes/,
        )

        const failed = yield* vibe(["index", "--model", "offline", "--embed", "ollama/new", "--max-retries", "0"], {
          cwd,
          env: on,
        })
        assert.notStrictEqual(failed.code, 0)
        assert.include(failed.stderr, "ollama/new: the model crashed")
      }),
  )
})
