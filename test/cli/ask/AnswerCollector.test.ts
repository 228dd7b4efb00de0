import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { ToolIterationLimitExceededError } from "../../../src/agent/GenerateError.ts"
import * as AnswerCollector from "../../../src/cli/ask/AnswerCollector.ts"
import { ForestError, Full } from "../../../src/forest/ForestError.ts"
import * as Block from "../../../src/message/Block.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { ModelError, Overloaded } from "../../../src/model/ModelError.ts"
import type { Reply } from "../../../src/model/Reply.ts"

const model = new ModelId({ provider: "test", name: "model" })

const reply = (block: Block.Block, ...more: ReadonlyArray<Block.Block>): Reply => ({
  blocks: [block, ...more],
  finish: more.some(Block.isToolUse) || Block.isToolUse(block) ? "tool_calls" : "stop",
  usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 4, thinkingTokens: 2 },
  model,
})

const call = Block.toolUse("c", "read_file", { path: "a" })

const calling = reply(Block.thinking("hm"), Block.text("I look."), call)
const speaking = reply(Block.text("It is", { signed: true }), Block.text(" so."))

const node = NodeId.make("n-1")
const limit = new ToolIterationLimitExceededError({ limit: 1 })
const full = new ForestError({ reason: new Full({ cause: "ENOSPC" }) })
const busy = new ModelError({ model: "test/model", reason: new Overloaded({ message: "busy" }) })

const heard = (replies: ReadonlyArray<Reply>, rest: Partial<AnswerCollector.Collected> = {}) => ({
  ...AnswerCollector.empty,
  replies,
  node,
  ...rest,
})

const answered = (heard: AnswerCollector.Collected, isOffered: boolean) =>
  Either.getOrThrow(AnswerCollector.toAnswer(heard, isOffered))

describe("AnswerCollector.toAnswer", () => {
  it("is the words of the last reply as they stand, without thoughts", () => {
    const { node: at, text, toolCalls } = answered(heard([calling, speaking]), true)
    assert.deepStrictEqual([text, at, toolCalls], ["It is so.", node, [call]])
  })

  it("is the calls where no tools are offered", () => {
    const { text, toolCalls } = answered(heard([calling], { error: limit }), false)
    assert.deepStrictEqual([text, toolCalls], ["I look.", [call]])
  })

  it("is an answer that could not be kept, and why", () => {
    const { node, text, storageError: unkept } = answered(heard([speaking], { node: undefined, error: full }), true)
    assert.deepStrictEqual([text, node, unkept], ["It is so.", undefined, full])
  })

  it.each([
    ["the model failed", heard([], { error: busy })],
    ["the model failed on the way", heard([calling], { error: busy })],
    ["the limit was reached", heard([calling], { error: limit })],
    ["the way to it could not be kept", heard([calling], { node: undefined, error: full })],
  ])("is none where %s", (_, heard) => {
    const error = Either.getOrThrow(Either.flip(AnswerCollector.toAnswer(heard, true)))
    assert.strictEqual<unknown>(error, heard.error)
  })
})

describe("AnswerCollector.object", () => {
  it("has what programs want of an answer, and the usage of all that it took", () => {
    assert.deepStrictEqual(AnswerCollector.object(answered(heard([calling, speaking]), true), 0.5), {
      text: "It is so.",
      toolCalls: [{ name: "read_file", arguments: { path: "a" } }],
      finishReason: "stop",
      usage: { inputTokens: 20, outputTokens: 10, cachedInputTokens: 8, reasoningTokens: 4 },
      cost: 0.5,
      model: "test/model",
      node: "n-1",
    })
  })

  it("has null for a cost and a node that are unknown", () => {
    const { cost, node } = AnswerCollector.object(
      answered(heard([speaking], { node: undefined, error: full }), true),
      undefined,
    ) as {
      cost: unknown
      node: unknown
    }
    assert.deepStrictEqual([cost, node], [null, null])
  })
})

describe("AnswerCollector.notes", () => {
  it("remarks that calls are not run, and that an answer is cut off", () => {
    const cut = { ...speaking, finish: "length" } as const
    assert.deepStrictEqual(AnswerCollector.notes(answered(heard([calling], { error: limit }), false), false), [
      'calls read_file {"path":"a"}, which is not run',
    ])
    assert.deepStrictEqual(AnswerCollector.notes(answered(heard([cut]), true), true), [
      "the answer is cut off: the output limit was reached",
    ])
    assert.deepStrictEqual(AnswerCollector.notes(answered(heard([calling, speaking]), true), true), [])
  })

  it("remarks that pictures are not shown, and where they are", () => {
    const picture = Block.image("image/png", "AAAA")
    const kept = heard([reply(picture)])
    assert.deepStrictEqual(AnswerCollector.notes(answered(kept, false), false), [
      "1 picture not shown: see 'vibe loom export n-1 --format html'",
    ])
    const gone = heard([reply(picture, picture)], { node: undefined, error: full })
    assert.deepStrictEqual(AnswerCollector.notes(answered(gone, false), false), ["2 pictures not shown, nor kept"])
  })
})
