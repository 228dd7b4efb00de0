import { assert, describe, it } from "@effect/vitest"
import * as Style from "../../../src/base/Style.ts"
import * as History from "../../../src/cli/show/History.ts"
import type { PurposeHistory, Version } from "../../../src/review/PurposeHistory.ts"

const commit = { id: "1a2b3c4d5e", author: "Ada\u001b[31m", writtenAt: Date.UTC(2026, 10, 23), title: "Explain" }

const version: Version = { text: "Counts.", model: "m/n", weak: undefined, isCurrent: false, commit }

const history = (other: Partial<PurposeHistory>): PurposeHistory => ({
  versions: [version],
  more: 0,
  isShallow: false,
  isComplete: true,
  ...other,
})

describe("vibe show --history", () => {
  it("prints each sentence with its commit, the newest first, and what may be missing", () => {
    const versions = [
      { ...version, text: "Adds.", isCurrent: true, commit: undefined },
      { ...version, weak: "too short" },
    ]
    assert.deepStrictEqual(History.toText(history({ versions, more: 2, isComplete: false }), Style.plain, 200), [
      "",
      "  history of its purpose",
      "    now, not committed yet:  Adds.",
      "    2026-11-23 1a2b3c4 by Ada, weak: too short:  Counts.",
      "    2 earlier sentences",
      "    (only the newest commits were read, since the purposes have changed often)",
    ])
    const [, , none] = History.toText(history({ versions: [] }), Style.plain, 200)
    assert.strictEqual(none, "    (no commit has a purpose that a model wrote for it)")
  })

  it("has the same as JSON, without the date of a commit whose time is none", () => {
    const versions = [version, { ...version, commit: { ...commit, writtenAt: Number.NaN } }]
    const { versions: found, ...rest } = History.toJson(history({ versions }))
    assert.deepStrictEqual(rest, { more: 0, shallow: false, complete: true })
    assert.deepStrictEqual(
      found.map(({ commit }) => commit?.date),
      ["2026-11-23T00:00:00.000Z", null],
    )
  })
})
