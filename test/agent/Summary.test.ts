import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Summary from "../../src/agent/Summary.ts"
import type { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Tokens from "../../src/message/Tokens.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Limits } from "../../src/model/Limits.ts"
import { ContextOverflow, InvalidRequest, ModelError, Unauthorized } from "../../src/model/ModelError.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { layerOf, root } from "../utils/Looms.ts"

/**
 * What a path may consist of: words of a user, an answer, calls with their results, a
 * notice, or a summary of some of it.
 */
const step = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.constantFrom("user", "assistant", "calls", "notice") },
  { weight: 1, arbitrary: FastCheck.record({ summarizes: FastCheck.double({ min: 0, max: 1, noNaN: true }) }) },
)
type Step = typeof step extends FastCheck.Arbitrary<infer A> ? A : never

/** A path, with summaries as the engine would make them: of what is visible, up to a message of the user. */
const pathOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Node> => {
  const nodes: Array<Node> = []
  const rootId = NodeId.make("root")
  const add = (message: Message.Message, source: Node["source"]) =>
    nodes.push({
      id: NodeId.make(`n${nodes.length}`),
      root: rootId,
      parent: nodes.at(-1)?.id ?? rootId,
      message,
      source,
      createdAt: nodes.length,
    })
  for (const step of steps) {
    const text = `says ${nodes.length}`
    if (step === "user") add(Message.user(text), { type: "user" })
    else if (step === "assistant") add({ role: "assistant", content: [Block.text(text)] }, { type: "notice" })
    else if (step === "notice") add({ role: "system", content: [Block.text(text)] }, { type: "notice" })
    else if (step === "calls") {
      const call = Block.toolUse(`c${nodes.length}`, "echo", {})
      add({ role: "assistant", content: [call] }, { type: "notice" })
      add(Message.toolResult(call, text, false), { type: "tool", tool: "echo" })
    } else if (typeof step === "object") {
      const visible = Summary.visible(nodes)
      const division = Summary.divide(visible, step.summarizes * Summary.tokensOf(visible))
      const upTo = division?.covered.at(-1)?.id
      if (division === undefined || upTo === undefined) continue
      const messages = Summary.countSaid(division.covered)
      add(Summary.messageOf(messages, "a summary"), {
        type: "summary",
        upTo,
        keeps: division.kept.length,
        messages,
        model: "test/a",
        usage: Usage.none,
      })
    }
  }
  return nodes
}

const paths = FastCheck.array(step, { maxLength: 30 }).map(pathOf)

describe("Summary.visible", () => {
  it.prop("leaves out nothing that a summary does not stand for, and keeps the order", [paths], ([nodes]) => {
    const visible = Summary.visible(nodes)
    const said = nodes.filter(({ message, source }) => Summary.isSaid(message) && source.type !== "summary")
    const [first, ...rest] = visible
    const stoodFor = first !== undefined && Summary.isSummary(first) ? first.source.messages : 0
    const shown = visible.filter(({ message }) => Summary.isSaid(message))
    assert.strictEqual(stoodFor + shown.length, said.length)
    assert.deepStrictEqual(shown, said.slice(-shown.length || said.length))
    assert.isFalse(rest.some(Summary.isSummary))
  })

  it.prop("parts no call from its result", [paths], ([nodes]) => {
    const messages = Summary.visible(nodes).map(({ message }) => message)
    const calls = messages.flatMap(Message.toolUses).map(({ id }) => id)
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []))
    assert.deepStrictEqual(results, calls)
  })

  it.prop("has the last message of the user", [paths], ([nodes]) => {
    const isUser = ({ message }: Node) => message.role === "user"
    assert.strictEqual(Summary.visible(nodes).findLast(isUser), nodes.findLast(isUser))
  })

  it("is the same of the end of a path that has the whole of its last summary", () => {
    let compared = 0
    FastCheck.assert(
      FastCheck.property(paths, (nodes) => {
        for (let last = 1; last < nodes.length; last++) {
          const tail = nodes.slice(-last)
          if (!Summary.hasWhole(tail)) continue
          compared += 1
          assert.deepStrictEqual(Summary.visible(tail), Summary.visible(nodes))
        }
      }),
      // Fewer paths may be without the whole of a summary.
      { numRuns: 200 },
    )
    assert.isAbove(compared, 0)
  })

  it.prop("is the same where the nodes have other ids, as in an imported path", [paths], ([nodes]) => {
    const renamed = nodes.map((node) => ({ ...node, id: NodeId.make(`x${node.id}`) }))
    assert.deepStrictEqual(
      Summary.visible(renamed).map(({ message }) => message),
      Summary.visible(nodes).map(({ message }) => message),
    )
  })
})

describe("Summary.divide", () => {
  it.prop(
    "keeps as many turns as fit, and always the last one",
    [paths, FastCheck.nat({ max: 400 })],
    ([nodes, keep]) => {
      const visible = Summary.visible(nodes)
      const division = Summary.divide(visible, keep)
      if (division === undefined) return
      const { covered, kept } = division
      assert.deepStrictEqual([...covered, ...kept], visible)
      assert.strictEqual(kept[0]?.message.role, "user")
      const turns = kept.filter(({ message }) => message.role === "user").length
      assert.isTrue(turns === 1 || Summary.tokensOf(kept) <= keep)
    },
  )
})

describe("Summary of a path with a message that an edit has divided", () => {
  const [question, answer, ...parts] = pathOf(["user", "assistant", "user", "user"])
  const [begin, end] = parts.map((part) => ({ ...part, splitFrom: NodeId.make("n3") }))
  if (question === undefined || answer === undefined || begin === undefined || end === undefined) assert.fail()

  it("keeps the last message whole", () => {
    const division = Summary.divide([question, answer, begin, end], 0)
    assert.deepStrictEqual(division, { covered: [question, answer], kept: [begin, end] })
  })

  it("counts the message once", () => {
    assert.strictEqual(Summary.countSaid([question, answer, begin, end]), 3)
  })
})

describe("Summary.parts", () => {
  it.prop(
    "fits each part into its size, and loses no short text",
    [FastCheck.array(FastCheck.string({ maxLength: 3000 })), FastCheck.integer({ min: 500, max: 2000 })],
    ([texts, most]) => {
      const parts = Summary.parts(texts, most)
      for (const part of parts) assert.isAtMost(Tokens.lengthOf(part) * 0.3, most * 1.2 + 10)
      for (const text of texts) {
        if (Tokens.lengthOf(text) * 0.3 <= most) assert.isTrue(parts.some((part) => part.includes(text)))
      }
    },
  )
})

const limits: Limits = { context: 3_000, output: 500 }

const isForSummary = ({ system }: Request) => system.startsWith(Summary.PROMPT)

/** A model with these limits that keeps what it was asked. */
const asked = (script: (request: Request, index: number) => Scripted.Line, known: Limits | undefined = limits) =>
  Effect.map(Effect.succeed<Array<Request>>([]), (requests) => ({
    requests,
    layer: Layer.effect(
      LanguageModel.LanguageModel,
      Effect.map(
        Scripted.make((request, index) => {
          requests.push(request)
          return script(request, index)
        }),
        (model) => (known === undefined ? model : { ...model, limits: known }),
      ),
    ),
  }))

/** Turns of a conversation, each after the one before. */
const talk = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, from?: NodeId) {
  const engine = yield* LoomEngine.LoomEngine
  const forest = yield* Forest.Forest
  let cursor = from ?? (yield* root).id
  const events: Array<TurnEvent> = []
  for (const text of texts) {
    const [user] = yield* forest.append(cursor, [{ message: Message.user(text), source: { type: "user" } }])
    if (user === undefined) return assert.fail("nothing was stored")
    const [final] = yield* engine.generate(user.id, {
      summarizes: true,
      onEvent: (event) => Effect.sync(() => void events.push(event)),
    })
    cursor = final?.id ?? cursor
  }
  const { nodes } = yield* forest.path(cursor)
  return { cursor, events, nodes }
})

const words = (n: number) => `question ${n}: ${"word ".repeat(60)}`

describe("LoomEngine.generate, with summaries", () => {
  it.effect("never sends more than the window, and keeps all messages in the tree", () =>
    Effect.gen(function* () {
      const { layer, requests } = yield* asked((request, index) =>
        isForSummary(request) ? `what was said, ${index}` : `answer ${index}`,
      )
      const texts = Array.from({ length: 60 }, (_, n) => words(n))
      const { events, nodes } = yield* Effect.provide(talk(texts), layerOf(layer))
      for (const { messages, system } of requests) assert.isAtMost(Tokens.estimate(system, messages), limits.context)
      assert.deepStrictEqual(
        nodes.filter(({ message }) => message.role === "user").map(({ message }) => Message.text(message)),
        texts,
      )
      const summaries = nodes.filter(Summary.isSummary)
      assert.isAbove(summaries.length, 1)
      assert.lengthOf(
        events.filter(({ _tag }) => _tag === "HistorySummarized"),
        summaries.length,
      )
      // Each summary takes over the one before it.
      const [, second] = requests.filter(isForSummary)
      assert.include(Message.text(second?.messages[0] ?? Message.user("")), "what was said")
      const sent = requests.filter((request) => !isForSummary(request))
      sent.forEach(({ messages }, n) => {
        assert.strictEqual(Message.text(messages.at(-1) ?? Message.user("")), texts[n])
      })
    }),
  )

  it.effect("sends the same beginning from one summary to the next, so that the cache of a provider is of use", () =>
    Effect.gen(function* () {
      const { layer, requests } = yield* asked((request, index) =>
        isForSummary(request) ? "a summary" : `answer ${index}`,
      )
      yield* Effect.provide(talk(Array.from({ length: 40 }, (_, n) => words(n))), layerOf(layer))
      let before: Request | undefined
      let compared = 0
      for (const request of requests) {
        if (isForSummary(request)) before = undefined
        else {
          if (before !== undefined) {
            assert.deepStrictEqual(request.messages.slice(0, before.messages.length), before.messages)
            compared += 1
          }
          before = request
        }
      }
      assert.isAbove(requests.filter(isForSummary).length, 0)
      assert.isAbove(compared, 20)
    }),
  )

  it.effect("summarises what a provider refuses as too long, and answers", () =>
    Effect.gen(function* () {
      const refusal = new ModelError({ model: "test", reason: new ContextOverflow({ message: "prompt is too long" }) })
      const { layer, requests } = yield* asked((request) => {
        if (isForSummary(request)) return "a summary"
        return request.messages.length > 8 ? refusal : "answer"
      }, undefined)
      const { nodes } = yield* Effect.provide(talk(Array.from({ length: 9 }, (_, n) => words(n))), layerOf(layer))
      assert.lengthOf(nodes.filter(Summary.isSummary), 2)
      assert.strictEqual(nodes.filter(({ message }) => message.role === "user").length, 9)
      assert.lengthOf(requests.filter(isForSummary), 2)
    }),
  )

  it.effect("leaves out what cannot be summarised, and says from where", () =>
    Effect.gen(function* () {
      const refusal = new ModelError({ model: "test", reason: new InvalidRequest({ message: "no" }) })
      const { layer } = yield* asked((request) => (isForSummary(request) ? refusal : "answer"))
      const { events, nodes } = yield* Effect.provide(
        talk(Array.from({ length: 30 }, (_, n) => words(n))),
        layerOf(layer),
      )
      const [summary] = nodes.filter(Summary.isSummary)
      assert.isUndefined(summary?.source.model)
      assert.match(
        Message.text(summary?.message ?? Message.user("")),
        /^\[\d+ earlier messages of this conversation no longer fit/,
      )
      const event = events.find(({ _tag }) => _tag === "HistorySummarized")
      assert.match(
        event?._tag === "HistorySummarized" ? Summary.notice(event) : "",
        /^the model no longer sees the \d+ earlier messages: .*\(no\)/,
      )
    }),
  )

  it.effect("fails with the error of a provider that could answer later, and leaves nothing out", () =>
    Effect.gen(function* () {
      const refusal = new ModelError({ model: "test", reason: new Unauthorized({ message: "no key" }) })
      const { layer } = yield* asked((request) => (isForSummary(request) ? refusal : "answer"))
      const error = yield* Effect.flip(
        Effect.provide(talk(Array.from({ length: 30 }, (_, n) => words(n))), layerOf(layer)),
      )
      assert.strictEqual(error._tag === "ModelError" ? error.reason._tag : undefined, "Unauthorized")
    }),
  )

  it.effect("uses a summary again for another answer to the same message", () =>
    Effect.gen(function* () {
      const { layer, requests } = yield* asked((request) => (isForSummary(request) ? "a summary" : "answer"))
      yield* Effect.gen(function* () {
        const engine = yield* LoomEngine.LoomEngine
        const { nodes } = yield* talk(Array.from({ length: 30 }, (_, n) => words(n)))
        const summary = nodes.find(Summary.isSummary)
        const count = requests.filter(isForSummary).length
        yield* engine.generate(summary?.parent ?? assert.fail("no summary"), { summarizes: true })
        assert.lengthOf(requests.filter(isForSummary), count)
      }).pipe(Effect.provide(layerOf(layer)))
    }),
  )
})
