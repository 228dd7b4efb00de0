import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Either, Fiber, Stream } from "effect"
import * as Block from "../../src/message/Block.ts"
import { Part } from "../../src/model/Reply.ts"
import { isThorough } from "../thoroughness.ts"
import { hello, key } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import * as Pieces from "../utils/Pieces.ts"
import { type Adapter, askThrough, call, finish, text } from "./LanguageModel.adapter.ts"

/** If `inPieces`, the pieces in which an answer arrives vary. Servers of one implementation share its reader. */
export const answers = (adapter: Adapter, inPieces: boolean): void => {
  const {
    models: [model],
    name,
    open,
    wire,
  } = adapter
  const { ask, blocksOf, failure, has } = askThrough(adapter)

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

    for (const [how, size, runs] of [
      ["whole", () => Number.POSITIVE_INFINITY, true],
      // A reader of another library takes very long for small pieces.
      ["a byte at a time", () => 1, inPieces && (isThorough || has("its own reader"))],
      ["seven bytes at a time", () => 7, inPieces && (isThorough || has("its own reader"))],
      ["in random pieces", Pieces.random(), inPieces],
    ] as const) {
      it.scoped.runIf(runs)(`separates thinking, text and calls that arrive ${how}`, () =>
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

    it.scoped.skipIf(wire.breakdown === undefined)("maps an error within a stream", () =>
      Effect.gen(function* () {
        const { body, ...answer } = wire.streamed([text("half")])
        const reason = yield* failure({ ...answer, body: `${body}${wire.breakdown?.(`busy ${key}`)}` })
        assert.strictEqual(reason._tag, "Overloaded")
        assert.include(reason.message, has("key in mid-stream") ? "busy [key]" : "busy")
      }),
    )
  })
}
