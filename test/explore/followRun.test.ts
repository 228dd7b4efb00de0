import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { followRun } from "../../src/explore/followRun.ts"
import { IndexEvent } from "../../src/explore/IndexEvent.ts"
import type { Report } from "../../src/explore/Report.ts"
import * as RunProgress from "../../src/index/RunProgress.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import type { Usage } from "../../src/message/Usage.ts"

const begun = RunProgress.start(new ModelId({ provider: "scripted", name: "test" }), 5)

const usage: Usage = { inputTokens: 30, outputTokens: 4, cachedTokens: 0, thinkingTokens: 0 }

/** A report of which two fields are read. */
const report = (cost: number | null): Report => ({ usage, cost }) as never

describe("followRun", () => {
  it.each<readonly [event: IndexEvent, changes: Partial<RunProgress.RunProgress>]>([
    [IndexEvent.Waiting({ process: 7 }), { activity: "waits for another run (process 7)" }],
    [IndexEvent.Waiting({ process: undefined }), { activity: "waits for another run" }],
    [
      IndexEvent.Refreshing({ phase: "parsing", done: 2, total: 9, share: 0.1 }),
      { activity: "reads the files: 2 of 9" },
    ],
    [
      IndexEvent.Structured({ files: 1, symbols: 2, parsed: 1, hidden: 0 }),
      { activity: "has read 1 file with 2 symbols" },
    ],
    [IndexEvent.Mapped({ map: "A house." }), { activity: "has a map of the project" }],
    [IndexEvent.Planned({ symbols: 12 }), { planned: 12 }],
    [IndexEvent.Expected({ requests: 8 }), { expected: 8 }],
    [
      IndexEvent.BatchSent({ number: 1, area: "src\u001b[31m", symbols: 1, model: "scripted/test", isAgain: false }),
      { activity: "asks for 1 symbol of src" },
    ],
    [IndexEvent.Answered({ text: "", total: usage }), { tokens: { input: 30, output: 4 } }],
    [IndexEvent.Answered({ text: "", total: usage, cost: 0 }), { tokens: { input: 30, output: 4 }, cost: 0 }],
    [IndexEvent.Recorded({ purposesWritten: 3 }), { written: 3 }],
    [
      IndexEvent.Retrying({ attempt: 1, delay: Duration.seconds(2), reason: "busy\u001b[2J" }),
      { activity: "tries again: busy" },
    ],
    [IndexEvent.Finished({ report: report(null) }), { tokens: { input: 30, output: 4 } }],
    [IndexEvent.Finished({ report: report(0.5) }), { tokens: { input: 30, output: 4 }, cost: 0.5 }],
    [IndexEvent.ResultsSent({ count: 3 }), {}],
  ])("follows $_tag", (event, changes) => {
    assert.deepStrictEqual(followRun(begun, event), changes)
  })

  it("counts requests one by one, and expects no fewer than it has counted", () => {
    const asked = IndexEvent.Asked({ iteration: 1, limit: 20 })
    assert.deepStrictEqual(followRun({ ...begun, requests: 3, expected: 8 }, asked), { requests: 4, expected: 8 })
    assert.deepStrictEqual(followRun({ ...begun, requests: 8, expected: 8 }, asked), { requests: 9, expected: 9 })
  })
})
