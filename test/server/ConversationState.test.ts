/** Which message a page is shown when it opens a branch or an answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as ForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Text from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as ConversationState from "../../src/server/ConversationState.ts"

const layer = Forest.layer.pipe(Layer.provide([ForestStore.layerMemory, Ids.layer]))

const user = (text: string): Draft => ({ message: Text.user(text), source: { type: "user" } })

const reply = (...content: ReadonlyArray<Block.Text | Block.ToolUse>): Draft => ({
  message: { role: "assistant", content } as Text.Message,
  source: {
    type: "model",
    model: "a/b",
    finish: content.some(({ type }) => type === "tool-use") ? "tool_calls" : "stop",
    usage: Usage.none,
  },
})

const result: Draft = {
  message: { role: "tool", tool_call_id: "c-1", name: "find", content: [Block.text("found")] },
  source: { type: "tool", tool: "find" },
}

/** Begins a conversation, and returns a function that appends messages and returns their ids. */
const begin = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
  const append = (parent: NodeId, ...drafts: ReadonlyArray<Draft>) =>
    Effect.map(forest.append(parent, drafts), (nodes) => nodes.map((node) => node.id) as [NodeId, ...Array<NodeId>])
  return { forest, id, append }
})

describe("ConversationState.newestBelow", () => {
  it.effect("is the end of the newest branch, at each fork on the way", () =>
    Effect.gen(function* () {
      const { append, id } = yield* begin
      assert.strictEqual(yield* ConversationState.newestBelow(id), id)
      const [one] = yield* append(id, user("one"))
      const [yes] = yield* append(one, reply(Block.text("yes")))
      const [no] = yield* append(one, reply(Block.text("no")))
      const [older] = yield* append(no, user("older"))
      const [newer, last] = yield* append(no, user("newer"), reply(Block.text("last")))
      for (const [from, end] of [
        [id, last],
        [one, last],
        [yes, yes],
        [no, last],
        [older, older],
        [newer, last],
        [last, last],
      ] as const) {
        assert.strictEqual(yield* ConversationState.newestBelow(from as NodeId), end)
      }
    }).pipe(Effect.provide(layer)),
  )

  it.effect("is below a version of a message, not another version of it, unless there are only such", () =>
    Effect.gen(function* () {
      const { append, forest, id } = yield* begin
      const [written] = yield* append(id, user("Write a poem"))
      const longer = yield* forest.edit(written, "Write a song")
      const beginning = longer.parent
      // The beginning goes on in its versions alone.
      const end = yield* ConversationState.newestBelow(beginning)
      assert.notStrictEqual(end, beginning)
      const [answer] = yield* append(beginning, reply(Block.text("Of what?")))
      yield* forest.edit(written, "Write a novel")
      assert.strictEqual(yield* ConversationState.newestBelow(beginning), answer)
    }).pipe(Effect.provide(layer)),
  )
})

describe("ConversationState.endOfAnswer", () => {
  it.effect("is the last message of a model or its tools on the newest branch, before the user's next", () =>
    Effect.gen(function* () {
      const { append, id } = yield* begin
      const call = Block.toolUse("c-1", "find", {})
      const [one, calls, found, done] = yield* append(
        id,
        user("one"),
        reply(Block.text("I look."), call),
        result,
        reply(Block.text("Done.")),
      )
      for (const from of [calls, found, done]) {
        assert.strictEqual(yield* ConversationState.endOfAnswer(from as NodeId), done)
      }
      assert.strictEqual(yield* ConversationState.endOfAnswer(one), one)
      yield* append(done as NodeId, user("two"), reply(Block.text("More.")))
      assert.strictEqual(yield* ConversationState.endOfAnswer(calls as NodeId), done)
      const [again] = yield* append(found as NodeId, reply(Block.text("Done again.")))
      assert.strictEqual(yield* ConversationState.endOfAnswer(calls as NodeId), again)
    }).pipe(Effect.provide(layer)),
  )
})
