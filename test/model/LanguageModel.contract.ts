/**
 * The contract of every provider's adapter, whatever its wire: tests are written in parts, turns and reasons, and an
 * `Adapter` implements a server of its kind.
 */
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Duration, Effect, Either, FastCheck, Fiber, Stream, TestClock } from "effect"
import * as Block from "../../src/message/Block.ts"
import type { FinishReason } from "../../src/message/FinishReason.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Misconfigured, type Reason } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import { hasImage, type Request } from "../../src/model/Request.ts"
import { RetryPolicy } from "../../src/model/RetryPolicy.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { messages } from "../message/Messages.ts"
import { cases } from "../thoroughness.ts"
import { hello, key, withoutWaiting } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import * as Pieces from "../utils/Pieces.ts"

export interface Adapter {
  /** The provider in model ids. */
  readonly name: string
  /** Two models that may follow one another in a conversation. */
  readonly models: readonly [string, string]
  /** A model that sends its requests to `url`, with `key` where it needs one. */
  readonly open: (model: string, url: string) => LanguageModel.Service
  readonly wire: Wire
}

export interface Wire {
  /** A streamed answer with one event per part. Without a `Finish` it is incomplete. */
  readonly streamed: (parts: ReadonlyArray<Part>) => FakeServer.Answer
  /** The same answer as one document; `undefined` where servers never send that. */
  readonly whole: ((parts: ReadonlyArray<Part>) => FakeServer.Answer) | undefined
  /** The error of an overloaded server within a stream; `undefined` where there is none. */
  readonly breakdown: ((message: string) => string) | undefined
  /** `undefined` where such a server never fails with that reason. */
  readonly refusal: (why: Refusal, message: string) => FakeServer.Answer | undefined
  /** A request, as decoded by the server. */
  readonly sent: (request: FakeServer.Received) => Sent
  /** The rule that a request breaks, if any. */
  readonly broken: (request: FakeServer.Received) => string | undefined
  /** What the wire does not support. */
  readonly lacks: ReadonlyArray<Lack>
}

/**
 * - `new endings`: unknown finish reasons
 * - `pages`: recognising HTML pages
 * - `key in mid-stream`: redacting the key in errors within an answer
 * - `calls not offered`: calls of tools that were not offered
 * - `pictures shown`: images of the user
 * - `late ends`: reusing connections whose body ends a moment after the answer
 * - `long refusals`: limiting error responses that do not end
 * - `redirects`: refusing redirects: the HTTP client is not vibe's own
 * - `thousands of calls`: in one answer, which takes it too long
 * - `answer schemas`: structured output
 */
export type Lack =
  | "thinking"
  | "cachedTokens"
  | "thinkingTokens"
  | "content_filter"
  | "images drawn"
  | "new endings"
  | "pages"
  | "key in mid-stream"
  | "calls not offered"
  | "pictures shown"
  | "late ends"
  | "long refusals"
  | "redirects"
  | "thousands of calls"
  | "answer schemas"

/** `rate` includes a delay of five seconds. */
export type Refusal = "key" | "model" | "quota" | "rate" | "overload" | "invalid" | "overflow"

export interface Sent {
  readonly system: string
  readonly tools: ReadonlyArray<{ readonly name: string; readonly schema: unknown }>
  readonly turns: ReadonlyArray<SentTurn>
  /** The schema of the answer. */
  readonly schema: unknown
}

export interface SentTurn {
  readonly role: "user" | "assistant"
  readonly texts: ReadonlyArray<string>
  /** Base64. */
  readonly images: ReadonlyArray<string>
  readonly calls: ReadonlyArray<{ readonly name: string; readonly arguments: unknown }>
  /** In the order of their calls. */
  readonly results: ReadonlyArray<string>
}

const finish = (reason: FinishReason, usage = Usage.none) => Part.Finish({ reason, usage })

const text = (text: string) => Part.Text({ text })

const call = (id: string, parameters: Block.ToolUse["parameters"], name = "look") =>
  Part.ToolUse({ id, name, parameters })

const tool = (name: string, parameters: Tool.Tool["parameters"]) =>
  Tool.fromJsonSchema({ name, description: "Looks.", parameters, run: () => Effect.succeed("") })

const look = tool("look", {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
})

/** Without retries. */
const once = Effect.provideService(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero })

const reasonOf = <A>(outcome: Either.Either<A, { readonly reason: Reason }>): Reason =>
  Either.getOrThrow(Either.flip(outcome)).reason

export const contract = ({ models: [model, another], name, open, wire }: Adapter): void => {
  const has = (what: Lack) => !wire.lacks.includes(what)

  /** The reply to an answer with these parts. */
  const anything = has("calls not offered") ? hello : { ...hello, tools: [look] }

  const ask = (answer: FakeServer.Answer, request = anything) =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([answer])
      const outcome = yield* once(Effect.either(open(model, url).generate(request)))
      return { outcome, requests }
    })

  const blocksOf = (answer: FakeServer.Answer, request = anything) =>
    Effect.map(ask(answer, request), ({ outcome }) => Either.getOrThrow(outcome).blocks)

  const failure = (answer: FakeServer.Answer) => Effect.map(ask(answer), ({ outcome }) => reasonOf(outcome))

  /** The requests to a server that answers anything. */
  const requestFor = (request: Request, asked = model) =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([wire.streamed([text("fine"), finish("stop")])])
      yield* open(asked, url).generate(request)
      const [received = assert.fail("nothing was sent")] = requests
      assert.isUndefined(wire.broken(received))
      return { ...wire.sent(received), body: JSON.stringify(received.body) }
    })

  const refusals = (kinds: ReadonlyArray<Refusal>, message: string) =>
    kinds.flatMap((why) => {
      const answer = wire.refusal(why, message)
      return answer === undefined ? [] : [{ why, answer }]
    })

  describe(`LanguageModel (${name}): answers`, () => {
    it.scoped("emits a text as it arrives, and Finish last", () =>
      Effect.gen(function* () {
        const whole = wire.streamed([text("one "), text("two"), finish("stop")])
        // After the first text, and the end of its event.
        const [firstEvent = ""] = /^.*?"one "[^\n]*[\r\n]+/s.exec(whole.body) ?? []
        const server = yield* FakeServer.serve([
          { ...whole, body: firstEvent, rest: whole.body.slice(firstEvent.length), ending: "hang" },
        ])
        const emitted = yield* Deferred.make<void>()
        const asked = yield* open(model, server.url)
          .stream(hello)
          .pipe(
            Stream.tap(() => Deferred.succeed(emitted, undefined)),
            Stream.runCollect,
            Effect.fork,
          )
        yield* Deferred.await(emitted)
        yield* server.endAll
        const parts = Chunk.toReadonlyArray(yield* Fiber.join(asked))
        assert.deepStrictEqual(
          parts.map((part) => (part._tag === "Text" ? part.text : part._tag)),
          ["one ", "two", "Finish"],
        )
      }),
    )

    const mixed = [
      ...(has("thinking") ? [Part.Thinking({ text: "hm … größer?" })] : []),
      text("größer 🚀\n\n"),
      text("data: [DONE]"),
      call("call_a", { path: "ä.ts", deep: { list: [1, { "a b": null }], "": "\ud83d\ude80" } }),
      call("call_b", {}),
      finish("tool_calls"),
    ]

    const expected = [
      ...(has("thinking") ? [["thinking", "hm … größer?"]] : []),
      ["text", "größer 🚀\n\ndata: [DONE]"],
      ["look", { path: "ä.ts", deep: { list: [1, { "a b": null }], "": "🚀" } }],
      ["look", {}],
    ]

    /** Without empty blocks that only hold provider metadata. */
    const plain = (blocks: ReadonlyArray<Block.Block>) =>
      blocks.flatMap((block) => {
        if (block.type === "tool-use") return [[block.name, block.parameters]]
        const content = block.type === "image" ? block.data : block.text
        return content === "" ? [] : [[block.type, content]]
      })

    for (const [how, size] of [
      ["whole", () => Number.POSITIVE_INFINITY],
      ["a byte at a time", () => 1],
      ["seven bytes at a time", () => 7],
      ["in random pieces", Pieces.random()],
    ] as const) {
      it.scoped(`separates thinking, text and calls that arrive ${how}`, () =>
        Effect.gen(function* () {
          yield* Pieces.cut(size)
          assert.deepStrictEqual(plain(yield* blocksOf(wire.streamed(mixed))), expected)
        }),
      )
    }

    it.scoped.skipIf(wire.whole === undefined)("decodes an answer that arrives as one document", () =>
      Effect.gen(function* () {
        yield* Pieces.cut(() => 5)
        assert.deepStrictEqual(plain(yield* blocksOf(wire.whole?.(mixed) ?? assert.fail())), expected)
      }),
    )

    it.scoped("gives every call a unique id", () =>
      Effect.gen(function* () {
        const calls = [call("call_a", { path: "a" }), call("call_b", { path: "a" }), finish("tool_calls")]
        const ids = (yield* blocksOf(wire.streamed(calls))).filter(Block.isToolUse).map(({ id }) => id)
        assert.lengthOf(ids, 2)
        assert.strictEqual(new Set(ids).size, 2)
      }),
    )

    for (const [how, write] of [
      ["streamed", wire.streamed],
      ["whole", wire.whole],
    ] as const) {
      it.scoped.skipIf(write === undefined)(
        `emits a call that is nested too deeply as one that gets a result, ${how}`,
        () =>
          Effect.gen(function* () {
            const content = write?.([call("call_a", { path: "DEEP" }), finish("tool_calls")]) ?? assert.fail()
            // As JSON, or as JSON within a JSON string.
            const deep = (levels: number) =>
              content.body.replaceAll(/\\?"DEEP\\?"/g, "[".repeat(levels) + "]".repeat(levels))
            for (const levels of [2000, 5000, 100_000]) {
              const [block] = yield* blocksOf({ ...content, body: deep(levels) }, { ...hello, tools: [look] })
              assert.strictEqual(block?.type, "tool-use")
              if (block?.type !== "tool-use") return
              // It can be stored.
              assert.include(JSON.stringify(block), "[nested too deeply]")
              const result = yield* ToolRegistry.make([look]).execute(block, {
                node: NodeId.make("n-1"),
                callId: block.id,
                model: new ModelId({ provider: "test", name: model }),
              })
              assert.isTrue(result.isError)
              assert.include(result.text, "nested more than 128 levels deep")
            }
          }),
      )
    }

    it.scoped.skipIf(!has("images drawn"))("emits an image", () =>
      Effect.gen(function* () {
        const image = Part.Image({ media_type: "image/png", data: "aGVsbG8=" })
        const blocks = yield* blocksOf(wire.streamed([text("Here:"), image, finish("stop")]))
        assert.deepStrictEqual(blocks, [Block.text("Here:"), Block.image("image/png", "aGVsbG8=")])
      }),
    )

    it.scoped("counts input, including cached input, and output, including thinking", () =>
      Effect.gen(function* () {
        const usage = { inputTokens: 100, outputTokens: 50, cachedTokens: 40, thinkingTokens: 30 }
        const { outcome } = yield* ask(wire.streamed([text("fine"), finish("stop", usage)]))
        assert.deepStrictEqual(Either.getOrThrow(outcome).usage, {
          ...usage,
          ...(!has("cachedTokens") && { cachedTokens: 0 }),
          ...(!has("thinkingTokens") && { thinkingTokens: 0 }),
        })
      }),
    )

    it.scoped("maps the finish reasons", () =>
      Effect.gen(function* () {
        for (const reason of ["stop", "length", ...(has("new endings") ? ["error" as const] : [])] as const) {
          const { outcome } = yield* ask(wire.streamed([text("Once upon"), finish(reason)]))
          assert.strictEqual(Either.getOrThrow(outcome).finish, reason)
        }
        const { outcome } = yield* ask(wire.streamed([call("call_a", {}), finish("tool_calls")]))
        assert.strictEqual(Either.getOrThrow(outcome).finish, "tool_calls")
      }),
    )

    it.scoped("finishes with tool_calls where there are calls, even where the server reports a stop", () =>
      Effect.gen(function* () {
        const { outcome } = yield* ask(wire.streamed([call("call_a", {}), finish("stop")]))
        assert.strictEqual(Either.getOrThrow(outcome).finish, "tool_calls")
      }),
    )

    it.scoped.skipIf(!has("content_filter"))("fails on a blocked answer", () =>
      Effect.gen(function* () {
        for (const content of [[], [text("Once upon")]]) {
          assert.strictEqual((yield* failure(wire.streamed([...content, finish("content_filter")])))._tag, "Blocked")
        }
      }),
    )

    it.scoped("runs no call of an answer truncated at the output limit, and sends a correction", () =>
      Effect.gen(function* () {
        const reason = yield* failure(wire.streamed([call("call_a", { path: "a" }), finish("length")]))
        assert.strictEqual(reason._tag, "OutputLimit")
        assert.include(reason._tag === "OutputLimit" ? reason.correction : "", "smaller pieces")
        assert.strictEqual((yield* failure(wire.streamed([finish("length")])))._tag, "OutputLimit")
      }),
    )

    it.scoped("retries an empty answer twice, with a correction", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([
          wire.streamed([finish("stop")]),
          wire.streamed([text(" \n"), finish("stop")]),
          wire.streamed([text("fine"), finish("stop")]),
        ])
        const reply = yield* open(model, url).generate({ ...hello, system: "Be brief." })
        assert.deepStrictEqual(reply.blocks, [Block.text("fine")])
        assert.deepStrictEqual(
          requests.map((request) => wire.sent(request).system.includes("empty")),
          [false, true, true],
        )
      }),
    )

    for (const [what, content] of [
      ["nothing", []],
      ["words", [text("half")]],
      ["a call", [call("call_a", { path: "a" })]],
    ] as const) {
      it.scoped(`does not accept an answer that ends after ${what}`, () =>
        Effect.gen(function* () {
          for (const ending of ["end", "reset"] as const) {
            const reason = yield* failure({ ...wire.streamed(content), ending })
            assert.include(["StreamIncomplete", "Unreachable"], reason._tag)
          }
        }),
      )
    }

    /** Calls a server that completes its answer and leaves the connection open; `meanwhile` runs then. */
    const whileOpen = (meanwhile: (server: FakeServer.FakeServer) => Effect.Effect<void>) =>
      Effect.gen(function* () {
        const complete = wire.streamed([text("fine"), finish("stop")])
        const server = yield* FakeServer.serve([{ ...complete, ending: "hang" }, complete])
        const emitted = yield* Deferred.make<void>()
        const part = () => Effect.asVoid(Deferred.succeed(emitted, undefined))
        const asked = yield* Effect.fork(once(open(model, server.url).generate(hello, { part })))
        yield* Deferred.await(emitted)
        yield* meanwhile(server)
        const { blocks, finish: end } = yield* Fiber.join(asked)
        assert.deepStrictEqual(blocks, [Block.text("fine")])
        assert.strictEqual(end, "stop")
        return server
      })

    it.scoped("accepts an answer once the server has completed it, and closes a connection that stays open", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(() => TestClock.adjust("2 seconds"))
        yield* server.abandoned
        assert.lengthOf(server.requests, 1)
      }),
    )

    it.scoped("accepts an answer once the server has completed it, even if the connection breaks then", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(({ resetAll }) => resetAll)
        assert.lengthOf(server.requests, 1)
      }),
    )

    it.scoped.skipIf(!has("late ends"))("reuses a connection whose body ends a moment after the answer", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(({ endAll }) => endAll)
        // The connection is free one turn of the event loop after the end.
        yield* Effect.promise(() => setImmediate())
        yield* open(model, server.url).generate(hello)
        assert.lengthOf(server.requests, 2)
        assert.strictEqual(yield* server.connections, 1)
      }),
    )

    it.scoped("discards an answer that broke off, and returns the next one alone", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([
          { ...wire.streamed([text("half"), call("call_a", { path: "a" })]), ending: "reset" },
          wire.streamed([text("fine"), finish("stop")]),
        ])
        const { result } = yield* withoutWaiting((observer) => open(model, url).generate(anything, observer))
        assert.deepStrictEqual(result.blocks, [Block.text("fine")])
        assert.lengthOf(requests, 2)
      }),
    )

    it.scoped("stops an answer without an end, without a retry, and closes the connection", () =>
      Effect.gen(function* () {
        const words = Array.from({ length: 9 }, () => text("round and round ".repeat(65_536)))
        const server = yield* FakeServer.serve([{ ...wire.streamed(words), ending: "hang" }])
        const { result } = yield* withoutWaiting((observer) =>
          Effect.either(open(model, server.url).generate(hello, observer)),
        )
        const reason = reasonOf(result)
        assert.strictEqual(reason._tag, "OutputLimit")
        assert.strictEqual(reason.message, "its answer has more than 8,388,608 characters")
        assert.lengthOf(server.requests, 1)
        yield* server.abandoned
      }),
    )

    it.scoped.skipIf(!has("thousands of calls"))("stops an answer of thousands of calls, without a retry", () =>
      Effect.gen(function* () {
        const calls = Array.from({ length: 4097 }, (_, at) => call(`call_${at}`, { path: `${at}` }))
        const server = yield* FakeServer.serve([{ ...wire.streamed([...calls, finish("tool_calls")]), ending: "hang" }])
        const { result } = yield* withoutWaiting((observer) =>
          Effect.either(open(model, server.url).generate(anything, observer)),
        )
        const reason = reasonOf(result)
        assert.strictEqual(reason._tag, "OutputLimit")
        assert.strictEqual(reason.message, "its answer has more than 4,096 parts")
        assert.lengthOf(server.requests, 1)
        yield* server.abandoned
      }),
    )

    it.scoped("fails on an HTML page, and on an empty body", () =>
      Effect.gen(function* () {
        const page = yield* failure({ body: "<html>\n\n</html>", headers: { "content-type": "text/html" } })
        assert.strictEqual(page._tag, "StreamIncomplete")
        if (has("pages")) assert.include(page.message, "a page, not an API response")
        assert.strictEqual((yield* failure({ body: "" }))._tag, "StreamIncomplete")
        assert.strictEqual((yield* failure({ body: "data: null\n\n" }))._tag, "StreamIncomplete")
      }),
    )

    it.scoped.skipIf(wire.breakdown === undefined)("maps an error within a stream", () =>
      Effect.gen(function* () {
        const { body, ...answer } = wire.streamed([text("half")])
        const reason = yield* failure({ ...answer, body: `${body}${wire.breakdown?.(`busy ${key}`)}` })
        assert.strictEqual(reason._tag, "Overloaded")
        assert.include(reason.message, has("key in mid-stream") ? "busy [key]" : "busy")
      }),
    )

    it.scoped("closes the connection when cancelled, before and during the answer", () =>
      Effect.gen(function* () {
        const half = wire.streamed([text("half")])
        for (const answer of [
          { ...half, ending: "mute" },
          { ...half, ending: "hang" },
        ] as const) {
          const server = yield* FakeServer.serve([answer])
          const fiber = yield* Effect.fork(open(model, server.url).generate(hello))
          yield* server.asked
          yield* Fiber.interrupt(fiber)
          yield* server.abandoned
        }
      }),
    )
  })

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

  describe(`LanguageModel (${name}): requests`, () => {
    const a = Block.toolUse("call_a", "look", { path: "a" })
    const b = Block.toolUse("call_b", "look", { path: "b" })

    it.scoped("contain the system prompt, the text, and the tools with their schemas", () =>
      Effect.gen(function* () {
        const { system, tools, turns } = yield* requestFor({ ...hello, system: "Be brief.", tools: [look] })
        assert.strictEqual(system, "Be brief.")
        assert.deepStrictEqual(
          turns.map(({ role, texts }) => [role, texts]),
          [["user", ["hello"]]],
        )
        assert.deepStrictEqual(
          tools.map(({ name }) => name),
          ["look"],
        )
        assert.deepInclude(tools[0]?.schema, { type: "object", required: ["path"] })
      }),
    )

    it.scoped("contain the results of all calls of a turn, in the order of the calls, before any other content", () =>
      Effect.gen(function* () {
        const { turns } = yield* requestFor({
          ...hello,
          tools: [look],
          messages: [
            Message.user("Look."),
            { role: "assistant", content: [Block.text("Both."), a, b] },
            Message.toolResult(b, "saw b", true),
            Message.toolResult(a, "saw a", false),
            Message.user("And?"),
          ],
        })
        assert.deepStrictEqual(
          turns.map(({ calls, results, role }) => ({ role, calls, results: results.map(Boolean).length })),
          [
            { role: "user", calls: [], results: 0 },
            {
              role: "assistant",
              calls: [
                { name: "look", arguments: { path: "a" } },
                { name: "look", arguments: { path: "b" } },
              ],
              results: 0,
            },
            { role: "user", calls: [], results: 2 },
          ],
        )
        const [first, second] = turns[2]?.results ?? []
        assert.include(first, "saw a")
        assert.include(second, "saw b")
        assert.deepStrictEqual(turns[2]?.texts, ["And?"])
      }),
    )

    it.scoped("contain a result for every call, where the run was stopped", () =>
      Effect.gen(function* () {
        const { turns } = yield* requestFor({
          ...hello,
          messages: [
            Message.user("Look."),
            { role: "assistant", content: [a, b] },
            Message.toolResult(b, "saw b", false),
            Message.user("And now?"),
          ],
        })
        const [first, second] = turns[2]?.results ?? []
        assert.include(first, "was interrupted")
        assert.include(second, "saw b")
      }),
    )

    it.scoped("contain a notice in its place, separate from the text of the user", () =>
      Effect.gen(function* () {
        const notice: Message.Message = { role: "system", content: [Block.text("The files have changed.")] }
        const { turns } = yield* requestFor({
          ...hello,
          messages: [Message.user("hello"), notice, Message.user("Go on.")],
        })
        assert.include(JSON.stringify(turns), "The files have changed.")
        assert.isFalse(
          turns.some(({ texts }) => texts.some((text) => /changed\.\s*Go on|hello\s*The files/.test(text))),
        )
      }),
    )

    it.scoped.skipIf(!has("pictures shown"))("contain images of the user", () =>
      Effect.gen(function* () {
        const content = [Block.text("What is it?"), Block.image("image/png", "aGVsbG8=")] as const
        const { turns } = yield* requestFor({ ...hello, messages: [{ role: "user", content }] })
        assert.deepStrictEqual(turns[0]?.images, ["aGVsbG8="])
        assert.deepStrictEqual(turns[0]?.texts, ["What is it?"])
      }),
    )

    it.scoped("contain nothing that cannot be encoded as UTF-8", () =>
      Effect.gen(function* () {
        const odd = Block.toolUse("call_a", "look", { path: "\ud800" })
        const { body } = yield* requestFor({
          ...hello,
          system: "\udc00",
          messages: [
            Message.user("\ud800x"),
            { role: "assistant", content: [odd] },
            Message.toolResult(odd, "\udfff", false),
          ],
        })
        assert.notMatch(body, /\\u(d[89a-f]|D[89A-F])/)
      }),
    )

    it.scoped("contain tools by valid names, and calls are emitted by their own names", () =>
      Effect.gen(function* () {
        const names = [`server_${"x".repeat(83)}y`, `server_${"x".repeat(83)}z`, "größe.messen", "größe:messen", "look"]
        const { requests, url } = yield* FakeServer.serve((received) =>
          wire.streamed([
            ...wire.sent(received).tools.map(({ name }, index) => call(`call_${index}`, {}, name)),
            finish("tool_calls"),
          ]),
        )
        const tools = names.map((name) => tool(name, { type: "object", properties: {} }))
        const service = open(model, url)
        const { blocks } = yield* service.generate({ ...hello, tools })
        const calls = blocks.filter(Block.isToolUse)
        assert.deepStrictEqual(
          calls.map(({ name }) => name),
          names,
        )
        yield* service.generate({
          ...hello,
          tools,
          messages: [
            ...hello.messages,
            { role: "assistant", content: blocks },
            ...calls.map((call) => Message.toolResult(call, "done", false)),
          ],
        })
        for (const request of requests) assert.isUndefined(wire.broken(request))
        const wireNames = requests.map((request) => wire.sent(request).tools.map(({ name }) => name))
        assert.strictEqual(new Set(wireNames[0]).size, names.length)
        assert.deepStrictEqual(wireNames[1], wireNames[0])
        const [, content] = wire.sent(requests[1] ?? assert.fail()).turns
        assert.deepStrictEqual(
          content?.calls.map(({ name }) => name),
          wireNames[0],
        )
      }),
    )

    it.scoped("contain recursive schemas, constants and tuples, as far as the provider supports them", () =>
      Effect.gen(function* () {
        const odd = tool("odd", {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
          type: "object",
          properties: {
            list: { $ref: "#/$defs/node" },
            kind: { const: "one" },
            pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
            count: { type: "integer", exclusiveMinimum: 0 },
          },
          required: ["kind"],
          additionalProperties: false,
        })
        const { tools } = yield* requestFor({ ...hello, tools: [odd] })
        assert.include(JSON.stringify(tools[0]?.schema), "one")
        for (const property of ["list", "kind", "pair", "count"]) {
          assert.nestedProperty(tools[0]?.schema, `properties.${property}`)
        }
      }),
    )

    describe("the answer schema", () => {
      const person = {
        type: "object",
        properties: { name: { type: "string", maxLength: 40 } },
        required: ["name"],
      }
      const asked = { ...hello, answerSchema: person }

      it.scoped("is sent to providers that support it, as far as they do, and not with tools", () =>
        Effect.gen(function* () {
          const { schema } = yield* requestFor(asked)
          const grammar = { ...person, properties: { name: { type: "string" } }, additionalProperties: false }
          assert.deepStrictEqual(schema, has("answer schemas") ? grammar : undefined)
          assert.isUndefined((yield* requestFor({ ...asked, tools: [look] })).schema)
          assert.isUndefined((yield* requestFor(hello)).schema)
        }),
      )

      it.scoped.skipIf(!has("answer schemas"))("is dropped where it is rejected, with one more request", () =>
        Effect.gen(function* () {
          const invalid = wire.refusal("invalid", "No such thing here.") ?? assert.fail()
          const answer = wire.streamed([text('{"name":"Ada"}'), finish("stop")])
          const { requests, url } = yield* FakeServer.serve([invalid, answer])
          const reply = yield* once(open(model, url).generate(asked))
          assert.deepStrictEqual(reply.blocks, [Block.text('{"name":"Ada"}')])
          assert.deepStrictEqual(
            requests.map((request) => wire.sent(request).schema !== undefined),
            [true, false],
          )
        }),
      )
    })

    it.scoped("contain no metadata of another model, after a switch within the conversation", () =>
      Effect.gen(function* () {
        const secret = "Rm9yZWlnbg=="
        const meta = Object.fromEntries(
          ["google", "anthropic", "openai", "openai-responses", "openrouter", "ollama", "elsewhere"].map((provider) => [
            provider,
            {
              model: "another-model",
              thoughtSignature: secret,
              signature: secret,
              redacted: secret,
              encrypted: secret,
            },
          ]),
        )
        const foreign = Block.toolUse("toolu|strange id/with.signs", "look", { path: "a" }, meta)
        const { body, turns } = yield* requestFor({
          ...hello,
          tools: [look],
          messages: [
            Message.user("Look."),
            { role: "assistant", content: [Block.thinking("hm", meta), Block.text("Yes.", meta), foreign] },
            Message.toolResult(foreign, "saw a", false),
          ],
        })
        assert.notInclude(body, secret)
        assert.deepStrictEqual(turns[1]?.texts, ["Yes."])
        assert.lengthOf(turns[2]?.results ?? [], 1)
      }),
    )

    it.scoped("contain the answers of one model of the provider, and those of another", () =>
      Effect.gen(function* () {
        const content = [
          ...(has("thinking") ? [Part.Thinking({ text: "hm" })] : []),
          text("Yes."),
          call("call_a", { path: "a" }),
          finish("tool_calls"),
        ]
        const blocks = yield* blocksOf(wire.streamed(content), { ...hello, tools: [look] })
        const history = [
          ...hello.messages,
          { role: "assistant", content: blocks } as const,
          ...blocks.filter(Block.isToolUse).map((call) => Message.toolResult(call, "saw a", false)),
        ]
        for (const next of [model, another]) {
          const { turns } = yield* requestFor({ ...hello, tools: [look], messages: history }, next)
          assert.deepStrictEqual(turns[1]?.texts, ["Yes."])
          assert.deepStrictEqual(turns[1]?.calls, [{ name: "look", arguments: { path: "a" } }])
          assert.deepStrictEqual(turns[2]?.results.length, 1)
        }
      }),
    )

    it.scoped("obey the rules of the wire for any history, sent at once or message by message", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([wire.streamed([text("fine"), finish("stop")])])
        const service = open(model, url)
        const generate = (model: LanguageModel.Service, messages: Request["messages"]) => {
          const request = { ...hello, messages }
          const isRefused = !has("pictures shown") && hasImage(request)
          return isRefused ? Effect.void : Effect.asVoid(model.generate(request))
        }
        const paths = FastCheck.sample(messages, { numRuns: cases(30), seed: 20_261_121 })
        for (const path of paths) {
          yield* generate(open(another, url), path)
          for (let length = 1; length <= path.length; length++) yield* generate(service, path.slice(0, length))
        }
        for (const request of requests) assert.isUndefined(wire.broken(request))
        assert.isAbove(requests.length, 3 * paths.length)
      }),
    )
  })
}
