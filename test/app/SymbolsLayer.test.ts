import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SymbolsLayer from "../../src/app/SymbolsLayer.ts"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import { Symbols } from "../../src/code/Symbols.ts"

const texts = ["export const one = 1\n", "/** Two. */\nexport const two = () => 2\n", "export class Three {}\n"]

const outlines = Effect.flatMap(Symbols, ({ outline }) =>
  Effect.forEach(texts, (text) => outline("a.ts", text), { concurrency: "unbounded" }),
)

describe("SymbolsLayer", () => {
  it.live("outlines like the scanner, also for concurrent callers", () =>
    Effect.gen(function* () {
      const found = yield* Effect.provide(outlines, SymbolsLayer.layer)
      assert.deepStrictEqual(
        found.flatMap(({ symbols }) => symbols.map(({ name }) => name)),
        ["one", "two", "Three"],
      )
      assert.deepStrictEqual(found, yield* Effect.provide(outlines, Scanner.layer))
    }),
  )
})
