/** What a message that is sent again with its key has stored the first time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import * as ForestStore from "../../../src/forest/ForestStore/Sqlite.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Ids from "../../../src/message/Ids.ts"
import * as Text from "../../../src/message/Message.ts"
import type { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import * as Sqlite from "../../../src/server/DraftStore/Sqlite.ts"
import * as DraftStore from "../../../src/server/DraftStore.ts"
import * as RepeatedMessage from "../../../src/server/internal/repeatedMessage.ts"
import * as Served from "../../../src/server/Served.ts"
import * as Serving from "../../utils/Serving.ts"

const served: Served.Service = {
  server: "a run",
  folder: "/project",
  systemPrompt: "",
  filePrompt: "",
  model: Serving.scripted([]),
  openModel: () => Effect.fail("there is no model"),
  models: Effect.succeed([]),
  price: () => Effect.succeed(undefined),
  tools: undefined,
  describe: ({ message }) => message,
}

const services = Layer.mergeAll(
  Forest.layer.pipe(Layer.provide([ForestStore.layerMemory, Ids.layer])),
  Layer.succeed(Served.Served, served),
  Sqlite.layerMemory,
)

const user = (text: string) => ({ message: Text.user(text), source: { type: "user" } }) as const
const notice = { message: Text.user("[The text was edited.]"), source: { type: "notice" } } as const

/** Begins a conversation, and returns it with a function that finds what a request has stored. */
const begin = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
  const find = (request: Partial<DraftStore.Request>, text = "Hi", parent: NodeId = id) =>
    RepeatedMessage.findResult(id, { at: 0, result: undefined, ...request }, { parent, text })
  return { forest, drafts: yield* DraftStore.DraftStore, id, find }
})

describe("a message that is sent again", () => {
  it.effect("is the one that waits, or that was stored, or that has waited, if its request was finished", () =>
    Effect.gen(function* () {
      const { drafts, find, forest, id } = yield* begin
      yield* drafts.wait(id, { id: "w-1", text: "It waits", parent: undefined, models: [] })
      assert.deepStrictEqual(yield* find({ result: "w-1" }), { waiting: { id: "w-1", text: "It waits" } })
      const [node] = yield* forest.append(id, [user("Stored")])
      const stored = yield* find({ result: node?.id })
      assert.deepStrictEqual([stored?.message?.id, stored?.message?.text], [node?.id, "Stored"])
      assert.deepStrictEqual(yield* find({ result: "w-0" }, "Sent since"), {
        waiting: { id: "w-0", text: "Sent since" },
      })
    }).pipe(Effect.provide(services)),
  )

  it.effect("is found by its text if its request was not finished: among those that wait, or below its parent", () =>
    Effect.gen(function* () {
      const { drafts, find, forest, id } = yield* begin
      assert.isUndefined(yield* find({}))
      yield* drafts.wait(id, { id: "w-1", text: "Hi", parent: undefined, models: [] })
      assert.deepStrictEqual(yield* find({}), { waiting: { id: "w-1", text: "Hi" } })
      assert.isUndefined(yield* find({}, "Hello"))
      yield* drafts.unwait(id, "w-1")
      const [, , node] = yield* forest.append(id, [notice, notice, user("Hi"), user("Too far below")])
      const found = yield* find({})
      assert.strictEqual(found?.message?.id, node?.id)
      const at = node?.createdAt ?? 0
      assert.strictEqual((yield* find({ at }))?.message?.id, node?.id)
      // An earlier message with the same text is another one.
      assert.isUndefined(yield* find({ at: at + 1 }))
      assert.isUndefined(yield* find({}, "Too far below"))
      assert.isUndefined(yield* find({}, "[The text was edited.]"))
      const edited = {
        message: { role: "assistant", content: [Block.text("Hey")] },
        source: { type: "model", model: "a/b", finish: "stop", usage: Usage.none },
      } as const
      yield* forest.append(id, [edited])
      assert.isUndefined(yield* find({}, "Hey"))
    }).pipe(Effect.provide(services)),
  )

  it("has a key of its own in each conversation", () => {
    const keys = ["a", "b"].map((id) => RepeatedMessage.keyOf(id as NodeId, "key"))
    assert.strictEqual(new Set(keys).size, 2)
  })
})
