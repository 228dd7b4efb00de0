import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, FastCheck, Stream } from "effect"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Spending from "../../src/agent/Spending.ts"
import { type NodeKind, replyText, TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Usage from "../../src/message/Usage.ts"
import { ContextOverflow, Overloaded } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { cases } from "../thoroughness.ts"
import { root, withScript } from "../utils/Looms.ts"
import { ALL, failure, nodesOf, record, recorder, scripts, specifiedOf, spendingOf } from "../utils/RecordedRuns.ts"

describe("TurnEvent: laws", () => {
  it.effect.prop(
    "the specified events are a function of the events, and every stored node is reported",
    [scripts],
    ([script]) =>
      Effect.gen(function* () {
        const { events, specified, stored } = yield* record(script, ALL)
        assert.deepStrictEqual(specified, specifiedOf(events))
        assert.include(["done", "error"], specified.at(-1)?.type)
        assert.sameDeepMembers([...nodesOf(events)], [...stored])
      }),
    { fastCheck: { numRuns: cases(30) } },
  )

  it.effect.prop(
    "a consumer that stops has received a prefix of them, and every stored node is reported all the same",
    [scripts, FastCheck.integer({ min: 1, max: 12 })],
    ([script, most]) =>
      Effect.gen(function* () {
        const { events, specified, stored } = yield* record(script, most)
        assert.deepStrictEqual(specified, specifiedOf(events).slice(0, specified.length))
        assert.sameDeepMembers([...nodesOf(events)], [...stored])
      }),
    { fastCheck: { numRuns: cases(30) } },
  )

  it.effect.prop(
    "tokens and cost are the sum over the stored nodes",
    [scripts],
    ([script]) =>
      Effect.gen(function* () {
        const { events, stored } = yield* record(script, ALL)
        assert.deepStrictEqual(events.reduce(Spending.step, Spending.zero), spendingOf(stored))
      }),
    { fastCheck: { numRuns: cases(30) } },
  )
})

describe("LoomEngine.generateSeveral", () => {
  it.effect("reports the events of all runs, one at a time, and the user's message once", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const models = yield* Effect.forEach(["a", "b", "c"], (name) => Scripted.make([name], name))
      const { events, onEvent } = recorder()
      yield* Stream.runDrain(engine.generateSeveral(id, models, { text: "Go", onEvent }))
      assert.lengthOf(nodesOf(events), 4)
      assert.sameDeepMembers([...nodesOf(events)], [...(yield* forest.subtree(id))])
    }).pipe(withScript([])),
  )
})

describe("TurnEvent.NodeStored", () => {
  const kinds = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<NodeKind> =>
    events.flatMap((event) => (event._tag === "NodeStored" ? [event.kind] : []))

  it.effect("says what each node is", () =>
    Effect.gen(function* () {
      const { events } = yield* record([Scripted.calls(["look", { milliseconds: 1 }]), "Done."], 100)
      assert.deepStrictEqual(kinds(events), ["input", "reply", "result", "reply"])
    }),
  )

  it.effect("is `unfinished` for the text of a reply if its consumer has stopped", () =>
    Effect.gen(function* () {
      const { events } = yield* record(["Half of it"], 2)
      assert.deepStrictEqual(kinds(events), ["input", "unfinished"])
    }),
  )

  it.effect("is `repair` for the result of a call that an earlier run left open", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const [, reply] = yield* forest.append(id, [
        { message: { role: "user", content: [{ type: "text", text: "Go" }] }, source: { type: "user" } },
        {
          message: { role: "assistant", content: [{ type: "tool-use", id: "c", name: "look", parameters: {} }] },
          source: { type: "model", model: "scripted/test", finish: "tool_calls", usage: Usage.none },
        },
      ])
      const events: Array<TurnEvent> = []
      const onEvent = (event: TurnEvent) => Effect.sync(() => void events.push(event))
      yield* engine.generate(reply?.id ?? id, { onEvent })
      assert.deepStrictEqual(kinds(events), ["repair", "reply"])
    }).pipe(withScript(["Done."])),
  )
})

describe("TurnEvent.replyText", () => {
  const part = (part: Part) => TurnEvent.PartReceived({ part })
  const text = (text: string) => part(Part.Text({ text }))
  const fold = (...events: ReadonlyArray<TurnEvent>) => events.reduce(replyText, "")
  const retry = (restarted: boolean) =>
    TurnEvent.RetryScheduled({
      attempt: 1,
      delay: Duration.seconds(2),
      error: failure(new Overloaded({ message: "busy" })),
      restarted,
    })

  it("is the text of the parts, without thoughts, images and calls", () => {
    assert.strictEqual(
      fold(
        part(Part.Thinking({ text: "Hm." })),
        text("Half "),
        part(Part.Image({ media_type: "image/png", data: "AAAA" })),
        part(Part.Text({ text: "of it", meta: { google: { thoughtSignature: "s" } } })),
        part(Part.ToolUse({ name: "look", parameters: {} })),
      ),
      "Half of it",
    )
  })

  it("begins anew with each request, and where the reply begins anew", () => {
    const request = { system: "", messages: [], tools: [] }
    const overflow = failure(new ContextOverflow({ message: "too long" }))
    for (const event of [
      TurnEvent.RequestSent({ request }),
      TurnEvent.HistoryCompacted({ leftOut: 1, error: overflow }),
      retry(true),
    ]) {
      assert.strictEqual(fold(text("old"), event, text("new")), "new")
    }
    assert.strictEqual(fold(text("the "), retry(false), text("same")), "the same")
  })

  it.effect("is empty once the reply is stored", () =>
    Effect.gen(function* () {
      const { events } = yield* record(["Done."], 100)
      assert.strictEqual(fold(...events), "")
      assert.strictEqual(
        fold(
          ...events.slice(
            0,
            events.findIndex(({ _tag }) => _tag === "ReplyReceived"),
          ),
        ),
        "Done.",
      )
    }),
  )
})
