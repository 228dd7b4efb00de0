import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import type { Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Text from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { ModelError, Overloaded } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Answer } from "../../../src/server/api/Conversations.ts"
import * as AnswerRun from "../../../src/server/internal/answerRun.ts"
import * as ToolResult from "../../../src/tool/ToolResult.ts"

const retry = (restarted: boolean) =>
  TurnEvent.RetryScheduled({
    attempt: 1,
    delay: Duration.seconds(2),
    error: new ModelError({ model: "test/test", reason: new Overloaded({ message: "busy" }) }),
    restarted,
  })

const words = (text: string) => TurnEvent.PartReceived({ part: Part.Text({ text }) })

const node = (id: string): Node => ({
  id: NodeId.make(id),
  root: NodeId.make("n-0"),
  parent: NodeId.make("n-1"),
  message: Text.user(""),
  source: { type: "user" },
  createdAt: 0,
})

const start = Effect.gen(function* () {
  const changes: Array<Pick<Answer, "activity" | "text">> = []
  const deltas: Array<readonly [number, string]> = []
  const run = yield* AnswerRun.make(
    { id: "a", after: NodeId.make("n-1"), model: "test/test" },
    {
      changed: ({ activity, text }) => Effect.sync(() => void changes.push({ activity, text })),
      delta: (_, at, text) => Effect.sync(() => void deltas.push([at, text])),
      stored: () => Effect.void,
    },
    undefined,
  )
  return { changes, deltas, run }
})

describe("an answer in the making", () => {
  it.effect("says that it waits for a retry until the text goes on, and says it once", () =>
    Effect.gen(function* () {
      const { changes, deltas, run } = yield* start
      yield* run.onEvent(retry(false))
      assert.match(run.answer().activity ?? "", /^waits 2s for attempt 2: /)
      for (const part of ["Hello", ", you", " there"]) yield* run.onEvent(words(part))
      yield* TestClock.adjust("16 millis")
      assert.deepStrictEqual(
        changes.map(({ activity }) => activity !== undefined),
        [true, false],
      )
      assert.isUndefined(run.answer().activity)
      assert.deepStrictEqual(deltas, [[0, "Hello, you there"]])
    }),
  )

  it.effect("passes text on without a change of its state, where it was not waiting", () =>
    Effect.gen(function* () {
      const { changes, deltas, run } = yield* start
      yield* run.onEvent(words("Hello"))
      yield* TestClock.adjust("16 millis")
      yield* run.onEvent(words("!"))
      yield* TestClock.adjust("16 millis")
      assert.deepStrictEqual(changes, [])
      assert.deepStrictEqual(deltas, [
        [0, "Hello"],
        [5, "!"],
      ])
    }),
  )

  it.effect("names the node that its text is stored as, begins anew after it, and keeps its text over input", () =>
    Effect.gen(function* () {
      const { changes, deltas, run } = yield* start
      const stored = (id: string, kind: "input" | "reply" | "result") =>
        run.onEvent(TurnEvent.NodeStored({ kind, node: node(id) }))
      yield* run.onEvent(words("Hello"))
      yield* TestClock.adjust("16 millis")
      yield* stored("n-2", "input")
      assert.deepStrictEqual([run.answer().text, run.answer().message], ["Hello", undefined])
      yield* stored("n-3", "reply")
      assert.deepStrictEqual([run.answer().text, run.answer().message], ["", "n-3"])
      yield* run.onEvent(words("More"))
      yield* TestClock.adjust("16 millis")
      assert.deepStrictEqual(deltas, [
        [0, "Hello"],
        [0, "More"],
      ])
      yield* stored("n-4", "result")
      assert.deepStrictEqual([run.answer().text, run.answer().message], ["", "n-4"])
      assert.deepStrictEqual(
        changes.map(({ text }) => text),
        ["Hello", "", ""],
      )
    }),
  )

  it.effect("says what it does besides writing, each time that this changes, and ends without it", () =>
    Effect.gen(function* () {
      const { changes, run } = yield* start
      const call = Block.toolUse("c-1", "find", {})
      yield* run.onEvent(TurnEvent.ToolStarted({ call }))
      yield* run.onEvent(TurnEvent.ToolStarted({ call }))
      yield* run.onEvent(TurnEvent.ToolFinished({ call, result: ToolResult.text("found") }))
      yield* run.onEvent(TurnEvent.ToolStarted({ call: Block.toolUse("c-2", "show", {}) }))
      const done = yield* run.end("done")
      assert.deepStrictEqual(
        changes.map(({ activity }) => activity),
        ["running find", undefined, "running show", undefined],
      )
      assert.deepInclude(done, { state: "done", endedAt: 0, activity: undefined })
      assert.notProperty(done, "error")
      assert.deepInclude(yield* run.end("failed", "it broke"), { state: "failed", error: "it broke" })
    }),
  )

  it.effect(
    "begins its text anew with a retry that restarts the answer, and is idle no more with its first words",
    () =>
      Effect.gen(function* () {
        const { changes, deltas, run } = yield* start
        yield* run.onEvent(words("Half an"))
        yield* TestClock.adjust("16 millis")
        yield* run.onEvent(retry(true))
        assert.deepStrictEqual(changes.at(-1)?.text, "")
        yield* run.onEvent(words("Whole"))
        yield* TestClock.adjust("16 millis")
        assert.isUndefined(changes.at(-1)?.activity)
        assert.deepStrictEqual(deltas, [
          [0, "Half an"],
          [0, "Whole"],
        ])
      }),
  )
})
