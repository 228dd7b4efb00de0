import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as FitWindow from "../../../src/agent/internal/fitWindow.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Tokens from "../../../src/message/Tokens.ts"

const call = (id: string) => Block.toolUse(id, "look", { path: id })

/** The calls of one reply, and a result of each length. */
const turn = (lengths: ReadonlyArray<number>, at: number): ReadonlyArray<Message.Message> => {
  const [first, ...rest] = lengths.map((_, index) => call(`c${at}-${index}`))
  return first === undefined
    ? [{ role: "assistant", content: [Block.text("done")] }]
    : [
        { role: "assistant", content: [first, ...rest] },
        ...[first, ...rest].map((made, index) => Message.toolResult(made, "x".repeat(lengths[index] ?? 0), false)),
      ]
}

/** The turns of a conversation, each with the lengths of its results. */
const conversations = FastCheck.array(FastCheck.array(FastCheck.nat(4000), { maxLength: 4 }), { maxLength: 30 }).map(
  (turns) => [[Message.user("Go")], ...turns.map(turn)],
)

const windows = FastCheck.integer({ min: 500, max: 10_000 })

const texts = (messages: ReadonlyArray<Message.Message>) => messages.map(Message.text)

const sizeOf = (messages: ReadonlyArray<Message.Message>) => Tokens.estimate("fixed", messages)

/** Sends each turn with those before it, as a run does. */
const sendAll = (turns: ReadonlyArray<ReadonlyArray<Message.Message>>, maxInput: number) => {
  const fitWindow = FitWindow.make("fixed", maxInput)
  const sent: Array<FitWindow.Fitted> = []
  for (const messages of turns) sent.push(fitWindow([...(sent.at(-1)?.messages ?? []), ...messages]))
  return sent
}

const isPrefix = (start: ReadonlyArray<string>, of: ReadonlyArray<string>) => start.every((text, at) => text === of[at])

describe("fitWindow", () => {
  it.prop(
    "leaves a conversation as it is while it fits, or where the window is not known",
    [conversations],
    ([turns]) => {
      const all = turns.flat()
      const within = sendAll(turns, sizeOf(all))
      assert.isTrue(within.every(({ exceeded, leftOut }) => leftOut === 0 && exceeded === undefined))
      assert.deepStrictEqual(within.at(-1)?.messages, all)
      assert.strictEqual(FitWindow.make("fixed", undefined)(all).messages, all)
    },
  )

  it.prop(
    "makes every request fit, unless there is no long result left",
    [conversations, windows],
    ([turns, window]) => {
      for (const { messages } of sendAll(turns, window)) {
        const hasLong = messages.some((message) => message.role === "tool" && Message.text(message).length >= 200)
        assert.isTrue(sizeOf(messages) <= window || !hasLong)
      }
    },
  )

  it.prop(
    "keeps calls, their results, and the texts of users and models",
    [conversations, windows],
    ([turns, window]) => {
      const withoutResults = (messages: ReadonlyArray<Message.Message>) =>
        messages.map((message) => (message.role === "tool" ? { ...message, content: [] } : message))
      assert.deepStrictEqual(
        withoutResults(sendAll(turns, window).at(-1)?.messages ?? []),
        withoutResults(turns.flat()),
      )
    },
  )

  it.prop(
    "appends to what was sent before, except where results are left out",
    [conversations, windows],
    ([turns, window]) => {
      const sent = sendAll(turns, window)
      for (const [at, { exceeded, leftOut, messages }] of sent.entries()) {
        const before = sent[at - 1]?.messages ?? []
        assert.strictEqual(exceeded === undefined, leftOut === 0)
        assert.strictEqual(
          leftOut === 0,
          isPrefix(texts(before), texts(messages)) && !hasNewGaps(turns[at] ?? [], messages),
        )
      }
    },
  )

  it("frees half of the window, so that the next turns are appended", () => {
    const turns = Array.from({ length: 40 }, (_, at) => turn([3000], at))
    const sent = sendAll([[Message.user("Go")], ...turns], 12_000)
    const cuts = sent.flatMap(({ leftOut }, at) => (leftOut > 0 ? [at] : []))
    assert.isNotEmpty(cuts)
    for (const [n, at] of cuts.entries()) assert.isAtLeast(at - (cuts[n - 1] ?? 0), 5)
  })

  it.prop("sends the same from a run of its own as within one run", [conversations, windows], ([turns, window]) => {
    const sent = sendAll(turns, window)
    for (const [at, { messages }] of sent.entries()) {
      const alone = FitWindow.make("fixed", window)(turns.slice(0, at + 1).flat())
      assert.deepStrictEqual(texts(alone.messages), texts(messages))
    }
  })

  it("counts what is sent with this request only, and the fixed part of all requests", () => {
    const messages = [Message.user("Go"), ...turn([400, 400], 1)]
    const size = Tokens.estimate("fixed", messages)
    assert.strictEqual(FitWindow.make("fixed", size)(messages).leftOut, 0)
    assert.isAbove(FitWindow.make("fixed", size)(messages, [Message.user("and this")]).leftOut, 0)
    assert.isAbove(FitWindow.make("fixed and longer", size)(messages).leftOut, 0)
  })
})

/** Whether a result of the last turn was replaced. */
const hasNewGaps = (last: ReadonlyArray<Message.Message>, sent: ReadonlyArray<Message.Message>): boolean =>
  !isPrefix(texts(last), texts(sent.slice(sent.length - last.length)))
