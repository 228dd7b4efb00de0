/**
 * What every provider's adapter has to hold, whatever its wire: the sentences speak of parts, turns and reasons, and an
 * `Adapter` says how a server of its kind writes and reads them.
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
import { Patience } from "../../src/model/Patience.ts"
import { Part } from "../../src/model/Reply.ts"
import { type Request, showsPicture } from "../../src/model/Request.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { messages } from "../message/Messages.ts"
import { hello, key, withoutWaiting } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import * as Pieces from "../utils/Pieces.ts"

export interface Adapter {
  /** As in the id of a model. */
  readonly name: string
  /** Two models that may follow one another in a conversation. */
  readonly models: readonly [string, string]
  /** Asks at `url`, with `key` where it needs one. */
  readonly open: (model: string, url: string) => LanguageModel.Service
  readonly wire: Wire
}

export interface Wire {
  /** An answer as it is streamed, each part in an event of its own. Without a `Finish` nothing says that it is complete. */
  readonly streamed: (parts: ReadonlyArray<Part>) => FakeServer.Answer
  /** The same answer as one document; none where a server never sends that. */
  readonly whole: ((parts: ReadonlyArray<Part>) => FakeServer.Answer) | undefined
  /** What a server that is overloaded says in the midst of a stream; none where it says nothing there. */
  readonly breakdown: ((message: string) => string) | undefined
  /** None where such a server never refuses for that. */
  readonly refusal: (why: Refusal, message: string) => FakeServer.Answer | undefined
  /** What was asked, read off a request. */
  readonly sent: (request: FakeServer.Received) => Sent
  /** The rule that a request breaks, if it does. */
  readonly broken: (request: FakeServer.Received) => string | undefined
  /** What it has no words for, or what is lost on the way from it. */
  readonly lacks: ReadonlyArray<Lack>
}

/**
 * - `new endings`: for a reason that nobody knows yet
 * - `pages`: that what came is one, and no answer
 * - `key in mid-stream`: which key was sent, where an answer breaks off
 * - `calls not offered`: calls of tools that the model was not given
 * - `pictures shown`: what the user shows: it is told words alone
 * - `late ends`: connections where the body ends a moment after the answer has
 * - `long refusals`: refusals that do not end
 * - `redirects`: that none is followed: the HTTP client is not vibe's own
 * - `thousands of calls`: in one answer: it takes too long over them
 * - `answer schemas`: the schema of an answer, and has the provider hold its model to it
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

/** `rate` asks for a wait of five seconds. */
export type Refusal = "key" | "model" | "quota" | "rate" | "overload" | "invalid" | "overflow"

export interface Sent {
  readonly system: string
  readonly tools: ReadonlyArray<{ readonly name: string; readonly schema: unknown }>
  readonly turns: ReadonlyArray<SentTurn>
  /** Of the answer. */
  readonly schema: unknown
}

export interface SentTurn {
  readonly role: "user" | "assistant"
  readonly texts: ReadonlyArray<string>
  /** Base64. */
  readonly images: ReadonlyArray<string>
  readonly calls: ReadonlyArray<{ readonly name: string; readonly arguments: unknown }>
  /** In the order of the calls that they answer. */
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

/** One request, whatever comes of it. */
const once = Effect.provideService(Patience, { maxRetries: 0, maxWait: Duration.zero })

const reasonOf = <A>(outcome: Either.Either<A, { readonly reason: Reason }>): Reason =>
  Either.getOrThrow(Either.flip(outcome)).reason

export const contract = ({ models: [model, another], name, open, wire }: Adapter): void => {
  const has = (what: Lack) => !wire.lacks.includes(what)

  /** What is answered with any parts. */
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

  /** What a server hears that answers anything. */
  const told = (request: Request, asked = model) =>
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

  describe(`LanguageModel (${name}), on what a model says`, () => {
    it.scoped("hears a text as it comes, and its end last", () =>
      Effect.gen(function* () {
        const whole = wire.streamed([text("one "), text("two"), finish("stop")])
        // Behind the first words, and what ends their event.
        const [begun = ""] = /^.*?"one "[^\n]*[\r\n]+/s.exec(whole.body) ?? []
        const server = yield* FakeServer.serve([
          { ...whole, body: begun, rest: whole.body.slice(begun.length), ending: "hang" },
        ])
        const spoken = yield* Deferred.make<void>()
        const asked = yield* open(model, server.url)
          .stream(hello)
          .pipe(
            Stream.tap(() => Deferred.succeed(spoken, undefined)),
            Stream.runCollect,
            Effect.fork,
          )
        yield* Deferred.await(spoken)
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

    /** Without blocks that have no words, but only what the provider wants back. */
    const plain = (blocks: ReadonlyArray<Block.Block>) =>
      blocks.flatMap((block) => {
        if (block.type === "tool-use") return [[block.name, block.parameters]]
        const said = block.type === "image" ? block.data : block.text
        return said === "" ? [] : [[block.type, said]]
      })

    for (const [how, size] of [
      ["whole", () => Number.POSITIVE_INFINITY],
      ["a byte at a time", () => 1],
      ["seven bytes at a time", () => 7],
      ["in random pieces", Pieces.random()],
    ] as const) {
      it.scoped(`B2: tells thinking, words and calls apart when they come ${how}`, () =>
        Effect.gen(function* () {
          yield* Pieces.cut(size)
          assert.deepStrictEqual(plain(yield* blocksOf(wire.streamed(mixed))), expected)
        }),
      )
    }

    it.scoped.skipIf(wire.whole === undefined)("hears an answer that comes as one document", () =>
      Effect.gen(function* () {
        yield* Pieces.cut(() => 5)
        assert.deepStrictEqual(plain(yield* blocksOf(wire.whole?.(mixed) ?? assert.fail())), expected)
      }),
    )

    it.scoped("gives every call an id of its own", () =>
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
        `reads a call that is nested too deeply as one that can be answered, ${how}`,
        () =>
          Effect.gen(function* () {
            const said = write?.([call("call_a", { path: "DEEP" }), finish("tool_calls")]) ?? assert.fail()
            // Written as JSON, or as JSON in a string of JSON.
            const deep = (levels: number) =>
              said.body.replaceAll(/\\?"DEEP\\?"/g, "[".repeat(levels) + "]".repeat(levels))
            for (const levels of [2000, 5000, 100_000]) {
              const [block] = yield* blocksOf({ ...said, body: deep(levels) }, { ...hello, tools: [look] })
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

    it.scoped.skipIf(!has("images drawn"))("hears a picture", () =>
      Effect.gen(function* () {
        const picture = Part.Image({ media_type: "image/png", data: "aGVsbG8=" })
        const blocks = yield* blocksOf(wire.streamed([text("Here:"), picture, finish("stop")]))
        assert.deepStrictEqual(blocks, [Block.text("Here:"), Block.image("image/png", "aGVsbG8=")])
      }),
    )

    it.scoped("counts what was read, from the cache too, and what was written, thoughts too", () =>
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

    it.scoped("says how an answer ended, in the words of the port", () =>
      Effect.gen(function* () {
        for (const reason of ["stop", "length", ...(has("new endings") ? ["error" as const] : [])] as const) {
          const { outcome } = yield* ask(wire.streamed([text("Once upon"), finish(reason)]))
          assert.strictEqual(Either.getOrThrow(outcome).finish, reason)
        }
        const { outcome } = yield* ask(wire.streamed([call("call_a", {}), finish("tool_calls")]))
        assert.strictEqual(Either.getOrThrow(outcome).finish, "tool_calls")
      }),
    )

    it.scoped("takes calls for what the model stopped for, even where the server says that it was done", () =>
      Effect.gen(function* () {
        const { outcome } = yield* ask(wire.streamed([call("call_a", {}), finish("stop")]))
        assert.strictEqual(Either.getOrThrow(outcome).finish, "tool_calls")
      }),
    )

    it.scoped.skipIf(!has("content_filter"))("B8: says that an answer was blocked", () =>
      Effect.gen(function* () {
        for (const said of [[], [text("Once upon")]]) {
          assert.strictEqual((yield* failure(wire.streamed([...said, finish("content_filter")])))._tag, "Blocked")
        }
      }),
    )

    it.scoped("B15: runs no call of an answer that the output limit cut, and tells the model", () =>
      Effect.gen(function* () {
        const reason = yield* failure(wire.streamed([call("call_a", { path: "a" }), finish("length")]))
        assert.strictEqual(reason._tag, "OutputLimit")
        assert.include(reason._tag === "OutputLimit" ? reason.correction : "", "smaller pieces")
        assert.strictEqual((yield* failure(wire.streamed([finish("length")])))._tag, "OutputLimit")
      }),
    )

    it.scoped("B12: asks twice more, with a word on it, where the answer is empty", () =>
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

    for (const [what, said] of [
      ["nothing", []],
      ["words", [text("half")]],
      ["a call", [call("call_a", { path: "a" })]],
    ] as const) {
      it.scoped(`B3: takes no answer for whole that ends after ${what}`, () =>
        Effect.gen(function* () {
          for (const ending of ["end", "reset"] as const) {
            const reason = yield* failure({ ...wire.streamed(said), ending })
            assert.include(["StreamIncomplete", "Unreachable"], reason._tag)
          }
        }),
      )
    }

    /** Asks a server that says all there is to say, and leaves the connection open: what it does then is `meanwhile`. */
    const whileOpen = (meanwhile: (server: FakeServer.FakeServer) => Effect.Effect<void>) =>
      Effect.gen(function* () {
        const complete = wire.streamed([text("fine"), finish("stop")])
        const server = yield* FakeServer.serve([{ ...complete, ending: "hang" }, complete])
        const spoken = yield* Deferred.make<void>()
        const part = () => Effect.asVoid(Deferred.succeed(spoken, undefined))
        const asked = yield* Effect.fork(once(open(model, server.url).generate(hello, { part })))
        yield* Deferred.await(spoken)
        yield* meanwhile(server)
        const { blocks, finish: end } = yield* Fiber.join(asked)
        assert.deepStrictEqual(blocks, [Block.text("fine")])
        assert.strictEqual(end, "stop")
        return server
      })

    it.scoped("B6: takes an answer for whole once the server has said so, and closes a connection that stays", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(() => TestClock.adjust("2 seconds"))
        yield* server.abandoned
        assert.lengthOf(server.requests, 1)
      }),
    )

    it.scoped("B5: takes an answer for whole once the server has said so, though the connection breaks then", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(({ resetAll }) => resetAll)
        assert.lengthOf(server.requests, 1)
      }),
    )

    it.scoped.skipIf(!has("late ends"))("uses a connection again where the body ends a moment after the answer", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(({ endAll }) => endAll)
        // It is free a turn of the event loop after the end.
        yield* Effect.promise(() => setImmediate())
        yield* open(model, server.url).generate(hello)
        assert.lengthOf(server.requests, 2)
        assert.strictEqual(yield* server.connections, 1)
      }),
    )

    it.scoped("B5: throws away what it had of an answer that broke off, and takes the next one alone", () =>
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

    it.scoped("gives up an answer that goes on and on, asks once, and closes the connection", () =>
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

    it.scoped.skipIf(!has("thousands of calls"))("gives up an answer of thousands of calls, and asks once", () =>
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

    it.scoped("B4: says that a page is no answer, and that nothing is none", () =>
      Effect.gen(function* () {
        const page = yield* failure({ body: "<html>\n\n</html>", headers: { "content-type": "text/html" } })
        assert.strictEqual(page._tag, "StreamIncomplete")
        if (has("pages")) assert.include(page.message, "a page, not an API response")
        assert.strictEqual((yield* failure({ body: "" }))._tag, "StreamIncomplete")
        assert.strictEqual((yield* failure({ body: "data: null\n\n" }))._tag, "StreamIncomplete")
      }),
    )

    it.scoped.skipIf(wire.breakdown === undefined)("B7: takes an error in mid-stream for what it says", () =>
      Effect.gen(function* () {
        const { body, ...answer } = wire.streamed([text("half")])
        const reason = yield* failure({ ...answer, body: `${body}${wire.breakdown?.(`busy ${key}`)}` })
        assert.strictEqual(reason._tag, "Overloaded")
        assert.include(reason.message, has("key in mid-stream") ? "busy [key]" : "busy")
      }),
    )

    it.scoped("C8: closes the connection when it is let go, while it waits and while it listens", () =>
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

  describe(`LanguageModel (${name}), on what a server refuses`, () => {
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
      it.scoped(`tells ${tags[why]} by it, in the provider's words and without the key`, () =>
        Effect.gen(function* () {
          const reason = yield* failure(answer)
          assert.strictEqual(reason._tag, tags[why])
          assert.include(reason.message, "So it is: [key].")
          assert.notMatch(reason.message, /[{}]/)
        }),
      )
    }

    it.scoped("C4, C9: asks once where nothing mends it", () =>
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

    it.scoped("C3: asks four times of a server that is overloaded, after 2, 4 and 8 seconds", () =>
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

    it.scoped("C1: waits as long as it is told", () =>
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

    it.scoped("C10: takes a server that says nothing at all for one that is overloaded", () =>
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

    it.scoped.skipIf(!has("long refusals"))("C10: reads no more of a refusal than there can be to it", () =>
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

    it.scoped("B5: says that it was not reached, where the connection breaks before there is an answer", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* failure({ body: "", ending: "drop" }))._tag, "Unreachable")
      }),
    )
  })

  describe(`LanguageModel (${name}), on what a model is told`, () => {
    const a = Block.toolUse("call_a", "look", { path: "a" })
    const b = Block.toolUse("call_b", "look", { path: "b" })

    it.scoped("the system prompt, the words, and the tools with their schemas", () =>
      Effect.gen(function* () {
        const { system, tools, turns } = yield* told({ ...hello, system: "Be brief.", tools: [look] })
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

    it.scoped("D3: the answers to all calls of a turn, in the order of the calls, before anything else is said", () =>
      Effect.gen(function* () {
        const { turns } = yield* told({
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

    it.scoped("E2: an answer to every call, where the run had been stopped", () =>
      Effect.gen(function* () {
        const { turns } = yield* told({
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

    it.scoped("X-09: a notice, in its place and apart from what the user says", () =>
      Effect.gen(function* () {
        const notice: Message.Message = { role: "system", content: [Block.text("The files have changed.")] }
        const { turns } = yield* told({ ...hello, messages: [Message.user("hello"), notice, Message.user("Go on.")] })
        assert.include(JSON.stringify(turns), "The files have changed.")
        assert.isFalse(
          turns.some(({ texts }) => texts.some((text) => /changed\.\s*Go on|hello\s*The files/.test(text))),
        )
      }),
    )

    it.scoped.skipIf(!has("pictures shown"))("pictures that the user shows", () =>
      Effect.gen(function* () {
        const content = [Block.text("What is it?"), Block.image("image/png", "aGVsbG8=")] as const
        const { turns } = yield* told({ ...hello, messages: [{ role: "user", content }] })
        assert.deepStrictEqual(turns[0]?.images, ["aGVsbG8="])
        assert.deepStrictEqual(turns[0]?.texts, ["What is it?"])
      }),
    )

    it.scoped("D5: nothing that has no UTF-8", () =>
      Effect.gen(function* () {
        const odd = Block.toolUse("call_a", "look", { path: "\ud800" })
        const { body } = yield* told({
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

    it.scoped("1.7: tools by names that the provider takes, and hears their calls by their own names", () =>
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
        const [, said] = wire.sent(requests[1] ?? assert.fail()).turns
        assert.deepStrictEqual(
          said?.calls.map(({ name }) => name),
          wireNames[0],
        )
      }),
    )

    it.scoped("G8: schemas that contain themselves, constants and tuples, as far as the provider takes them", () =>
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
        const { tools } = yield* told({ ...hello, tools: [odd] })
        assert.include(JSON.stringify(tools[0]?.schema), "one")
        for (const property of ["list", "kind", "pair", "count"]) {
          assert.nestedProperty(tools[0]?.schema, `properties.${property}`)
        }
      }),
    )

    describe("the schema of its answer", () => {
      const person = {
        type: "object",
        properties: { name: { type: "string", maxLength: 40 } },
        required: ["name"],
      }
      const asked = { ...hello, answerSchema: person }

      it.scoped(
        "where its provider can hold it to one, as far as that can, and calls are not to be hindered by it",
        () =>
          Effect.gen(function* () {
            const { schema } = yield* told(asked)
            const grammar = { ...person, properties: { name: { type: "string" } }, additionalProperties: false }
            assert.deepStrictEqual(schema, has("answer schemas") ? grammar : undefined)
            assert.isUndefined((yield* told({ ...asked, tools: [look] })).schema)
            assert.isUndefined((yield* told(hello)).schema)
          }),
      )

      it.scoped.skipIf(!has("answer schemas"))("no more where that is refused, and is asked once more", () =>
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

    it.scoped("E4: nothing that another model wanted back, after a switch in mid-conversation", () =>
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
        const { body, turns } = yield* told({
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

    it.scoped("E4: what one model of it said, and what another answers to that", () =>
      Effect.gen(function* () {
        const said = [
          ...(has("thinking") ? [Part.Thinking({ text: "hm" })] : []),
          text("Yes."),
          call("call_a", { path: "a" }),
          finish("tool_calls"),
        ]
        const blocks = yield* blocksOf(wire.streamed(said), { ...hello, tools: [look] })
        const history = [
          ...hello.messages,
          { role: "assistant", content: blocks } as const,
          ...blocks.filter(Block.isToolUse).map((call) => Message.toolResult(call, "saw a", false)),
        ]
        for (const next of [model, another]) {
          const { turns } = yield* told({ ...hello, tools: [look], messages: history }, next)
          assert.deepStrictEqual(turns[1]?.texts, ["Yes."])
          assert.deepStrictEqual(turns[1]?.calls, [{ name: "look", arguments: { path: "a" } }])
          assert.deepStrictEqual(turns[2]?.results.length, 1)
        }
      }),
    )

    it.scoped("E6: any history, whole or message by message, by the rules of the wire", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([wire.streamed([text("fine"), finish("stop")])])
        const service = open(model, url)
        const generate = (model: LanguageModel.Service, messages: Request["messages"]) => {
          const request = { ...hello, messages }
          const isRefused = !has("pictures shown") && showsPicture(request)
          return isRefused ? Effect.void : Effect.asVoid(model.generate(request))
        }
        for (const path of FastCheck.sample(messages, { numRuns: 30, seed: 20_261_121 })) {
          yield* generate(open(another, url), path)
          for (let length = 1; length <= path.length; length++) yield* generate(service, path.slice(0, length))
        }
        for (const request of requests) assert.isUndefined(wire.broken(request))
        assert.isAbove(requests.length, 100)
      }),
    )
  })
}
