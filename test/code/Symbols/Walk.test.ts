import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Runtime from "../../../src/code/Symbols/internal/Runtime.ts"
import * as Walk from "../../../src/code/Symbols/internal/Walk.ts"

describe("Walk.outline", () => {
  it.effect("keeps what it has outlined when it is late", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 500 }, (_, index) => `const a${index} = ${index}`).join("\n")
      const { grammar } = yield* Runtime.start
      const { parser, table } = yield* grammar("typescript")
      const tree = parser().parse(text) ?? assert.fail("not parsed")
      let looks = 0
      const outline = (isLate: () => boolean) => Walk.outline(tree.rootNode, { path: "a.ts", text }, table, isLate)
      assert.lengthOf(outline(() => false).symbols, 500)
      const { note, symbols } = outline(() => ++looks > 10)
      assert.strictEqual(note, "not all of it was outlined in time")
      assert.strictEqual(symbols[0]?.name, "a0")
      assert.isBelow(symbols.length, 500)
      tree.delete()
    }),
  )
})
