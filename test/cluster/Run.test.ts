import { assert, describe, it } from "vitest"
import * as Run from "../../src/cluster/Run.ts"

const run: Run.Snapshot = {
  id: "0123456789ab",
  repository: "house",
  version: "1.0.0",
  models: ["scripted/test"],
  commit: "c0ffee",
  state: "running",
  reason: undefined,
  maxCost: undefined,
  spent: 0,
  lost: 0,
  inputTokens: 0,
  outputTokens: 0,
  repeated: 0,
  batches: { waiting: 3, sent: 2, running: 1, answered: 4, refused: 0 },
  workers: 2,
  idle: 10,
  createdAt: new Date(0),
  endedAt: undefined,
}

describe("the advice about a run", () => {
  it("is none while batches begin and end", () => {
    assert.isUndefined(Run.adviceOf(run))
    assert.isUndefined(Run.adviceOf({ ...run, idle: Run.STALL - 1 }))
  })

  it("is to start a worker where none is there", () => {
    assert.match(Run.adviceOf({ ...run, workers: 0 }) ?? "", /start one with 'vibe worker'/)
  })

  it("names the provider where batches are under way and none ends", () => {
    assert.match(Run.adviceOf({ ...run, idle: 600 }) ?? "", /for 10 minutes: the provider does not answer/)
  })

  it("is to start the workers again where they do not begin what they were given", () => {
    const batches = { ...run.batches, running: 0 }
    assert.match(
      Run.adviceOf({ ...run, batches, idle: 600 }) ?? "",
      /No batch has begun for 10 minutes.*nothing is lost/,
    )
  })

  it("is none for a run that has ended, or waits for nothing", () => {
    const batches = { waiting: 0, sent: 0, running: 0, answered: 10, refused: 0 }
    assert.isUndefined(Run.adviceOf({ ...run, workers: 0, batches }))
    for (const state of ["planning", "complete", "budget", "stopped", "cancelled"] as const) {
      assert.isUndefined(Run.adviceOf({ ...run, state, workers: 0 }))
    }
  })
})
