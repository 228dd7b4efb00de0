/** The loop with Gemini, against a server that enforces Google's rules. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref, Schema, Stream } from "effect"
import type { GenerateEvent } from "../../../src/agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../../src/agent/GenerateOptions.ts"
import * as LoomEngine from "../../../src/agent/LoomEngine.ts"
import { broadcast, type Sink } from "../../../src/agent/TurnEvent.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import type { NodeId } from "../../../src/message/NodeId.ts"
import * as Gemini from "../../../src/provider/gemini/Gemini.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { withoutWaiting } from "../../utils/Asking.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { fine, google, options, refusing } from "../../utils/Gemini.ts"
import * as GeminiRules from "../../utils/GeminiRules.ts"
import * as Looms from "../../utils/Looms.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

interface Part {
  readonly text?: string
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: unknown }
}

const stream = (parts: ReadonlyArray<Part>, finishReason = "STOP"): FakeServer.Answer => ({
  body: FakeServer.events({ candidates: [{ content: { role: "model", parts }, finishReason }] }),
})

const look = (args: unknown = { path: "a.ts" }, thoughtSignature?: string): Part => ({
  functionCall: { name: "look", args },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
})

/** The paths that were read, and a tool that reads. */
const looking = (result: (path: string) => Effect.Effect<string, never> = (path) => Effect.succeed(`saw ${path}`)) => {
  const seen: Array<string> = []
  const tool = Tool.make({
    name: "look",
    description: "Looks at a file.",
    parameters: Schema.Struct({ path: Schema.String }),
    readOnly: true,
    run: ({ path }) =>
      Effect.suspend(() => {
        seen.push(path)
        return result(path)
      }),
  })
  return { seen, tools: ToolRegistry.make([tool]) }
}

const withGemini = (url: string, model = "gemini-2.5-flash") =>
  Effect.provide(Looms.layerOf(Gemini.layer({ ...options(url), model })))

/** Runs to the end with a test clock. */
const run = (options: GenerateOptions) =>
  Effect.map(
    withoutWaiting((observer) =>
      Looms.events({
        text: "Go",
        ...options,
        onEvent: broadcast(options.onEvent, (event) =>
          event._tag === "RetryScheduled" ? observer.retry(event) : Effect.void,
        ),
      }),
    ),
    ({ result, retries }) => ({ story: result, retries }),
  )

const continueFrom = (parent: NodeId, options: GenerateOptions) =>
  Effect.gen(function* () {
    const engine = yield* LoomEngine.LoomEngine
    return Array.from(yield* Stream.runCollect(engine.generateStream(parent, options)))
  })

const last = (story: ReadonlyArray<GenerateEvent>) => story.at(-1) ?? assert.fail("nothing happened")

const failure = (story: ReadonlyArray<GenerateEvent>) => {
  const event = last(story)
  return event.type === "error" && event.error._tag === "ModelError" ? event.error : assert.fail(event.type)
}

const finalNode = (story: ReadonlyArray<GenerateEvent>) => {
  const event = last(story)
  return event.type === "done" && event.final[0] !== undefined ? event.final[0] : assert.fail(JSON.stringify(event))
}

/** The results that the model receives, call by call. */
const results = (story: ReadonlyArray<GenerateEvent>) =>
  story.flatMap((event) => (event.type === "tool_result_node" ? [Message.text(event.node.message)] : []))

const answersIn = (request: FakeServer.Received | undefined) =>
  (request === undefined ? [] : GeminiRules.contentsOf(request)).flatMap(({ parts }) =>
    parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse])),
  )

describe("LoomEngine with Gemini", () => {
  it.scoped("runs no call of a broken attempt, and those of the successful one once", () =>
    Effect.gen(function* () {
      const broken: FakeServer.Answer = {
        body: FakeServer.events({ candidates: [{ content: { role: "model", parts: [look({ path: "broken" })] } }] }),
        ending: "reset",
      }
      const { requests, url } = yield* GeminiRules.serve([broken, stream([look({ path: "whole" })]), fine])
      const { seen, tools } = looking()
      const { story } = yield* run({ tools }).pipe(withGemini(url))
      assert.deepStrictEqual(seen, ["whole"])
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      assert.lengthOf(requests, 3)
    }),
  )

  it.scoped("retries once after an empty answer to tool results, and then fails with no message stored for it", () =>
    Effect.gen(function* () {
      const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 0 }
      const nothing = { body: FakeServer.events({ candidates: [{ finishReason: "STOP" }], usageMetadata }) }
      const { tools } = looking()
      const again = yield* GeminiRules.serve([stream([look()]), nothing, fine])
      const { retries, story } = yield* run({ tools }).pipe(withGemini(again.url))
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      assert.deepStrictEqual(
        retries.map(({ error }) => error.reason._tag),
        ["Empty"],
      )

      const silent = yield* GeminiRules.serve([stream([look()]), nothing, nothing])
      const ended = yield* run({ tools }).pipe(withGemini(silent.url))
      const error = failure(ended.story)
      assert.strictEqual(error.reason._tag, "Empty")
      assert.deepStrictEqual(error.usage, { inputTokens: 20, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 })
      assert.lengthOf(
        ended.story.filter(({ type }) => type === "assistant_node"),
        1,
      )
      assert.deepStrictEqual(results(ended.story), ["saw a.ts"])
      assert.lengthOf(silent.requests, 3)
      assert.include(JSON.stringify(silent.requests[2]?.body), "Your last answer was empty")
    }),
  )

  it.scoped("runs no truncated call, and none of an unknown tool", () =>
    Effect.gen(function* () {
      for (const [finishReason, tag, hits] of [
        ["MAX_TOKENS", "OutputLimit", 2],
        ["UNEXPECTED_TOOL_CALL", "Unusable", 3],
        ["MALFORMED_FUNCTION_CALL", "Unusable", 3],
      ] as const) {
        const bad = stream([look()], finishReason)
        const { requests, url } = yield* GeminiRules.serve([bad, bad, bad])
        const { seen, tools } = looking()
        const { story } = yield* run({ tools }).pipe(withGemini(url))
        assert.strictEqual(failure(story).reason._tag, tag)
        assert.deepStrictEqual(seen, [])
        assert.lengthOf(requests, hits)
      }
    }),
  )

  it.scoped("reports invalid arguments and unknown tools to the model, and continues", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* GeminiRules.serve([
        stream([
          look({}),
          look({ path: ["a.ts", "b.ts"] }),
          look({ path: null }),
          look({ path: "b.ts", extra: true }),
          { functionCall: { name: "nope" } },
        ]),
        stream([look({ path: "a.ts" })]),
        fine,
      ])
      const { seen, tools } = looking()
      const { story } = yield* run({ tools }).pipe(withGemini(url))
      const [missing, list, none, extra, unknown] = results(story)
      for (const told of [missing, list, none]) assert.match(told ?? "", /^Error: invalid arguments.*\n- path: /)
      assert.match(extra ?? "", /^Error: invalid arguments.*\n- extra: /)
      assert.match(unknown ?? "", /'nope' not found\. The tools are: look/)
      assert.deepStrictEqual(seen, ["a.ts"])
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      assert.lengthOf(requests, 3)
    }),
  )

  it.scoped("runs two identical calls without ids, and returns both results in order", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* GeminiRules.serve([stream([look(), look()]), fine])
      const rolls = yield* Ref.make(0)
      const { tools } = looking(() =>
        Effect.map(
          Ref.updateAndGet(rolls, (n) => n + 1),
          String,
        ),
      )
      const { story } = yield* run({ tools }).pipe(withGemini(url))
      assert.deepStrictEqual(results(story), ["1", "2"])
      assert.deepStrictEqual(answersIn(requests[1]), [
        { name: "look", response: { output: "1" } },
        { name: "look", response: { output: "2" } },
      ])
      const ids = story.flatMap((event) =>
        event.type === "assistant_node" ? Message.toolUses(event.node.message).map((call) => call.id) : [],
      )
      assert.strictEqual(new Set(ids).size, 2)
    }),
  )

  it.scoped("reports a tool that fails, returns nothing or returns bytes; parallel calls continue", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* GeminiRules.serve([
        stream(["dies", "empty", "binary", "escape", "lone", "well"].map((path) => look({ path }))),
        fine,
      ])
      const given: Record<string, Effect.Effect<string>> = {
        dies: Effect.dieMessage("boom"),
        empty: Effect.succeed(""),
        binary: Effect.succeed("\0\u0001"),
        escape: Effect.succeed("\u001b[2J"),
        lone: Effect.succeed("\ud800"),
      }
      const { tools } = looking((path) => given[path] ?? Effect.succeed("well"))
      const { story } = yield* run({ tools }).pipe(withGemini(url))
      assert.deepStrictEqual(
        answersIn(requests[1]).map(({ response }) => response),
        [
          { error: "Error: tool 'look' failed: boom" },
          { output: "(empty result)" },
          { output: "[binary, 2 bytes]" },
          { output: "\u001b[2J" },
          { output: "\ufffd" },
          { output: "well" },
        ],
      )
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
    }),
  )

  it.scoped("warns a model that repeats itself, and no other", () =>
    Effect.gen(function* () {
      const turns = ["a", "b", "a", "b", "a", "b", "a", "b"].map((path) => stream([look({ path })]))
      const circling = yield* GeminiRules.serve([...turns, fine])
      const circled = yield* run({ tools: looking().tools, maxToolIterations: 20 }).pipe(withGemini(circling.url))
      assert.deepStrictEqual(
        results(circled.story).map((text) => /same result (\d) times/.exec(text)?.[1]),
        [undefined, undefined, undefined, undefined, "3", "3", "4", "4"],
      )
      assert.include(JSON.stringify(answersIn(circling.requests[5]).at(-1)), "same result 3 times")
      assert.strictEqual(Message.text(finalNode(circled.story).message), "fine")

      const polling = yield* GeminiRules.serve([...Array.from({ length: 6 }, () => stream([look()])), fine])
      const polls = yield* Ref.make(0)
      const polled = looking(() =>
        Effect.map(
          Ref.updateAndGet(polls, (n) => n + 1),
          String,
        ),
      )
      const { story } = yield* run({ tools: polled.tools, maxToolIterations: 20 }).pipe(withGemini(polling.url))
      assert.deepStrictEqual(results(story), ["1", "2", "3", "4", "5", "6"])
    }),
  )

  it.scoped("emits the text and runs the call beside it", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* GeminiRules.serve([stream([{ text: "Let me look." }, look()]), fine])
      const { seen, tools } = looking()
      const words: Array<string> = []
      const part = (part: { readonly _tag: string; readonly text?: string }) =>
        Effect.sync(() => {
          if (part._tag === "Text") words.push(part.text ?? "")
        })
      const { story } = yield* run({ tools, onEvent: TurnEvents.onPart(part) }).pipe(withGemini(url))
      assert.deepStrictEqual(words, ["Let me look.", "fine"])
      assert.deepStrictEqual(seen, ["a.ts"])
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      assert.deepStrictEqual(GeminiRules.contentsOf(requests[1] ?? assert.fail())[1]?.parts, [
        { text: "Let me look." },
        look(),
      ])
    }),
  )

  it.scoped("keeps two of three results when interrupted, and the provider accepts the next prompt", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* GeminiRules.serve([
        stream([look({ path: "a" }), look({ path: "hangs" }), look({ path: "b" })]),
        fine,
      ])
      const both = yield* Deferred.make<void>()
      const finished = yield* Ref.make(0)
      const { tools } = looking((path) => (path === "hangs" ? Effect.never : Effect.succeed(path)))
      const toolFinished = () =>
        Effect.flatMap(
          Ref.updateAndGet(finished, (n) => n + 1),
          (n) => (n === 2 ? Deferred.succeed(both, undefined) : Effect.void),
        )
      yield* Effect.gen(function* () {
        const engine = yield* LoomEngine.LoomEngine
        const forest = yield* Forest.Forest
        const root = yield* Looms.root
        const fiber = yield* Effect.fork(
          Stream.runDrain(
            engine.generateStream(root.id, { text: "Go", tools, onEvent: TurnEvents.onToolFinished(toolFinished) }),
          ),
        )
        yield* Deferred.await(both)
        yield* Fiber.interrupt(fiber)
        let leaf = root.id
        for (let [node] = yield* forest.children(leaf); node !== undefined; [node] = yield* forest.children(leaf)) {
          leaf = node.id
        }
        const story = yield* continueFrom(leaf, { text: "And now?", tools })
        assert.strictEqual(Message.text(finalNode(story).message), "fine")
      }).pipe(withGemini(url))
      assert.deepStrictEqual(
        answersIn(requests[1]).map(({ response }) => response),
        [{ output: "a" }, { error: "Error: tool 'look' was interrupted; it may or may not have run" }, { output: "b" }],
      )
    }),
  )
})

describe("LoomEngine with Gemini: metadata", () => {
  const three = "gemini-3-pro-preview"

  it.scoped("sends signed parts back unchanged, turn after turn", () =>
    Effect.gen(function* () {
      const first = [{ text: "Hm.", thought: true, thoughtSignature: "AAAA" }, look(undefined, "BBBB"), look()]
      const second = [{ text: "", thoughtSignature: "CCCC" }, look({ path: "b.ts" }, "DDDD")]
      const { requests, url } = yield* GeminiRules.serve([stream(first), stream(second), fine])
      const { story } = yield* run({ tools: looking().tools }).pipe(withGemini(url, three))
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      const contents = GeminiRules.contentsOf(requests[2] ?? assert.fail())
      assert.deepStrictEqual([contents[1]?.parts, contents[3]?.parts], [first, second])
    }),
  )

  it.scoped("repeats a request rejected for a signature once without, and then fails", () =>
    Effect.gen(function* () {
      const signed = stream([look(undefined, "AAAA")])
      const rejection = GeminiRules.refused("Corrupted thought signature.")
      const mended = yield* GeminiRules.serve([signed, rejection, fine])
      const { story } = yield* run({ tools: looking().tools }).pipe(withGemini(mended.url, three))
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      assert.lengthOf(mended.requests, 3)
      assert.notInclude(JSON.stringify(mended.requests[2]?.body), "AAAA")

      const broken = yield* GeminiRules.serve([signed, rejection, rejection])
      const failed = yield* run({ tools: looking().tools }).pipe(withGemini(broken.url, three))
      assert.strictEqual(failure(failed.story).message, `google/${three}: Corrupted thought signature.`)
      assert.lengthOf(broken.requests, 3)
    }),
  )

  it.scoped("sends calls and results as text once their order is rejected", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* GeminiRules.serve([
        stream([look()]),
        GeminiRules.refused(GeminiRules.rules.count),
        fine,
      ])
      const { story } = yield* run({ tools: looking().tools }).pipe(withGemini(url))
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      assert.deepStrictEqual(GeminiRules.contentsOf(requests[2] ?? assert.fail()), [
        { role: "user", parts: [{ text: "Go" }] },
        { role: "model", parts: [{ text: '[look was called with {"path":"a.ts"}]' }] },
        { role: "user", parts: [{ text: "[look answered] saw a.ts" }] },
      ])
      assert.lengthOf(requests, 3)
    }),
  )

  it.scoped("keeps a conversation usable that was rejected twice", () =>
    Effect.gen(function* () {
      const rejection = GeminiRules.refused(GeminiRules.rules.count)
      const { requests, url } = yield* GeminiRules.serve([stream([look()]), rejection, rejection, fine])
      yield* Effect.gen(function* () {
        const { tools } = looking()
        const { story } = yield* run({ tools })
        assert.strictEqual(failure(story).reason._tag, "InvalidRequest")
        const stored = story.flatMap((event) => (event.type === "tool_result_node" ? [event.node.id] : []))
        const next = yield* continueFrom(stored.at(-1) ?? assert.fail("nothing was stored"), {
          text: "And now?",
          tools,
        })
        assert.strictEqual(Message.text(finalNode(next).message), "fine")
      }).pipe(withGemini(url))
      assert.lengthOf(requests, 4)
    }),
  )
})

describe("LoomEngine with Gemini: full context", () => {
  const tooLong = refusing(
    400,
    google(400, "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576)."),
  )
  const paths = ["a", "b", "c", "d"]
  const book = "x".repeat(20_000)
  const reading = () => looking((path) => Effect.succeed(`${path}: ${book}`))

  it.scoped(
    "drops old results from the request, reports it, and retries once; the stored conversation is unchanged",
    () =>
      Effect.gen(function* () {
        const { requests, url } = yield* GeminiRules.serve([
          ...paths.map((path) => stream([look({ path })])),
          tooLong,
          stream([look({ path: "e" })]),
          fine,
        ])
        const notices: Array<readonly [number, string]> = []
        const onEvent: Sink = (event) =>
          Effect.sync(() => {
            if (event._tag === "HistoryCompacted") notices.push([event.leftOut, event.error.reason._tag])
          })
        yield* Effect.gen(function* () {
          const { story } = yield* run({ tools: reading().tools, maxToolIterations: 20, onEvent })
          const node = finalNode(story)
          assert.strictEqual(Message.text(node.message), "fine")
          const { nodes } = yield* Effect.flatMap(Forest.Forest, (forest) => forest.path(node.id))
          assert.deepStrictEqual(
            nodes.flatMap(({ message }) => (message.role === "tool" ? [Message.text(message)] : [])),
            [...paths, "e"].map((path) => `${path}: ${book}`),
          )
        }).pipe(withGemini(url))
        assert.deepStrictEqual(notices, [[3, "ContextOverflow"]])
        const lengths = (index: number) =>
          answersIn(requests[index]).map(({ response }) => JSON.stringify(response).length)
        assert.deepStrictEqual(
          [lengths(4), lengths(5), lengths(6)].map((lengths) => lengths.map((length) => length > 20_000)),
          [
            [true, true, true, true],
            [false, false, false, true],
            [false, false, false, true, true],
          ],
        )
        assert.include(JSON.stringify(answersIn(requests[5])[0]), "left out to make room: 20003 characters")
        assert.lengthOf(requests, 7)
      }),
  )

  it.scoped("fails where that is too long as well, and at once where nothing can be dropped", () =>
    Effect.gen(function* () {
      const twice = yield* GeminiRules.serve([stream([look()]), tooLong, tooLong, fine])
      const { story } = yield* run({ tools: reading().tools }).pipe(withGemini(twice.url))
      assert.strictEqual(failure(story).reason._tag, "ContextOverflow")
      assert.lengthOf(twice.requests, 3)

      const once = yield* GeminiRules.serve([tooLong, fine])
      const failed = yield* run({ tools: reading().tools }).pipe(withGemini(once.url))
      assert.strictEqual(failure(failed.story).reason._tag, "ContextOverflow")
      assert.lengthOf(once.requests, 1)
    }),
  )

  it.scoped("shortens a request that alone exceeds the limit per minute, without waiting", () =>
    Effect.gen(function* () {
      const violations = [{ quotaId: "GenerateContentInputTokensPerModelPerMinute-FreeTier", quotaValue: "9000" }]
      const details = [
        { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "41s" },
      ]
      const { requests, url } = yield* GeminiRules.serve([
        stream(paths.map((path) => look({ path }))),
        refusing(429, google(429, "You exceeded your current quota.", details)),
        fine,
      ])
      const { retries, story } = yield* run({ tools: reading().tools }).pipe(withGemini(url))
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      assert.deepStrictEqual(retries, [])
      assert.lengthOf(requests, 3)
    }),
  )

  it.scoped("never sends a whole result that exceeds the context", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* GeminiRules.serve([stream([look()]), fine])
      const { tools } = looking(() => Effect.succeed("é".repeat(5_000_000)))
      const { story } = yield* run({ tools }).pipe(withGemini(url))
      assert.strictEqual(Message.text(finalNode(story).message), "fine")
      const sent = Buffer.byteLength(JSON.stringify(requests[1]?.body))
      assert.isBelow(sent, 52 * 1024)
      assert.match(JSON.stringify(answersIn(requests[1])), /\[… 99\d{5} bytes left out …\]/)
    }),
  )
})
