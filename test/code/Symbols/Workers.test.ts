import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Scanner from "../../../src/code/Symbols/Scanner.ts"
import * as Workers from "../../../src/code/Symbols/Workers.ts"
import { Symbols } from "../../../src/code/Symbols.ts"

/** More of them than one thread is left alone with. */
const sources = Array.from({ length: 300 }, (_, n) => ({
  path: n % 10 === 0 ? `notes${n}.md` : `tree${n}.ts`,
  text: Array.from({ length: 40 }, (_, m) => `/** Grows ${m}. */\nexport const grow${n}_${m} = () => ${m}\n`).join(""),
}))

const outlines = (concurrency: number) =>
  Effect.flatMap(Symbols, ({ outline }) =>
    Effect.forEach(sources, ({ path, text }) => outline(path, text), { concurrency }),
  )

describe("Workers", () => {
  it.live("find the same as one thread", () =>
    Effect.gen(function* () {
      const alone = yield* Effect.provide(outlines(1), Scanner.layer)
      assert.deepStrictEqual(yield* Effect.provide(outlines(64), Workers.layer), alone)
    }),
  )

  it.effect("do not delay the end of their scope", () =>
    // The clock stands still: they would help for good.
    Effect.provide(outlines(64), Workers.layer),
  )
})
