import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RunState from "../../src/explore/RunState.ts"

const initial: RunState.RunState<string> = RunState.initial({ parallel: 4, maxRequests: 20, requestsLeft: 12 })

/** Runs so many steps, and returns the state after the last one. */
const repeat = (count: number, step: (state: RunState.RunState<string>) => RunState.RunState<string>, from = initial) =>
  Array.from({ length: count }).reduce<RunState.RunState<string>>((state) => step(state), from)

describe("the requests of a run", () => {
  it("are taken while there are any, and are as many afterwards if one is given back", () => {
    const [isTaken, state] = RunState.takeRequest(initial, 0)
    assert.isTrue(isTaken)
    assert.strictEqual(state.requestsLeft, 11)
    assert.deepStrictEqual(RunState.giveBack(state), initial)
    const [isLastTaken, none] = RunState.takeRequest({ ...initial, requestsLeft: 0 }, 0)
    assert.isFalse(isLastTaken)
    assert.strictEqual(none.requestsLeft, 0)
  })

  it("are not taken by workers beyond the allowed number, or after the end", () => {
    const slower = RunState.slowDown(initial)
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((worker) => RunState.takeRequest(slower, worker)[0]),
      [true, true, false, false],
    )
    assert.isFalse(RunState.takeRequest(RunState.stop(initial, { _tag: "Budget" }), 0)[0])
  })

  it.prop(
    "are never more than those that were allowed, whatever workers take and give back",
    [FastCheck.array(FastCheck.integer({ min: 0, max: 8 }))],
    ([workers]) => {
      let state = initial
      let taken = 0
      for (const worker of workers) {
        if (worker === 8 && taken > 0) {
          state = RunState.giveBack(state)
          taken -= 1
        } else {
          const [isTaken, next] = RunState.takeRequest(state, worker)
          state = next
          if (isTaken) taken += 1
        }
        assert.strictEqual(taken + state.requestsLeft, initial.requestsLeft)
      }
    },
  )

  it("are one at a time at least, however often the provider limits the rate", () => {
    assert.strictEqual(repeat(10, RunState.slowDown).allowed, 1)
    assert.strictEqual(RunState.initial({ parallel: 0, maxRequests: 1, requestsLeft: 1 }).allowed, 1)
  })
})

describe("the end of a run", () => {
  it("is for the first reason", () => {
    const failed = RunState.stop(initial, { _tag: "Failed", failure: "no key" })
    assert.deepStrictEqual(RunState.stop(failed, { _tag: "Budget" }), failed)
  })

  it("comes early if the budget is used up, or if batches bring nothing", () => {
    const sent = { ...initial, sent: 3 }
    assert.isUndefined(RunState.early(sent))
    assert.deepStrictEqual(RunState.early(RunState.stop(sent, { _tag: "Budget" })), { outcome: "budget", batches: 3 })
    const fruitless = RunState.stop(sent, { _tag: "Fruitless" })
    assert.deepStrictEqual(RunState.early(RunState.noteAnswer(fruitless, false)), {
      outcome: "complete",
      batches: 3,
      isFruitless: true,
    })
    assert.strictEqual(RunState.early(RunState.noteAnswer(fruitless, true))?.outcome, "unexplained")
  })

  it("counts batches in a row that brought nothing, and begins again after one that brought something", () => {
    const barren = repeat(2, (state) => RunState.noteBatch(state, 0))
    assert.strictEqual(barren.fruitless, 2)
    assert.strictEqual(RunState.noteBatch(barren, 1).fruitless, 0)
  })

  it("is a failure of the models only if every batch was refused and no purpose was stored", () => {
    const refused = RunState.noteAnswer({ ...initial, sent: 2 }, true)
    assert.strictEqual(RunState.toOutcome(refused, "complete").outcome, "unexplained")
    assert.strictEqual(RunState.toOutcome(refused, "limit").outcome, "unexplained")
    assert.strictEqual(RunState.toOutcome({ ...refused, recorded: 1 }, "limit").outcome, "limit")
    const answered = RunState.noteAnswer(RunState.noteAnswer(refused, false), true)
    assert.strictEqual(RunState.toOutcome(answered, "complete").outcome, "complete")
    assert.deepStrictEqual(RunState.toOutcome(initial, "limit"), { outcome: "limit", batches: 0 })
  })
})
