import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type InputOf, lazy } from "../../../src/cli/arguments/lazy.ts"

const config = {
  words: Args.text({ name: "TEXT" }).pipe(Args.atLeast(1)),
  limit: Options.integer("limit").pipe(Options.withDefault(5)),
}

describe("lazy", () => {
  it.effect("imports the implementation when the command runs, and passes it the parsed arguments", () =>
    Effect.gen(function* () {
      let loads = 0
      const inputs: Array<InputOf<typeof config>> = []
      const command = lazy("search", config, async () => {
        loads++
        return { run: (input: InputOf<typeof config>) => Effect.sync(() => void inputs.push(input)) }
      })
      assert.strictEqual(loads, 0)
      const run = Command.run(command, { name: "search", version: "1" })
      yield* run(["node", "search", "--limit", "2", "two", "words"])
      assert.strictEqual(loads, 1)
      assert.deepStrictEqual(
        inputs.map(({ limit, words }) => ({ limit, words })),
        [{ limit: 2, words: ["two", "words"] }],
      )
    }).pipe(Effect.provide(NodeContext.layer)),
  )

  it.effect("fails as the implementation does", () =>
    Effect.gen(function* () {
      const command = lazy("search", config, async () => ({ run: () => Effect.fail("no index" as const) }))
      const run = Command.run(command, { name: "search", version: "1" })
      assert.strictEqual(yield* Effect.flip(run(["node", "search", "word"])), "no index")
    }).pipe(Effect.provide(NodeContext.layer)),
  )
})
