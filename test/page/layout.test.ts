/** The comparison of layouts finds what one would see, and nothing of a pixel. */
import { assert, describe, it } from "@effect/vitest"
import { differences, type Layout, overlaps } from "./browser/layout.ts"

const part = { x: 0, y: 0, width: 200, height: 100, color: "rgb(0, 0, 0)", background: "rgb(255, 255, 255)" }
const side = { ...part, x: 200 }
const layout: Layout = { main: part, side, hidden: null }

describe("differences", () => {
  it("finds none within the tolerance", () => {
    assert.deepStrictEqual(differences(layout, { ...layout, main: { ...part, x: 8, width: 212 } }), [])
  })

  it("finds a part that has moved, grown, changed its colour, appeared or gone", () => {
    assert.deepStrictEqual(
      differences(layout, {
        main: { ...part, x: 9, width: 213, background: "rgb(0, 0, 1)" },
        hidden: part,
        side: null,
        other: part,
      }),
      [
        "main: x was 0, and is 9",
        "main: width was 200, and is 213",
        "main: background was rgb(255, 255, 255), and is rgb(0, 0, 1)",
        "side is not shown any more",
        "hidden is shown",
        "other is new",
      ],
    )
    assert.deepStrictEqual(differences(layout, { main: part, side }), ["hidden is not read any more"])
  })
})

describe("overlaps", () => {
  it("finds parts that lie over each other, and none that only touch", () => {
    assert.deepStrictEqual(overlaps(layout, ["main", "side", "hidden"]), [])
    assert.deepStrictEqual(overlaps({ ...layout, side: { ...side, x: 190 } }, ["main", "side"]), ["main and side"])
  })
})
