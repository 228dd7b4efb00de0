import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as Logging from "../../src/base/Logging.ts"

const logged = (effect: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const collecting = Logger.map(Logging.line, (line) => void lines.push(line))
    yield* Effect.provide(effect, Logger.replace(Logger.defaultLogger, collecting))
    return lines
  })

describe("Logging", () => {
  it.effect("logs the level, the message and its annotations on one line", () =>
    Effect.gen(function* () {
      const warning = Effect.logWarning("the index was damaged").pipe(Effect.annotateLogs({ path: "/p", lines: 2 }))
      const [line] = yield* logged(warning)
      assert.match(line ?? "", /^vibe: warn: the index was damaged \((path: \/p, lines: 2|lines: 2, path: \/p)\)$/)
    }),
  )

  it.effect("removes escape sequences", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* logged(Effect.logError("a\x1b[2J\nb")), ["vibe: error: a b"])
    }),
  )
})
