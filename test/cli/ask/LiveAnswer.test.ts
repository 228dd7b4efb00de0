import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, FastCheck, Ref } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import { sanitize } from "../../../src/base/Sanitize.ts"
import * as LiveAnswer from "../../../src/cli/ask/LiveAnswer.ts"
import * as TurnNotices from "../../../src/cli/conversation/TurnNotices.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import { ModelError, Overloaded } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"

const error = new ModelError({ model: "test/model", reason: new Overloaded({ message: "busy" }) })

/** A retry, and the line that is printed after it. */
const again = { attempt: 1, delay: Duration.seconds(2), error, restarted: true }

type Step = string | typeof again

/** All that a terminal is shown of an answer that comes in pieces, on both streams as they come. */
const shown = (pieces: ReadonlyArray<Step>, answer: string) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    yield* Effect.gen(function* () {
      const { err, out } = yield* Screen.Screen
      const { end, onEvent } = LiveAnswer.make(out, TurnNotices.print(err))
      yield* Effect.forEach(pieces, (piece) =>
        typeof piece === "string"
          ? onEvent(TurnEvent.PartReceived({ part: Part.Text({ text: piece }) }))
          : onEvent(TurnEvent.RetryScheduled(piece)),
      )
      yield* end(answer)
    }).pipe(Effect.provide(Screen.layerMemory(written, { isTerminal: true })))
    return (yield* Ref.get(written)).map(({ text }) => text).join("")
  })

describe("LiveAnswer", () => {
  it.effect("prints the pieces of an answer as they come, and ends its line", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* shown(["Hel", "lo."], "Hello."), "Hello.\n")
      assert.strictEqual(yield* shown(["Hello.\n"], "Hello.\n"), "Hello.\n")
    }),
  )

  it.effect("prints an answer that came without pieces, and nothing for none", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* shown([], "Hello."), "Hello.\n")
      assert.strictEqual(yield* shown([], ""), "")
    }),
  )

  it.effect("starts a repeated answer on a new line, after the reason", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* shown(["Once up", again, "Once upon a time."], "Once upon a time."),
        "Once up\nretry 1 in 2s: test/model: busy\nOnce upon a time.\n",
      )
    }),
  )

  it.effect("prints what can be seen of a hostile answer, wherever it is cut", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.array(hostile), (pieces) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const whole = sanitize(pieces.join(""))
              const end = whole === "" || whole.endsWith("\n") ? "" : "\n"
              assert.strictEqual(yield* shown(pieces, ""), whole + end)
            }),
          ),
        ),
      ),
    ),
  )
})

/** Sequences that control terminals, in parts that only work together. */
const hostile = FastCheck.oneof(
  FastCheck.constantFrom("\u001b", "\u001b[", "\u001b]", "\u001bP", "\\", "\u0007", "\u009b", "\u009d", "\u009c", "\n"),
  FastCheck.constantFrom("\ud83d", "\ude00", "\u200b", "[31m", "]52;c;", "0", "m", "words "),
)
