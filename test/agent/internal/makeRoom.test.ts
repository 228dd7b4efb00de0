import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as LoomEngine from "../../../src/agent/LoomEngine.ts"
import * as Summary from "../../../src/agent/Summary.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import type { Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import type { NodeId } from "../../../src/message/NodeId.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { BudgetReached, ModelError, Unauthorized } from "../../../src/model/ModelError.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { layerOf, root } from "../../utils/Looms.ts"

const isForSummary = ({ system }: Request) => system.startsWith(Summary.PROMPT)

/** An engine with a model that has a context of 3,000 tokens, and keeps its requests. */
const engineOf = (requests: Array<Request>, summary: Scripted.Line) =>
  layerOf(
    Layer.effect(
      LanguageModel.LanguageModel,
      Effect.map(
        Scripted.make((request, index) => {
          requests.push(request)
          return isForSummary(request) ? summary : `answer ${index}`
        }),
        (model) => ({ ...model, limits: { context: 3_000, output: 500 } }),
      ),
    ),
  )

/** Asks below a node; the node of the answer. */
const ask = Effect.fnUntraced(function* (parent: NodeId, text: string, messageOf?: (node: Node) => Message.Message) {
  const engine = yield* LoomEngine.LoomEngine
  const forest = yield* Forest.Forest
  const [user] = yield* forest.append(parent, [{ message: Message.user(text), source: { type: "user" } }])
  const [final] = yield* engine.generate(user?.id ?? parent, { summarizes: true, messageOf })
  return final?.id ?? assert.fail("there is no answer")
})

const question = (n: number) => `question ${n}: ${"word ".repeat(60)}`

const failure = (reason: ModelError["reason"]) => new ModelError({ model: "test", reason })

describe("makeRoom", () => {
  it.effect("refuses a message that does not fit alone, with advice, before anything is sent or summarised", () => {
    const requests: Array<Request> = []
    return Effect.gen(function* () {
      const cursor = yield* ask((yield* root).id, "hello")
      const error = yield* Effect.flip(ask(cursor, "huge ".repeat(20_000)))
      assert.strictEqual(error._tag === "ModelError" ? error.reason._tag : "", "ContextOverflow")
      assert.match(error.message, /your message alone comes to about 30\d+ tokens, and 2500 fit .*divide it/)
      assert.lengthOf(requests, 1)
    }).pipe(Effect.provide(engineOf(requests, "a summary")))
  })

  it.effect("leaves out the older turns where no budget is left for a summary", () => {
    const requests: Array<Request> = []
    return Effect.gen(function* () {
      const forest = yield* Forest.Forest
      let cursor = (yield* root).id
      for (let n = 0; n < 40; n++) cursor = yield* ask(cursor, question(n))
      const { nodes } = yield* forest.path(cursor)
      const [summary] = nodes.filter(Summary.isSummary)
      assert.isDefined(summary)
      assert.isUndefined(summary?.source.model)
      assert.lengthOf(
        nodes.filter(({ message }) => message.role === "user"),
        40,
      )
    }).pipe(Effect.provide(engineOf(requests, failure(new BudgetReached({ message: "spent" })))))
  })

  it.effect("sends what fits as it is, where a summary could be made later", () => {
    const requests: Array<Request> = []
    return Effect.gen(function* () {
      let cursor = (yield* root).id
      for (let n = 0; !requests.some(isForSummary); n++) cursor = yield* ask(cursor, question(n))
      assert.lengthOf(requests.filter(isForSummary), 1)
      const { nodes } = yield* Effect.flatMap(Forest.Forest, (forest) => forest.path(cursor))
      assert.isFalse(nodes.some(Summary.isSummary))
      assert.strictEqual(requests.at(-1)?.messages.length, nodes.length - 1)
    }).pipe(Effect.provide(engineOf(requests, failure(new Unauthorized({ message: "no key" })))))
  })

  it.effect("counts and summarises notices as they are sent: documents do not fill the context twice", () => {
    const requests: Array<Request> = []
    const short: Message.Message = { role: "system", content: [Block.text("The document has changed.")] }
    const messageOf = (node: Node) => (node.source.type === "notice" ? short : node.message)
    return Effect.gen(function* () {
      const forest = yield* Forest.Forest
      let cursor = (yield* root).id
      for (let n = 0; n < 30; n++) {
        const text = `The document is now:\n${"line ".repeat(2000)}`
        const message = { role: "system", content: [Block.text(text)] } as const
        const [notice] = yield* forest.append(cursor, [{ message, source: { type: "notice" } }])
        cursor = yield* ask(notice?.id ?? cursor, question(n), messageOf)
      }
      const { nodes } = yield* forest.path(cursor)
      const summaries = nodes.filter(Summary.isSummary)
      assert.isAbove(summaries.length, 1)
      for (const { messages } of requests) assert.notInclude(JSON.stringify(messages), "line line")
      for (const { source } of summaries) assert.isAbove(source.keeps, 1)
    }).pipe(Effect.provide(engineOf(requests, "a summary")))
  })
})
