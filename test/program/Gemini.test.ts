/** `vibe index` with Gemini, as a process: the program, the SDK, and a server with Google's API. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { key } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { fine, google, quota, refusing, retryIn } from "../utils/Gemini.ts"
import { calling, ending, listing, project, recording, saying, tooLong, turns } from "./geminiAnswers.ts"
import { folder, vibe } from "./vibe.ts"

type Answers = Parameters<typeof FakeServer.serve>[0]

/** A run against a server that answers so. */
const index = (answers: Answers, ...args: ReadonlyArray<string>) => indexWith(() => ({}), answers, ...args)

/** With other settings, which may depend on the server's address. */
const indexWith = (
  settings: (url: string) => Readonly<Record<string, string>>,
  answers: Answers,
  ...args: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const cwd = yield* folder(project)
    const server = yield* FakeServer.serve(answers)
    const env = { GOOGLE_API_KEY: key, GOOGLE_GEMINI_BASE_URL: server.url, ...settings(server.url) }
    const ended = yield* vibe(["index", ".", "--no-wiki", ...args], { cwd, env })
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

  it.scopedLive("retries after an overloaded server, and after the time that a server names", () =>
    Effect.gen(function* () {
      const busy = refusing(503, google(503, "The model is overloaded. Please try again later."))
      const slow = refusing(429, google(429, "Please slow down", [retryIn("2.5s")]))
      const begun = performance.now()
      const { code, requests, stderr } = yield* index([slow, busy, recording, saying("done")])
      assert.strictEqual(code, 0, stderr)
      assert.lengthOf(requests, 4)
      assert.isAtLeast(performance.now() - begun, 6500)
      assert.match(stderr, /retry 1 in 2s 500ms: google\/gemini-2\.5-flash: Please slow down/)
      assert.match(stderr, /retry 2 in 4s: .*overloaded/)
    }),
  )

  it.scopedLive("names the variable of a rejected key, without the key", () =>
    Effect.gen(function* () {
      const { code, requests, stderr, stdout } = yield* index([
        refusing(400, google(400, "API key not valid. Please pass a valid API key.", [{ reason: "API_KEY_INVALID" }])),
      ])
      assert.strictEqual(code, 3)
      assert.lengthOf(requests, 1)
      assert.match(stderr, /API key not valid/)
      assert.notInclude(stderr + stdout, key)
    }),
  )

  it.scopedLive("continues with the successor of a model that was shut down", () =>
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

  it.scopedLive("names a model that does not exist", () =>
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

  for (const [row, what, answer, code, hits, words] of [
    [
      "A4",
      "an API that is not enabled",
      refusing(403, google(403, "It is disabled. Enable it by visiting https://console.example/enable?project=7")),
      3,
      1,
      "visiting https://console.example/enable?project=7",
    ],
    [
      "A6",
      "a region that is not served",
      refusing(400, JSON.stringify({ error: { code: 400, message: "Not here.", status: "FAILED_PRECONDITION" } })),
      3,
      1,
      "google/gemini-2.5-flash: Not here.",
    ],
    ["B8", "RECITATION", ending("RECITATION"), 5, 1, "blocked: RECITATION"],
    ["B10", "MALFORMED_FUNCTION_CALL", ending("MALFORMED_FUNCTION_CALL"), 1, 3, "a tool call that cannot be read"],
    [
      "C4",
      "a day's quota",
      refusing(429, google(429, "Quota exceeded.", [quota("RequestsPerDay")])),
      4,
      1,
      "--model or VIBE_MODEL",
    ],
    ["C5", "a hint of an hour", refusing(429, google(429, "Slow down.", [retryIn("3600s")])), 4, 1, "try again in 1h"],
    ["C9", "a wrong request", refusing(400, google(400, "Request is odd.")), 1, 1, "flash: Request is odd."],
    ["F1", "a prompt that is too long", tooLong, 6, 1, "a model with a larger context"],
  ] as const) {
    it.scopedLive(`${row}: ends with ${code} and one line after ${what}, having asked ${hits} time(s)`, () =>
      Effect.gen(function* () {
        const { code: ended, requests, stderr, stdout } = yield* index([answer])
        assert.strictEqual(ended, code, stderr)
        assert.strictEqual(stdout, "Starting indexing...\n")
        const lines = stderr.split("\n").filter((line) => line.startsWith("vibe: "))
        assert.lengthOf(lines, 1, stderr)
        assert.include(lines[0], words)
        assert.lengthOf(requests, hits)
      }),
    )
  }

  it.scopedLive("executes no call that was cut off, and exits with 6", () =>
    Effect.gen(function* () {
      const cut = { body: recording.body.replace('"STOP"', '"MAX_TOKENS"') }
      const { code, cwd, requests, stderr } = yield* index([cut])
      assert.strictEqual(code, 6, stderr)
      assert.match(stderr, /the output limit was reached within a tool call/)
      assert.match(stderr, /stopped before any purpose was written/)
      assert.lengthOf(requests, 2)
      assert.notInclude(stored(cwd), "friendly tone")
    }),
  )

  it.scopedLive("prints one line on stderr for an answer that was requested again", () =>
    Effect.gen(function* () {
      const { code, requests, stderr, stdout } = yield* index([
        ending("MALFORMED_FUNCTION_CALL"),
        recording,
        saying("done"),
      ])
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "Starting indexing...\nIndexing complete.\n")
      assert.lengthOf(stderr.match(/^retry .*cannot be read/gm) ?? [], 1)
      assert.include(JSON.stringify(requests[1]?.body), "could not be read")
      assert.notInclude(JSON.stringify(requests[2]?.body), "could not be read")
    }),
  )

  it.scopedLive("completes when the model answers the last results with nothing", () =>
    Effect.gen(function* () {
      const nothing = ending("STOP")
      const { code, requests, stderr, stdout } = yield* index([recording, nothing, nothing], "--json")
      assert.strictEqual(code, 0, stderr)
      assert.deepInclude(JSON.parse(stdout), {
        outcome: "complete",
        summary: "",
        purposesWritten: 2,
        usage: { inputTokens: 300, outputTokens: 15, cachedTokens: 0, thinkingTokens: 5 },
      })
      assert.lengthOf(requests, 3)
    }),
  )

  it.scopedLive("warns of a final text that was cut off, also in JSON", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* index(
        [{ body: saying("A small").body.replace("STOP", "MAX_TOKENS") }],
        "--json",
      )
      assert.strictEqual(code, 0, stderr)
      assert.deepInclude(JSON.parse(stdout), { outcome: "truncated", summary: "A small" })
      assert.match(stderr, /warning: the model's last words were cut off/)
    }),
  )

  it.scopedLive("drops old results with a message, and continues", () =>
    Effect.gen(function* () {
      const reading = calling("c2lnbmF0dXJlMQ==", { name: "read_file", args: { path: "README.md" } })
      const { code, requests, stderr } = yield* index([reading, tooLong, recording, saying("done")])
      assert.strictEqual(code, 0, stderr)
      assert.match(stderr, /1 older tool result left out: .*input token count/)
      assert.include(JSON.stringify(parts(requests, 2, -1)), "left out to make room")
      assert.lengthOf(requests, 4)
    }),
  )
})

/** Everything in the index, as bytes. */
const stored = (cwd: string): string => {
  const folder = path.join(cwd, ".vibe")
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
    .join("")
}

describe("vibe index with Gemini, on the key", () => {
  it.scopedLive("sends no request without a key, or with one that is no valid header", () =>
    Effect.gen(function* () {
      for (const [written, code] of [
        ["", 3],
        [" '' ", 3],
        ["ab\u0007cd", 2],
      ] as const) {
        const model = ["--model", "google/gemini-2.5-flash"]
        const {
          code: ended,
          requests,
          stderr,
        } = yield* indexWith(() => ({ GOOGLE_API_KEY: written }), [saying("done")], ...model)
        assert.strictEqual(ended, code, stderr)
        assert.match(stderr, /^vibe: .*GOOGLE_API_KEY.*\n$/)
        assert.lengthOf(requests, 0)
      }
    }),
  )

  it.scopedLive("strips quotes from the key, and prints nothing about other keys", () =>
    Effect.gen(function* () {
      const keys = { GOOGLE_API_KEY: ` "${key}"\n`, GEMINI_API_KEY: "another" }
      const { code, requests, stderr, stdout } = yield* indexWith(() => keys, [saying("done")])
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "Starting indexing...\nIndexing complete.\n")
      assert.notMatch(stderr, /_API_KEY/)
      assert.strictEqual(requests[0]?.headers["x-goog-api-key"], key)
    }),
  )

  it.scopedLive("never prints it, although the server repeats it in an error and in a retry", () =>
    Effect.gen(function* () {
      const echo = (code: number, { headers }: FakeServer.Received) =>
        refusing(code, google(code, `Bad ${JSON.stringify(headers)} at /v1?key=${headers["x-goog-api-key"]}`))
      const { code, cwd, requests, stderr, stdout } = yield* index(
        (request, n) => [listing, echo(503, request)][n] ?? echo(400, request),
        "--verbose",
      )
      assert.strictEqual(code, 1, stderr)
      assert.lengthOf(requests, 3)
      assert.include(stderr, "[key]")
      for (const text of [stderr, stdout, stored(cwd)]) assert.notInclude(text, key)
    }),
  )

  it.scopedLive("never prints it, although it is in the address", () =>
    Effect.gen(function* () {
      const addresses: ReadonlyArray<(url: string) => string> = [
        (url) => `${url}/${key}`,
        (url) => url.replace("//", `//me:${key}@`),
        () => `no/${key}`,
      ]
      for (const address of addresses) {
        const { code, stderr, stdout } = yield* indexWith(
          (url) => ({ GOOGLE_GEMINI_BASE_URL: address(url) }),
          ({ path }) => refusing(400, google(400, `There is nothing at ${path}.`)),
          "--json",
        )
        assert.isAbove(code ?? 0, 0, stderr)
        assert.match(stderr, /vibe: /)
        for (const text of [stderr, stdout]) assert.notInclude(text, key)
      }
    }),
  )
})

describe("vibe index with Gemini, interrupted", () => {
  for (const [when, answer] of [
    ["before it is answered", { body: "", ending: "mute" }],
    ["within an answer", { ...saying("so far"), ending: "hang" }],
  ] as const) {
    it.scopedLive(`returns at a Ctrl-C ${when}, and lets go of the connection`, () =>
      Effect.gen(function* () {
        const cwd = yield* folder(project)
        const server = yield* FakeServer.serve([answer])
        const env = { GOOGLE_API_KEY: key, GOOGLE_GEMINI_BASE_URL: server.url }
        let child: ChildProcess | undefined
        const onStart = (started: ChildProcess) => {
          child = started
        }
        const running = yield* Effect.fork(vibe(["index"], { cwd, env, onStart }))
        yield* server.asked
        child?.kill("SIGINT")
        const { code, stderr } = yield* Fiber.join(running)
        assert.strictEqual(code, 130, stderr)
        yield* server.abandoned
      }),
    )
  }
})

describe("vibe with Vertex AI", () => {
  it.scopedLive("uses the credentials of Google's tools and the variables of Google's SDK", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve(({ path }) =>
        path === "/token"
          ? { headers: { "content-type": "application/json" }, body: '{"access_token":"ya29.x","expires_in":3600}' }
          : fine,
      )
      // Of those kinds of credentials the one whose tokens come from wherever it says.
      const account = {
        type: "external_account",
        audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x",
        subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
        token_url: `${server.url}/token`,
        credential_source: { file: "token.txt" },
      }
      const cwd = yield* folder({ "account.json": JSON.stringify(account), "token.txt": "who I am" })
      const { code, stderr, stdout } = yield* vibe(["ask", "hello"], {
        cwd,
        env: {
          GOOGLE_GENAI_USE_VERTEXAI: "true",
          GOOGLE_CLOUD_PROJECT: "p1",
          GOOGLE_CLOUD_LOCATION: "europe-west4",
          GOOGLE_VERTEX_BASE_URL: server.url,
          GOOGLE_APPLICATION_CREDENTIALS: path.join(cwd, "account.json"),
        },
      })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "fine\n")
      const asked = server.requests.find(({ path }) => path.includes("streamGenerateContent"))
      assert.match(
        asked?.path ?? "",
        /\/projects\/p1\/locations\/europe-west4\/publishers\/google\/models\/gemini-2\.5-flash:/,
      )
      assert.strictEqual(asked?.headers.authorization, "Bearer ya29.x")
    }),
  )

  it.scopedLive("prints one line when no credentials are found", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve(() => fine)
      const { code, stderr } = yield* vibe(["ask", "hello", "--max-retries", "0"], {
        cwd: yield* folder(),
        env: { GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_PROJECT: "p1", GCE_METADATA_HOST: url },
      })
      assert.strictEqual(code, 3, stderr)
      assert.match(stderr, /^vibe: google\/\S+ Could not load the default credentials.*\n$/)
    }),
  )

  it.scopedLive("prints that there are no credentials", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const { code, stderr } = yield* vibe(["ask", "hello", "--max-retries", "0"], {
        cwd,
        env: {
          GOOGLE_GENAI_USE_VERTEXAI: "true",
          GOOGLE_CLOUD_PROJECT: "p1",
          GOOGLE_APPLICATION_CREDENTIALS: path.join(cwd, "nowhere.json"),
        },
      })
      assert.strictEqual(code, 3, stderr)
      assert.include(stderr, "nowhere.json")
    }),
  )
})
