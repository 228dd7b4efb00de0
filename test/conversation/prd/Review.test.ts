import { assert, describe, it } from "@effect/vitest"
import * as Review from "../../../src/conversation/prd/Review.ts"
import { NodeId } from "../../../src/message/NodeId.ts"

const review: Review.Review = {
  at: NodeId.make("n-1"),
  prd: { name: "A", content: "# PRD: A" },
  path: "tasks/prd-a.md",
  left: ["json", "done"],
}

describe("Review", () => {
  it("offers what is left, each by its number", () => {
    assert.strictEqual(Review.offerText(review), "[1] JSON (prd.json)\n[3] Done\nAnything else changes the PRD.")
    assert.include(Review.offerText({ ...review, left: ["beads"] }), "[2] Beads issues")
  })

  it("takes a number and nothing else for a choice", () => {
    assert.deepStrictEqual(["1", " 3\t", "2", "3A", "13", "1.", "", "one", "4", "0", "1\n3"].map(Review.parseChoice), [
      "json",
      "done",
      "beads",
      ...Array.from({ length: 8 }, () => undefined),
    ])
  })
})
