/** The main job with Gemini, as a process: the program, the SDK, and a server that speaks as Google does. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { google, refusing } from "../utils/Gemini.ts"
import { folder, vibe } from "./vibe.ts"

const project = {
  "README.md": "# Greeter\n",
  "src/greet.ts": 'export function greet(name: string): string {\n  return "hello " + name\n}\n',
  "src/main.ts": 'import { greet } from "./greet.ts"\n\nexport const main = () => greet("you")\n',
}

interface Call {
  readonly name: string
  readonly args: unknown
}

/** A turn of calls, the first of them signed, as Gemini signs parallel calls. */
const calling = (signature: string, ...calls: ReadonlyArray<Call>): FakeServer.Answer => ({
  body: FakeServer.events({
    candidates: [
      {
        content: {
          role: "model",
          parts: calls.map((functionCall, n) => ({ functionCall, ...(n === 0 && { thoughtSignature: signature }) })),
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, thoughtsTokenCount: 5 },
  }),
})

const saying = (text: string): FakeServer.Answer => ({
  body: FakeServer.events({ candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] }),
})

const recording: FakeServer.Answer = calling("c2lnbmF0dXJlNA==", {
  name: "create_index_entry",
  args: {
    entries: [
      { path: "src/greet.ts", symbol: "greet", purpose: "Welcomes a visitor in a friendly tone." },
      { path: "src/main.ts", symbol: "main", purpose: "Starts the show." },
    ],
  },
})

const turns: readonly [FakeServer.Answer, ...ReadonlyArray<FakeServer.Answer>] = [
  calling("c2lnbmF0dXJlMQ==", { name: "list_filesystem", args: { path: "." } }),
  calling(
    "c2lnbmF0dXJlMg==",
    { name: "read_file", args: { path: "src/greet.ts" } },
    { name: "read_file", args: { path: "src/main.ts" } },
    { name: "list_symbols_in_file", args: { path: "src/greet.ts" } },
  ),
  calling("c2lnbmF0dXJlMw==", { name: "get_symbol_details", args: { symbolName: "greet", path: "src/greet.ts" } }),
  recording,
  saying("A small greeter."),
]

/** A run against a server that answers so. */
const index = (answers: Parameters<typeof FakeServer.serve>[0], ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const cwd = yield* folder(project)
    const server = yield* FakeServer.serve(answers)
    const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
    const ended = yield* vibe(["index", ".", ...args], { cwd, env })
    return { ...ended, cwd, requests: server.requests }
  })

/** As far as the tests look at it. */
interface Body {
  readonly contents: ReadonlyArray<{ readonly parts: ReadonlyArray<Readonly<Record<string, unknown>>> }>
}

/** The parts of a content of the `n`th request; -1 is its last. */
const parts = (requests: ReadonlyArray<FakeServer.Received>, n: number, content: number) => {
  // The program sent it, in the wire shape of Google's API.
  const body = requests[n]?.body as Body | undefined
  return body?.contents.at(content)?.parts ?? []
}

describe("vibe index with Gemini", () => {
  it.scopedLive(
    "explores in five turns with parallel calls, echoes signatures, and query finds what was recorded",
    () =>
      Effect.gen(function* () {
        const { code, cwd, requests, stderr, stdout } = yield* index(turns, "--verbose")
        assert.strictEqual(code, 0, stderr)
        assert.lengthOf(requests, 5)
        assert.match(requests[0]?.path ?? "", /^\/v1beta\/models\/gemini-2\.5-flash:streamGenerateContent/)
        assert.deepStrictEqual(
          parts(requests, 2, -2).map((part) => [part.thoughtSignature, part.functionCall]),
          [
            ["c2lnbmF0dXJlMg==", { name: "read_file", args: { path: "src/greet.ts" } }],
            [undefined, { name: "read_file", args: { path: "src/main.ts" } }],
            [undefined, { name: "list_symbols_in_file", args: { path: "src/greet.ts" } }],
          ],
        )
        assert.lengthOf(
          parts(requests, 2, -1).filter((part) => part.functionResponse !== undefined),
          3,
        )

        const shown = stdout.split("\n").filter((line) => !line.startsWith("🛠️ Tool <= Result of "))
        assert.deepStrictEqual(shown.slice(0, 11), [
          "Starting indexing...",
          '🤖 LLM => Tool Call: list_filesystem({"path":"."})',
          '🛠️ Tool <= Executing: list_filesystem with args: {"path":"."}',
          "📤 Sending results back to LLM...",
          '🤖 LLM => Tool Call: read_file({"path":"src/greet.ts"})',
          '🤖 LLM => Tool Call: read_file({"path":"src/main.ts"})',
          '🤖 LLM => Tool Call: list_symbols_in_file({"path":"src/greet.ts"})',
          '🛠️ Tool <= Executing: read_file with args: {"path":"src/greet.ts"}',
          '🛠️ Tool <= Executing: read_file with args: {"path":"src/main.ts"}',
          '🛠️ Tool <= Executing: list_symbols_in_file with args: {"path":"src/greet.ts"}',
          "📤 Sending results back to LLM...",
        ])
        assert.deepStrictEqual(shown.slice(-3), ["🤖 LLM => A small greeter.", "Indexing complete.", ""])

        const queried = yield* vibe(["query", "friendly welcome", "--json"], { cwd })
        assert.deepInclude(JSON.parse(queried.stdout).results[0], {
          symbol: "greet",
          purpose: "Welcomes a visitor in a friendly tone.",
          purposeOrigin: "model",
        })
      }),
  )

  it.scopedLive("waits out a server that is overloaded twice, and one that names the time", () =>
    Effect.gen(function* () {
      const busy = refusing(503, google(503, "The model is overloaded. Please try again later."))
      const slow = refusing(
        429,
        google(429, "Please slow down", [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "2.5s" }]),
      )
      const begun = performance.now()
      const { code, requests, stderr } = yield* index([slow, busy, recording, saying("done")])
      assert.strictEqual(code, 0, stderr)
      assert.lengthOf(requests, 4)
      assert.isAtLeast(performance.now() - begun, 6500)
      assert.match(stderr, /retry 1 in 2s 500ms: google\/gemini-2\.5-flash: Please slow down/)
      assert.match(stderr, /retry 2 in 4s: .*overloaded/)
    }),
  )

  it.scopedLive("names the key that is refused, without the key", () =>
    Effect.gen(function* () {
      const { code, requests, stderr, stdout } = yield* index([
        refusing(400, google(400, "API key not valid. Please pass a valid API key.", [{ reason: "API_KEY_INVALID" }])),
      ])
      assert.strictEqual(code, 3)
      assert.lengthOf(requests, 1)
      assert.match(stderr, /API key not valid/)
      assert.notInclude(stderr + stdout, "test-key-0123456789")
    }),
  )

  it.scopedLive("goes on with the successor of a model that is no more", () =>
    Effect.gen(function* () {
      const gone = refusing(404, google(404, "models/gemini-2.5-flash is no longer available to new users."))
      const { code, requests, stderr } = yield* index((request) =>
        request.path.includes("gemini-2.5-flash") ? gone : saying("done"),
      )
      assert.strictEqual(code, 0, stderr)
      assert.match(requests.at(-1)?.path ?? "", /gemini-flash-latest/)
      assert.match(stderr, /google\/gemini-flash-latest answers instead: .*no longer available/)
    }),
  )

  it.scopedLive("says which model it does not know", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* index(
        [refusing(404, google(404, "models/gemini-9 is not found for API version v1beta"))],
        "--model",
        "google/gemini-9",
      )
      assert.strictEqual(code, 3)
      assert.match(stderr, /google\/gemini-9: models\/gemini-9 is not found.*--model/)
    }),
  )
})
