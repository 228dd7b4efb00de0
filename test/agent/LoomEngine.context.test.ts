import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Ref, Schema, Stream } from "effect"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import { takeWindow } from "../../src/agent/Summary.ts"
import type { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as History from "../../src/model/History.ts"
import { type Limits, unknown } from "../../src/model/Limits.ts"
import { ContextOverflow, ModelError } from "../../src/model/ModelError.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { assertWhole, finalError, finalNode, none, nowhere, stored, tools } from "../utils/LoomRuns.ts"
import { countedInto, events, layerOf, root, types, withScript } from "../utils/Looms.ts"

describe("LoomEngine.generateStream, longest answer", () => {
  it.effect("requests fewer output tokens as tool results grow", () =>
    Effect.gen(function* () {
      const long = Tool.make({
        name: "long",
        description: "Says much.",
        parameters: Schema.Struct({}),
        run: () => Effect.succeed("x".repeat(2_000)),
      })
      const scripted = yield* Scripted.make([Scripted.calls(["long", {}]), "done"])
      const model = { ...scripted, limits: { context: 1_500, output: 1_000 } }
      const story = yield* events({ text: "Go", tools: ToolRegistry.make([long]), model, maxOutputTokens: 5_000 })
      const asked = story.flatMap((event) => (event.type === "provider_request" ? [event.request.maxOutputTokens] : []))
      assert.deepStrictEqual(asked, [1_000, 822])
    }).pipe(withScript([])),
  )
})

describe("LoomEngine.generateStream, window", () => {
  it.effect("sends only the last messages of users and models with what is between, and keeps all", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const said = ["1", "2", "3"].map((text) => ({ message: Message.user(text), source: { type: "user" as const } }))
      const call = Block.toolUse("c", "echo", { text: "x" })
      const nodes = yield* forest.append(id, [
        ...said,
        { message: { role: "assistant", content: [call] }, source: { type: "notice" } },
        { message: Message.toolResult(call, "x", false), source: { type: "tool", tool: "echo" } },
        { message: { role: "assistant", content: [Block.text("4")] }, source: { type: "notice" } },
      ])
      const told = (window: number) =>
        Effect.map(
          Stream.runCollect(engine.generateStream(nodes.at(-1)?.id ?? id, { text: "5", window })),
          (events) =>
            Array.from(events).flatMap((event) =>
              event.type === "provider_request" ? [event.request.messages.map(Message.text)] : [],
            )[0],
        )
      assert.deepStrictEqual(yield* told(0), ["5"])
      assert.deepStrictEqual(yield* told(1), ["4", "5"])
      assert.deepStrictEqual(yield* told(2), ["3", "", "x", "4", "5"])
      assert.deepStrictEqual(yield* told(3), ["2\n\n3", "", "x", "4", "5"])
      assert.deepStrictEqual(yield* told(50), ["1\n\n2\n\n3", "", "x", "4", "5"])
    }).pipe(withScript(["a", "b", "c", "d", "e"])),
  )
})

describe("LoomEngine.generateStream, on a long path", () => {
  /** A user's words, an answer, a notice, or calls of which the first so many were answered. */
  const exchange = FastCheck.oneof(
    FastCheck.constantFrom("user" as const, "assistant" as const, "notice" as const),
    FastCheck.record({ calls: FastCheck.integer({ min: 1, max: 6 }), answered: FastCheck.nat({ max: 6 }) }),
  )
  type Exchange = typeof exchange extends FastCheck.Arbitrary<infer A> ? A : never

  const draftsOf = (exchange: Exchange, index: number): ReadonlyArray<Draft> => {
    const said = Block.text(`${index}`)
    if (exchange === "user") return [{ message: { role: "user", content: [said] }, source: { type: "user" } }]
    if (exchange === "notice") return [{ message: { role: "system", content: [said] }, source: { type: "notice" } }]
    if (exchange === "assistant")
      return [{ message: { role: "assistant", content: [said] }, source: { type: "notice" } }]
    const calls = Array.from({ length: exchange.calls }, (_, n) =>
      Block.toolUse(`${index}-${n}`, "echo", { text: "x" }),
    )
    return [
      { message: { role: "assistant", content: [said, ...calls] }, source: { type: "notice" } },
      ...calls
        .slice(0, exchange.answered)
        .map(
          (call): Draft => ({ message: Message.toolResult(call, "x", false), source: { type: "tool", tool: "echo" } }),
        ),
    ]
  }

  it.effect.prop(
    "sends of the end of a path what it would send of the whole path, with open calls answered",
    [FastCheck.array(exchange, { maxLength: 8 }), FastCheck.nat({ max: 9 })],
    ([exchanges, window]) =>
      Effect.gen(function* () {
        const { id } = yield* root
        const forest = yield* Forest.Forest
        const engine = yield* LoomEngine.LoomEngine
        const nodes = yield* forest.append(id, exchanges.flatMap(draftsOf))
        const story = yield* Stream.runCollect(engine.generateStream(nodes.at(-1)?.id ?? id, { text: "Go", window }))
        const path = yield* stored(finalNode(Array.from(story)).id)
        const before = path.slice(0, -2)
        assert.deepStrictEqual(History.findUnanswered(before), [])
        const [told] = Array.from(story).flatMap((event) => (event.type === "provider_request" ? [event.request] : []))
        assert.deepStrictEqual(told?.messages, History.repair([...takeWindow(before, window), Message.user("Go")]))
      }).pipe(withScript(["Here."])),
  )

  it.effect("reads no more of a path than the window and open calls need", () => {
    const reads: Array<number> = []
    return Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const call = (n: number) => Block.toolUse(`c${n}`, "echo", { text: "x" })
      const [first, ...more] = Array.from({ length: 20 }, (_, n) => call(n))
      const nodes = yield* forest.append(id, [
        ...Array.from({ length: 300 }, (_, n): Draft => ({ message: Message.user(`${n}`), source: { type: "user" } })),
        { message: { role: "assistant", content: [first ?? call(0), ...more] }, source: { type: "notice" } },
        ...more.map((call): Draft => ({ message: Message.toolResult(call, "x", false), source: { type: "notice" } })),
      ])
      const words = nodes[299]?.id ?? id
      const last = nodes.at(-1)?.id ?? id
      yield* engine.generate(words, { text: "Go", window: 50 })
      assert.deepStrictEqual(reads.splice(0), [51])
      const [answer] = yield* engine.generate(last, { text: "Go", window: 2 })
      assert.deepStrictEqual(reads.splice(0), [3, 12, 48])
      assertWhole((yield* stored(answer?.id ?? id)).slice(300))
    }).pipe(Effect.provide(layerOf(Scripted.layer(["a", "b"]), countedInto(reads))))
  })
})

describe("LoomEngine.generateStream: the context window", () => {
  const large = ToolRegistry.make([
    Tool.make({
      name: "large",
      description: "A long text.",
      parameters: Schema.Struct({ n: Schema.Number }),
      readOnly: true,
      run: ({ n }) => Effect.succeed(`${n} `.repeat(2500)),
    }),
  ])

  /** Reads a text of about 1,500 tokens six times, as a model with these limits, and then answers. */
  const reading = (limits: Limits | undefined) =>
    Effect.gen(function* () {
      const lengths: Array<number> = []
      const notices: Array<string> = []
      const model = yield* Scripted.make(({ messages }, index) => {
        lengths.push(messages.map(Message.text).join("").length)
        return index % 7 === 6 ? "done" : Scripted.calls(["large", { n: index % 7 }])
      })
      const onEvent = (event: TurnEvent) =>
        Effect.sync(() => {
          if (event._tag === "HistoryCompacted") notices.push(`${event.leftOut}: ${event.error.message}`)
        })
      const options = { tools: large, model: { ...model, limits }, maxToolIterations: 10, onEvent }
      const engine = yield* LoomEngine.LoomEngine
      const run = (text: string, from: NodeId) =>
        Effect.map(engine.generate(from, { ...options, text }), ([node]) => node?.id ?? assert.fail("no reply"))
      return { run, lengths, notices }
    })

  it.effect("leaves out old results before a request that is estimated to exceed it", () =>
    Effect.gen(function* () {
      const { lengths, notices, run } = yield* reading({ context: 8192, output: 8192 })
      const path = yield* stored(yield* run("Go", (yield* root).id))
      assert.lengthOf(notices, 1)
      assert.match(
        notices[0] ?? "",
        /^3: scripted\/test: the conversation comes to about 6\d{3} tokens, and 6144 fit beside the reply$/,
      )
      assert.isTrue(lengths.every((length) => length * 0.3 < 6144))
      // The forest keeps all of it.
      const results = path.filter(({ role }) => role === "tool").map((message) => Message.text(message).length)
      assert.deepStrictEqual(results, [5000, 5000, 5000, 5000, 5000, 5000])
    }).pipe(withScript([])),
  )

  it.effect("leaves out the same results in the next run, which reads the path again", () =>
    Effect.gen(function* () {
      const { lengths, notices, run } = yield* reading({ context: 8192, output: 8192 })
      const last = yield* run("Go", (yield* root).id)
      yield* run("Once more", last)
      assert.isAtMost((lengths[7] ?? 0) - (lengths[6] ?? 0), "doneOnce more".length)
      assert.isAbove(notices.length, 1)
    }).pipe(withScript([])),
  )

  it.effect("is no concern while the conversation fits, or where it is not known", () =>
    Effect.gen(function* () {
      for (const limits of [{ context: 100_000, output: 8192 }, unknown, undefined]) {
        const { lengths, notices, run } = yield* reading(limits)
        yield* run("Go", (yield* root).id)
        assert.isEmpty(notices)
        assert.isAbove(lengths.at(-1) ?? 0, 30_000)
      }
    }).pipe(withScript([])),
  )
})

describe("LoomEngine.generateStream: what has come up meanwhile", () => {
  const notice = (text: string): Message.Notice => ({ role: "system", content: [Block.text(text)] })

  /** Adds to the `n`th request a notice that is kept, and a line that is not. */
  const counting = Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const count = yield* Ref.make(0)
    return (cursor: NodeId) =>
      Effect.gen(function* () {
        const n = yield* Ref.updateAndGet(count, (n) => n + 1)
        const draft = { message: notice(`kept ${n}`), source: { type: "notice" } } as const
        return { nodes: yield* forest.append(cursor, [draft]), trailing: [notice(`not kept ${n}`)] }
      })
  })

  it.effect("is called before each request, which has the stored messages and, last, those that are not stored", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools, meanwhile: yield* counting })
      const told = story.flatMap((event) => (event.type === "provider_request" ? [event.request.messages] : []))
      const path = yield* stored(finalNode(story).id)
      assert.deepStrictEqual(
        path.map((message) => [message.role, Message.text(message)]),
        [
          ["system", "kept 1"],
          ["user", "Go"],
          ["assistant", ""],
          ["tool", '{"echo":"x"}'],
          ["system", "kept 2"],
          ["assistant", "done"],
        ],
      )
      assert.deepStrictEqual(told, [
        [...path.slice(0, 2), notice("not kept 1")],
        [...path.slice(0, 5), notice("not kept 2")],
      ])
    }).pipe(withScript([Scripted.calls(["echo", { text: "x" }]), "done"])),
  )

  it.effect("is part of a compacted request, too", () => {
    const overflow = new ModelError({ model: "scripted/test", reason: new ContextOverflow({ message: "too long" }) })
    const asked: Array<ReadonlyArray<string>> = []
    const script: ReadonlyArray<Scripted.Line> = [
      Scripted.calls(["echo", { text: "long ".repeat(500) }]),
      overflow,
      Scripted.calls(["echo", { text: "x" }]),
      "done",
    ]
    return Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools, meanwhile: yield* counting })
      assert.strictEqual(types(story).at(-1), "done")
      assert.deepStrictEqual(
        asked.map((texts) => texts.filter((text) => text.startsWith("not kept"))),
        [["not kept 1"], ["not kept 2"], ["not kept 2"], ["not kept 3"]],
      )
      // A message that was left out once stays left out.
      assert.isBelow(asked[3]?.join("").length ?? Number.POSITIVE_INFINITY, 1000)
    }).pipe(
      withScript(({ messages }, index) => {
        asked.push(messages.map(Message.text))
        return script[index] ?? "nothing more"
      }),
    )
  })

  it.effect("ends the run where it fails", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const story = yield* events({ text: "Go", meanwhile: () => Effect.as(forest.undo(nowhere), none) })
      assert.deepStrictEqual(types(story), ["error"])
      assert.strictEqual(finalError(story)._tag, "ForestError")
    }).pipe(withScript(["never said"])),
  )
})
