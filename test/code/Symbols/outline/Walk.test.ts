import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Walk from "../../../../src/code/Symbols/internal/outline/Walk.ts"
import * as Grammar from "../../../../src/code/Symbols/internal/treeSitter/Grammar.ts"
import * as Runtime from "../../../../src/code/Symbols/internal/treeSitter/Runtime.ts"

describe("Walk.outline", () => {
  it.effect("keeps what it has outlined when it is late", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 500 }, (_, index) => `const a${index} = ${index}`).join("\n")
      const { grammar } = yield* Runtime.start
      const loaded = yield* grammar("typescript")
      const parsed = loaded.parser().parse(text) ?? assert.fail("not parsed")
      const tree = Grammar.tree(loaded.grammar, parsed.rootNode, text)
      let looks = 0
      const outline = (isLate: () => boolean) =>
        Walk.outline(tree, { path: "a.ts", text }, loaded.grammar.rules, isLate)
      assert.lengthOf(outline(() => false).symbols, 500)
      const { note, symbols } = outline(() => ++looks > 10)
      assert.strictEqual(note, "not all of it was outlined in time")
      assert.strictEqual(symbols[0]?.name, "a0")
      assert.isBelow(symbols.length, 500)
      parsed.delete()
    }),
  )
})
