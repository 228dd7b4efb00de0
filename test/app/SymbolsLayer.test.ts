import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as SymbolsLayer from "../../src/app/SymbolsLayer.ts"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import { Symbols } from "../../src/code/Symbols.ts"

const texts: readonly [string, ...Array<string>] = [
  "export const one = 1\n",
  "/** Two. */\nexport const two = () => 2\n",
  "export class Three {}\n",
]

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

  it.live("outlines although the first caller was interrupted while the outliner was loaded", () =>
    Effect.gen(function* () {
      const { outline } = yield* Symbols
      const first = yield* Effect.fork(outline("a.ts", texts[0]))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      const { symbols } = yield* outline("a.ts", texts[0])
      assert.lengthOf(symbols, 1)
    }).pipe(Effect.provide(SymbolsLayer.layer)),
  )
})
