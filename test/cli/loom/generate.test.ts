import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Ref } from "effect"
import { nothingWritten, type Run, session, talk } from "./session.ts"

describe("vibe loom generate", () => {
  it.effect("prints a single answer on a terminal while it is written, and its id below it", () =>
    Effect.gen(function* () {
      const written = yield* nothingWritten
      const writes = Effect.map(Ref.get(written), (all) => all.map(({ text, to }) => [to, text]))
      const use = (run: Run) =>
        Effect.gen(function* () {
          yield* run("append", "--system", "Be kind", "Hello")
          yield* run("generate", "@", "--model", "test/x")
          assert.deepStrictEqual(yield* writes, [
            ["out", "Roses are red."],
            ["out", "\n"],
            ["err", "n-2 (scripted/test)\n"],
          ])
          yield* run("generate", "@^", "--model", "test/x", "-n", "2")
          assert.deepStrictEqual((yield* writes).slice(0, 2), [
            ["err", "n-3 (scripted/test)\n"],
            ["out", "Roses are red.\n"],
          ])
        })
      yield* session(use, Option.none(), undefined, { columns: 80, written })
    }),
  )

  it.effect("uses the options of the command line, and the settings otherwise", () =>
    talk((run) =>
      Effect.gen(function* () {
        const ask = (...options: ReadonlyArray<string>) =>
          Effect.map(run("generate", "@", "--model", "test/asked", ...options), ({ out }) => out.trim())
        const set = ConfigProvider.fromMap(
          new Map([
            ["VIBE_TEMPERATURE", "0.7"],
            ["VIBE_MAX_TOKENS", "200"],
          ]),
        )
        assert.strictEqual(yield* ask(), "temperature undefined, at most undefined")
        assert.strictEqual(yield* Effect.withConfigProvider(ask(), set), "temperature 0.7, at most 200")
        const typed = ask("--temperature", "0.2", "--max-tokens", "9000")
        // The model is unknown, and the messages take some of its window.
        assert.match(yield* Effect.withConfigProvider(typed, set), /^temperature 0.2, at most 81\d\d$/)
      }),
    ),
  )
})
