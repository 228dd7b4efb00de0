import { assert, describe, it } from "@effect/vitest"
import type { Statement } from "../../../src/wiki/Page.ts"
import * as CheckRequest from "../../../src/wiki/writing/CheckRequest.ts"

const claim = (text: string): Statement => ({ text, kind: "claim", author: "model", unchecked: "due", citations: [] })

const correct = (before: string, after: string): string | undefined =>
  CheckRequest.apply([claim(before)], { holds: new Set(), untrue: new Set(), corrected: new Map([[1, after]]) })
    .statements[0]?.text

describe("CheckRequest.apply", () => {
  it("keeps the word that a corrected statement explains", () => {
    const before = "*Mount*: A mount matches a path."
    const after = "*Mount*: A mount matches the beginning of a path."
    for (const written of [
      "A mount matches the beginning of a path.",
      "Mount: A mount matches the beginning of a path.",
    ])
      assert.strictEqual(correct(before, written), after)
    assert.strictEqual(correct(before, after), after)
  })

  it("adds no word to a statement that explains none", () => {
    assert.strictEqual(correct("A mount matches.", "A *mount*: it matches."), "A *mount*: it matches.")
  })
})
