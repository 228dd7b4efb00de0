import { assert, describe, it } from "@effect/vitest"
import * as Report from "../../src/explore/Report.ts"

type Given = Parameters<typeof Report.describeFailures>[0]

describe("Report.describeFailures", () => {
  const busy = { reason: "busy", batches: 2 }
  it.each<readonly [given: Given, text: string]>([
    [
      { batches: 1, failedBatches: 1, outcome: "unexplained", failures: [busy] },
      "the only batch was not explained: busy",
    ],
    [{ batches: 3, failedBatches: 3, outcome: "partial", failures: [busy] }, "none of 3 batches was explained: busy"],
    [{ batches: 9, failedBatches: 1, outcome: "partial", failures: [] }, "1 of 9 batches was not explained"],
    [{ batches: 9, failedBatches: 2, outcome: "complete", failures: [] }, "2 of 9 batches were not explained"],
    [
      { batches: 9, failedBatches: 8, outcome: "unexplained", failures: [] },
      "8 of 9 batches were not explained, the last of them in a row",
    ],
    [
      {
        batches: 9,
        failedBatches: 8,
        outcome: "partial",
        failures: ["busy", "blocked", "too long", "gone"].map((reason, at) => ({ reason, batches: at + 1 })),
      },
      "8 of 9 batches were not explained: busy (1), blocked (2), too long (3)",
    ],
  ])("says of %j how many there were, and for which three reasons", (given, text) => {
    assert.strictEqual(Report.describeFailures(given), text)
  })
})
