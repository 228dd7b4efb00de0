import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Logger, Redacted, TestClock } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Reply from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Ollama from "../../../src/provider/ollama/Ollama.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { against } from "../../model/LanguageModel.aimock.ts"
import { asking, hello, key, withoutWaiting } from "../../utils/Asking.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { bodyOf, done, failure, fine, lines, message, options, parts, refusing } from "../../utils/Ollama.ts"

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  },
  run: () => Effect.succeed(""),
})

const call = '{"name": "read_file", "arguments": {"path": "a.ts"}}'

/** A prompt of about this many tokens. */
const long = (tokens: number): Request => asking("word ".repeat((tokens / 0.3 - 60) / 5))

/** A server with information about its model, and one answer for every request. */
const knowing = (known: { readonly show?: object; readonly ps?: object }, read?: number) =>
  FakeServer.serve(({ path }) => {
    if (path === "/api/show") return { body: JSON.stringify(known.show ?? {}) }
    if (path === "/api/ps") return { body: JSON.stringify(known.ps ?? { models: [] }) }
    return lines(message({ content: "fine" }), done({ prompt_eval_count: read, eval_count: 1 }))
  })

const show = (limit: number, parameters = "") => ({
  model_info: { "general.architecture": "qwen3", "qwen3.context_length": limit },
  parameters,
})

const chats = ({ requests }: FakeServer.FakeServer) => requests.filter(({ path }) => path === "/api/chat").map(bodyOf)

const sizes = (server: FakeServer.FakeServer) => chats(server).map(({ options }) => options.num_ctx)

const warnings = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void logged.push(`${logLevel.label} ${message}`))
    yield* Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
    return logged
  })

describe("Ollama: request", () => {
  it.scoped("streams from its own API without truncation, with the conversation, tools and parameters", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      yield* parts(url, { ...hello, system: "Be brief.", tools: [readFile], maxOutputTokens: 100, temperature: 0.5 })
      assert.strictEqual(requests[0]?.path, "/api/chat")
      assert.isUndefined(requests[0]?.headers.authorization)
      assert.deepStrictEqual(requests[0]?.body, {
        model: "qwen3",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "hello" },
        ],
        tools: [
          {
            type: "function",
            function: {
              name: "read_file",
              description: "Reads a file.",
              parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
            },
          },
        ],
        options: { num_predict: 100, temperature: 0.5 },
        stream: true,
        truncate: false,
      })
    }),
  )

  it.scoped("is sent with the key if there is one, and not sent to an invalid address", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      yield* Ollama.make({ ...options(url), apiKey: Redacted.make(` ${key}\n`) }).generate(hello)
      assert.strictEqual(requests[0]?.headers.authorization, `Bearer ${key}`)
      const { reason } = yield* Effect.flip(Ollama.make(options("a b")).generate(hello))
      assert.strictEqual(reason._tag, "Misconfigured")
      assert.include(reason.message, "OLLAMA_HOST")
    }),
  )

  it.scoped("detects the type of an image that has another media type", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      const image = Block.image("image/png", "package")
      yield* parts(url, { ...hello, messages: [{ role: "user", content: [image] }] })
      assert.deepStrictEqual(requests.map(bodyOf)[0]?.messages, [{ role: "user", content: "", images: ["package"] }])
    }),
  )

  it.scoped("sends thinking before calls back to the same model, and to no other", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([
        lines(
          message({ thinking: "It is " }),
          message({ thinking: "in a.ts." }),
          message({ tool_calls: [{ id: "call_x", function: { name: "read_file", arguments: { path: "a.ts" } } }] }),
          done(),
        ),
        fine,
      ])
      const { blocks } = yield* Ollama.make(options(url)).generate({ ...hello, tools: [readFile] })
      const answers = blocks.filter(Block.isToolUse).map((call) => Message.toolResult(call, "42", false))
      const messages = [...hello.messages, { role: "assistant", content: blocks } as const, ...answers]
      yield* Ollama.make(options(url)).generate({ ...hello, messages })
      yield* Ollama.make(options(url, "llama3.2")).generate({ ...hello, messages })
      const tool_calls = [{ id: "call_x", function: { name: "read_file", arguments: { path: "a.ts" } } }]
      const [, own, other] = requests.map(bodyOf).map(({ messages }) => messages)
      assert.deepStrictEqual(own, [
        { role: "user", content: "hello" },
        { role: "assistant", content: "", thinking: "It is in a.ts.", tool_calls },
        { role: "tool", content: "42", tool_call_id: "call_x", tool_name: "read_file" },
      ])
      assert.deepStrictEqual(other?.[1], { role: "assistant", content: "", tool_calls })
    }),
  )

  it.scoped("fails with an error event within an answer", () =>
    Effect.gen(function* () {
      for (const [error, tag] of [
        ["an error was encountered while running the model: unexpected EOF", "Overloaded"],
        ["error parsing tool call: raw='{', err=unexpected end of JSON input", "Unusable"],
        ["unauthorized", "Unauthorized"],
        [{ message: "the input length exceeds the context length" }, "ContextOverflow"],
      ] as const) {
        const { url } = yield* FakeServer.serve([lines(message({ content: "half" }), { error })])
        assert.strictEqual((yield* failure(url))._tag, tag)
      }
    }),
  )

  it.scoped("runs no call without a name or with malformed arguments", () =>
    Effect.gen(function* () {
      for (const call of [{}, { function: { name: "" } }, { function: { name: "a", arguments: "[1" } }]) {
        const { url } = yield* FakeServer.serve([lines(message({ tool_calls: [call] }), done())])
        assert.strictEqual((yield* failure(url))._tag, "Unusable")
      }
    }),
  )
})

describe("Ollama: calls written as text", () => {
  const decoded = (texts: ReadonlyArray<string>, tools: Request["tools"], end = done()) =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([lines(...texts.map((content) => message({ content })), end)])
      const all = yield* parts(url, { ...hello, tools })
      return all.map((part) =>
        part._tag === "Text"
          ? part.text
          : part._tag === "ToolUse"
            ? [part.name, part.parameters]
            : part._tag === "Finish"
              ? part.reason
              : part._tag,
      )
    })

  it.scoped("are calls where the answer has nothing else", () =>
    Effect.gen(function* () {
      const expected = [["read_file", { path: "a.ts" }], "tool_calls"]
      assert.deepStrictEqual(yield* decoded([...call], [readFile]), expected)
      assert.deepStrictEqual(yield* decoded(["```json\n", call, "\n```"], [readFile]), expected)
    }),
  )

  it.scoped("are recognised in tags after text, which is emitted at once", () =>
    Effect.gen(function* () {
      const logged = yield* decoded(["I ", "look.", "\n<tool", "_call>", call, "</tool_call>"], [readFile])
      assert.deepStrictEqual(logged, ["I look.\n", ["read_file", { path: "a.ts" }], "tool_calls"])
    }),
  )

  it.scoped("are text where no such tool is offered, or more text follows", () =>
    Effect.gen(function* () {
      const other = call.replace("read_file", "rm")
      assert.deepStrictEqual(yield* decoded([other], [readFile]), [other, "stop"])
      assert.deepStrictEqual(yield* decoded(["{", "}"], []), ["{}", "stop"])
      assert.deepStrictEqual(yield* decoded([call, " is how."], [readFile]), [`${call} is how.`, "stop"])
    }),
  )

  it.scoped("have the tool's own name, where the wire name differs", () =>
    Effect.gen(function* () {
      const odd = { ...readFile, name: "server.read" }
      const { requests, url } = yield* FakeServer.serve((received) => {
        const name = bodyOf(received).tools?.[0]?.function.name
        return lines(message({ content: JSON.stringify({ name, arguments: {} }) }), done())
      })
      const [decoded] = yield* parts(url, { ...hello, tools: [odd] })
      assert.deepInclude(decoded, { _tag: "ToolUse", name: "server.read" })
      assert.lengthOf(requests, 1)
    }),
  )

  it.scoped("are text where the model also makes a real call", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([
        lines(
          message({ content: call }),
          message({ tool_calls: [{ function: { name: "read_file", arguments: {} } }] }),
          message({ content: "{" }),
          done(),
        ),
      ])
      const decoded = yield* parts(url, { ...hello, tools: [readFile] })
      assert.deepStrictEqual(
        decoded.map(({ _tag }) => _tag),
        ["Text", "ToolUse", "Text", "Finish"],
      )
    }),
  )

  it.scoped("are text where the answer was truncated", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* decoded([call], [readFile], done({ done_reason: "length" })), [call, "length"])
    }),
  )
})

describe("Ollama: context size", () => {
  it.scoped("is the server's default where that is enough, without a request for it", () =>
    Effect.gen(function* () {
      const server = yield* knowing({})
      yield* parts(server.url, long(1900))
      assert.deepStrictEqual(
        server.requests.map(({ path }) => path),
        ["/api/chat"],
      )
      assert.deepStrictEqual(sizes(server), [undefined])
    }),
  )

  it.scoped("grows with the conversation by powers of two, never shrinks, and is requested once", () =>
    Effect.gen(function* () {
      const server = yield* knowing({ show: show(131_072) })
      const model = Ollama.make(options(server.url))
      for (const tokens of [1000, 3000, 7000, 3000, 20_000]) yield* model.generate(long(tokens))
      assert.deepStrictEqual(sizes(server), [undefined, 8192, 16_384, 16_384, 32_768])
      assert.lengthOf(
        server.requests.filter(({ path }) => path === "/api/show"),
        1,
      )
    }),
  )

  it.scoped("is at most the model's maximum, and leaves room for the requested output", () =>
    Effect.gen(function* () {
      const small = yield* knowing({ show: show(6000) })
      yield* parts(small.url, long(5000))
      assert.deepStrictEqual(sizes(small), [6000])
      const large = yield* knowing({ show: show(131_072) })
      yield* parts(large.url, { ...long(3000), maxOutputTokens: 8000 })
      assert.deepStrictEqual(sizes(large), [16_384])
    }),
  )

  it.scoped("is at least the size that is configured for the model, or loaded", () =>
    Effect.gen(function* () {
      const set = yield* knowing({ show: show(131_072, 'stop   "x"\nnum_ctx    32768') })
      yield* parts(set.url, long(3000))
      const loaded = yield* knowing({ ps: { models: [{ name: "qwen3:latest", context_length: 65_536 }] } })
      yield* parts(loaded.url, long(3000))
      assert.deepStrictEqual([...sizes(set), ...sizes(loaded)], [32_768, 65_536])
    }),
  )

  it.scoped("follows the estimate alone where the server has no information about the model", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve(({ path }) => (path === "/api/chat" ? fine : refusing(404, "no")))
      yield* parts(server.url, long(9000))
      assert.deepStrictEqual(sizes(server), [16_384])
    }),
  )

  it.scoped("counts an image as an image, not as its characters", () =>
    Effect.gen(function* () {
      const server = yield* knowing({})
      const image = Block.image("image/png", "A".repeat(1_000_000))
      yield* parts(server.url, { ...hello, messages: [{ role: "user", content: [Block.text("What?"), image] }] })
      assert.deepStrictEqual(sizes(server), [undefined])
    }),
  )

  it.scoped("fails before sending where the conversation certainly exceeds it", () =>
    Effect.gen(function* () {
      const server = yield* knowing({ show: show(8192) })
      const reason = yield* failure(server.url, long(20_000))
      assert.strictEqual(reason._tag, "ContextOverflow")
      assert.match(reason.message, /about \d+ tokens, and the model reads 8192/)
      assert.deepStrictEqual(chats(server), [])
    }),
  )

  it.scoped("warns where the server truncated the prompt", () =>
    Effect.gen(function* () {
      const server = yield* knowing({ show: show(131_072) }, 2051)
      const [warning, ...more] = yield* warnings(parts(server.url, long(15_750)))
      assert.match(
        warning ?? "",
        /^WARN ollama\/qwen3: the server truncated the prompt \(2051 of about 157\d\d tokens\).*num_ctx/,
      )
      assert.deepStrictEqual(more, [])
    }),
  )

  it.scoped("does not warn where the prompt was read completely, was not counted, or was short", () =>
    Effect.gen(function* () {
      for (const [tokens, read] of [
        [15_750, 13_000],
        [15_750, undefined],
        [100, 20],
      ] as const) {
        const { url } = yield* knowing({ show: show(131_072) }, read)
        assert.deepStrictEqual(yield* warnings(parts(url, long(tokens))), [])
      }
    }),
  )
})

describe("Ollama: missing server or model", () => {
  it.effect("asks whether Ollama is running at the address, without a retry", () =>
    Effect.gen(function* () {
      // The address of a server that has just closed.
      const { url } = yield* Effect.scoped(FakeServer.serve([fine]))
      const { result, retries } = yield* withoutWaiting((observer) =>
        Effect.either(Ollama.make(options(url)).generate(hello, observer)),
      )
      assert.strictEqual(result._tag, "Left")
      if (result._tag === "Left") {
        assert.strictEqual(result.left.reason._tag, "Unsupported")
        assert.include(result.left.message, `is Ollama running at ${url}?`)
      }
      assert.deepStrictEqual(retries, [])
    }),
  )

  it.scoped("advises how to pull a missing model", () =>
    Effect.gen(function* () {
      for (const words of ["model 'qwen3' not found", 'model "qwen3" not found, try pulling it first']) {
        const { url } = yield* FakeServer.serve([refusing(404, words)])
        const reason = yield* failure(url)
        assert.strictEqual(reason._tag, "ModelNotFound")
        assert.include(reason.message, "'ollama pull qwen3'")
      }
    }),
  )

  it.scoped("reports missing abilities and memory, without a retry", () =>
    Effect.gen(function* () {
      for (const [status, words] of [
        [400, "registry.ollama.ai/library/qwen3:latest does not support tools"],
        [500, "model requires more system memory (8.4 GiB) than is available (3.2 GiB)"],
      ] as const) {
        const { url } = yield* FakeServer.serve([refusing(status, words)])
        const reason = yield* failure(url)
        assert.strictEqual(reason._tag, "Unsupported")
        assert.include(reason.message, words)
      }
    }),
  )

  it.scoped("parses the message of an upstream server", () =>
    Effect.gen(function* () {
      const inner = JSON.stringify({
        error: { code: 400, message: "request (2622 tokens) exceeds the available context size (512 tokens)" },
      })
      const { url } = yield* FakeServer.serve([refusing(400, inner)])
      const reason = yield* failure(url)
      assert.strictEqual(reason._tag, "ContextOverflow")
      assert.strictEqual(reason.message, "request (2622 tokens) exceeds the available context size (512 tokens)")
    }),
  )

  it.scoped("waits minutes for the first chunk, while a model loads, and as usual for the others", () =>
    Effect.gen(function* () {
      const silent = yield* FakeServer.serve([{ ...fine, ending: "mute" }])
      const first = yield* Effect.fork(Effect.flip(parts(silent.url)))
      yield* silent.asked
      yield* TestClock.adjust("299 seconds")
      assert.isNull(first.unsafePoll())
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(
        (yield* Fiber.join(first)).reason.message,
        `no data arrived for ${Duration.format("5 minutes")}`,
      )
    }),
  )
})

describe("Ollama.listModels", () => {
  it.scoped("follows no redirect, nor do the requests for model information", () =>
    Effect.gen(function* () {
      const other = yield* FakeServer.serve([{ body: JSON.stringify({ models: [] }) }])
      const redirect = { status: 308, headers: { location: other.url }, body: "" }
      const { requests, url } = yield* FakeServer.serve([redirect])
      const reason = yield* Effect.flip(Ollama.listModels({ host: url, apiKey: Redacted.make(key) }))
      assert.strictEqual(reason._tag, "Misconfigured")
      assert.include(reason.message, `the provider redirects to ${other.url}/`)
      assert.strictEqual((yield* failure(url, long(10_000)))._tag, "Misconfigured")
      assert.sameMembers(
        requests.map(({ path }) => path),
        ["/api/tags", "/api/show", "/api/ps", "/api/chat"],
      )
      assert.deepStrictEqual(other.requests, [])
    }),
  )

  it.scoped("lists the models of a server, without embedding models", () =>
    Effect.gen(function* () {
      const models = [
        { name: "qwen3:8b", size: 1, details: { family: "qwen3" } },
        { name: "nomic-embed-text:latest", details: { family: "nomic-bert" } },
        { name: "all-minilm:latest", details: { family: "bert" } },
        { name: "llama3.2:latest", details: null },
      ]
      const { requests, url } = yield* FakeServer.serve([{ body: JSON.stringify({ models }) }])
      assert.deepStrictEqual(yield* Ollama.listModels({ host: url }), ["qwen3:8b", "llama3.2:latest"])
      assert.strictEqual(requests[0]?.path, "/api/tags")
    }),
  )

  it.scoped("fails like a request, also where the response is not a list", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([refusing(401, `unauthorized: ${key}`)])
      const reason = yield* Effect.flip(Ollama.listModels({ host: url, apiKey: Redacted.make(key) }))
      assert.deepStrictEqual([reason._tag, reason.message], ["Unauthorized", "unauthorized: [key]"])
      for (const body of ["<html></html>", "{}", "null"]) {
        const { url } = yield* FakeServer.serve([{ body }])
        assert.strictEqual((yield* Effect.flip(Ollama.listModels({ host: url })))._tag, "StreamIncomplete")
      }
    }),
  )
})

against({ id: "ollama/qwen3", layer: (url) => Ollama.layer(options(url)) })

describe("Ollama: thinking in the text", () => {
  it.scoped("separates thinking in tags from text, also if only its closing tag is there", () =>
    Effect.gen(function* () {
      const reply = (...texts: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const { url } = yield* FakeServer.serve([lines(...texts.map((content) => message({ content })), done())])
          return (yield* parts(url, hello)).reduce(Reply.step, Reply.empty).blocks
        })
      assert.deepStrictEqual(yield* reply("<thi", "nk>hm</think>", "\n\n391"), [
        Block.thinking("hm"),
        Block.text("391"),
      ])
      assert.deepStrictEqual(yield* reply("hm\n</th", "ink>\n\n391"), [Block.thinking("hm"), Block.text("391")])
      assert.deepStrictEqual(yield* reply("39", "1<|end|>"), [Block.text("391")])
      assert.deepStrictEqual(yield* reply(" <", "b>"), [Block.text(" <b>")])
    }),
  )
})
