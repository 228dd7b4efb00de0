import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Outlining from "../../src/app/Outlining.ts"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import { Symbols } from "../../src/code/Symbols.ts"

const texts = ["export const one = 1\n", "/** Two. */\nexport const two = () => 2\n", "export class Three {}\n"]

const outlines = Effect.flatMap(Symbols, ({ outline }) =>
  Effect.forEach(texts, (text) => outline("a.ts", text), { concurrency: "unbounded" }),
)

describe("Outlining", () => {
  it.live("outlines as what it loads, however many ask at once", () =>
    Effect.gen(function* () {
      const found = yield* Effect.provide(outlines, Outlining.layer)
      assert.deepStrictEqual(
        found.flatMap(({ symbols }) => symbols.map(({ name }) => name)),
        ["one", "two", "Three"],
      )
      assert.deepStrictEqual(found, yield* Effect.provide(outlines, Scanner.layer))
    }),
  )
})
