import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import * as Block from "../../../src/message/Block.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as Gemini from "../../../src/provider/gemini/Gemini.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { against } from "../../model/LanguageModel.aimock.ts"
import { hello, key } from "../../utils/Asking.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { failure, fine, heard, options, parts, saying } from "../../utils/Gemini.ts"
import * as Pieces from "../../utils/Pieces.ts"

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" },
  run: () => Effect.succeed(""),
})

describe("Gemini: key", () => {
  it("is used without surrounding white space and quotes", () => {
    for (const written of ["abc", "  abc\n", '"abc"', "'abc'\r\n", '" abc "']) {
      assert.deepStrictEqual(Gemini.keyOf({ apiKey: Redacted.make(written) }), Either.right("abc"))
    }
  })

  it("fails with the name of the variable where nothing is left of it", () => {
    for (const written of ["", "  \n", '""', "' '"]) {
      const reason = Either.getOrThrow(Either.flip(Gemini.keyOf({ apiKey: Redacted.make(written) })))
      assert.strictEqual(reason._tag, "Unauthorized")
      assert.include(reason.message, "GOOGLE_API_KEY")
    }
  })

  it("is rejected with white space or control characters inside, without being shown", () => {
    for (const written of ["ab cd", "ab\ncd", "ab\u0007cd", "abé", "ab\u200bcd"]) {
      const reason = Either.getOrThrow(Either.flip(Gemini.keyOf({ apiKey: Redacted.make(written) })))
      assert.strictEqual(reason._tag, "Misconfigured")
      assert.notInclude(reason.message, written)
    }
  })

  it.scoped("is required before anything is sent", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      for (const [written, tag] of [
        ["", "Unauthorized"],
        ["a b", "Misconfigured"],
      ] as const) {
        const error = yield* Effect.flip(Gemini.make(options(url, written)).generate(hello))
        assert.strictEqual(error.reason._tag, tag)
      }
      assert.deepStrictEqual(requests, [])
    }),
  )

  it.scoped("ignores the environment, and leaves console and warnings of the process unchanged", () =>
    Effect.gen(function* () {
      const { emitWarning } = process
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          vi.stubEnv("GOOGLE_API_KEY", "from-the-environment")
          vi.stubEnv("GEMINI_API_KEY", "another-one")
          vi.stubEnv("GOOGLE_GENAI_USE_VERTEXAI", "true")
          return vi.spyOn(console, "warn").mockImplementation(() => {})
        }),
        () =>
          Effect.sync(() => {
            vi.restoreAllMocks()
            vi.unstubAllEnvs()
          }),
      )
      const { requests, url } = yield* FakeServer.serve([fine])
      yield* parts(url)
      assert.strictEqual(requests[0]?.headers["x-goog-api-key"], key)
      assert.include(requests[0]?.path, "/v1beta/models/")
      assert.isTrue(vi.isMockFunction(console.warn))
      assert.strictEqual(process.emitWarning, emitWarning)
    }),
  )
})

describe("Gemini: request", () => {
  it.scoped("streams from the beta API, with the conversation, the tools and the parameters", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      yield* parts(url, { ...hello, system: "Be brief.", tools: [readFile], maxOutputTokens: 100, temperature: 0.5 })
      assert.strictEqual(requests[0]?.path, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse")
      assert.deepStrictEqual(requests[0]?.body, {
        contents: [{ role: "user", parts: [{ text: "hello" }] }],
        systemInstruction: { role: "user", parts: [{ text: "Be brief." }] },
        tools: [
          {
            functionDeclarations: [
              { name: "read_file", description: "Reads a file.", parametersJsonSchema: { type: "object" } },
            ],
          },
        ],
        generationConfig: { maxOutputTokens: 100, temperature: 0.5 },
      })
    }),
  )

  it.scoped("is answered in parts, with the finish part last", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([
        {
          body: FakeServer.events(saying("one "), saying("two", "STOP"), { usageMetadata: { promptTokenCount: 3 } }),
        },
      ])
      const usage = { inputTokens: 3, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 }
      assert.deepStrictEqual(yield* parts(url), [heard("one two"), Part.Finish({ reason: "stop", usage })])
    }),
  )

  for (const size of [1, 2, 7]) {
    it.scoped(`decodes the same when the answer arrives ${size} byte(s) at a time`, () =>
      Effect.gen(function* () {
        yield* Pieces.cut(() => size)
        const { url } = yield* FakeServer.serve([
          { body: FakeServer.events(saying("größer 🚀\n\n"), saying("…", "STOP")) },
        ])
        assert.deepStrictEqual((yield* parts(url)).slice(0, -1), [heard("größer 🚀\n\n…")])
      }),
    )
  }

  it.scoped("decodes what the SDK drops: an event after a comment, and the last one without a blank line", () =>
    Effect.gen(function* () {
      const body = `: alive\ndata: ${JSON.stringify(saying("a"))}\n\nevent: x\ndata: ${JSON.stringify(saying("b", "STOP"))}`
      const { url } = yield* FakeServer.serve([{ body }])
      assert.deepStrictEqual((yield* parts(url)).slice(0, -1), [heard("ab")])
    }),
  )

  it.scoped("decodes an answer that is not streamed", () =>
    Effect.gen(function* () {
      const body = JSON.stringify(saying("whole", "STOP"), null, 2)
      const { url } = yield* FakeServer.serve([{ body, headers: { "content-type": "application/json" } }])
      yield* Pieces.cut(() => 5)
      assert.deepStrictEqual((yield* parts(url)).slice(0, 1), [heard("whole")])
    }),
  )

  it.scoped("disables the SDK's automatic continuation", () =>
    Effect.gen(function* () {
      const body = FakeServer.events({ candidates: [{ ...saying("half").candidates[0], continuationToken: "more" }] })
      const { requests, url } = yield* FakeServer.serve([{ body }])
      assert.strictEqual((yield* failure(url))._tag, "StreamIncomplete")
      assert.lengthOf(requests, 1)
    }),
  )
})

describe("Gemini: Vertex AI", () => {
  it.scoped("sends the key where there is no project (express mode)", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      const reply = yield* Gemini.make({ ...options(url), vertex: {} }).generate(hello)
      assert.deepStrictEqual(reply.blocks, [Block.text("fine")])
      const [request] = requests
      assert.match(
        request?.path ?? "",
        /^\/v1beta1\/publishers\/google\/models\/gemini-2\.5-flash:streamGenerateContent/,
      )
      assert.strictEqual(request?.headers["x-goog-api-key"], key)
    }),
  )

  it("requires no key for a project", () => {
    const apiKey = Redacted.make("")
    assert.deepStrictEqual(Gemini.keyOf({ apiKey, vertex: { project: "p" } }), Either.right(""))
    assert.isTrue(Either.isLeft(Gemini.keyOf({ apiKey, vertex: {} })))
  })
})

against({ id: "google/gemini-2.5-flash", layer: (url) => Gemini.layer(options(url)) })
