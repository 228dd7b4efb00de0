import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { outlined, withSymbols } from "../../Symbols/outlined.ts"

withSymbols("the outline of CSS", (it) => {
  it.effect("has the names that markup uses, and no symbols", () =>
    Effect.gen(function* () {
      const source =
        '@import "base.css"; @import url(theme.css);\n.card, #main:hover { color: red }\n.card b { top: 1px }\n'
      const { identifiers, imports, note, symbols } = yield* outlined("a.css", source)
      assert.deepStrictEqual(symbols, [])
      assert.deepStrictEqual(imports, ["base.css", "theme.css"])
      assert.strictEqual(identifiers.get("card"), 2)
      assert.strictEqual(identifiers.get("main"), 1)
      assert.isUndefined(note)
    }),
  )

  it.effect("is not taken for broken because of syntax that is newer than its grammar", () =>
    Effect.gen(function* () {
      const { identifiers, note } = yield* outlined("a.css", "@media (width < 68rem) { .card { color: red } }\n")
      assert.strictEqual(identifiers.get("card"), 1)
      assert.isUndefined(note)
    }),
  )
})
