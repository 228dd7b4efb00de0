/**
 * A conversation for programs: what happens, a JSON object a line on stdout, told by its `type`; what they say, as in
 * plain lines. `titled`, `earlier`, `asked`, `queued`, `steered`, `answered`, `unkept`, `stopped`, `failed`, `noted`, `printed` and `choices`
 * are what a person would be shown (`View.Entry`); `text`, `thinking`, `restarted`, `retry`, `tool` and `result` come
 * while an answer is made. `asked` is printed once the message is stored, under its `node`; a `queued` one is in memory.
 */

import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { TurnObserver } from "../../loom/TurnObserver.ts"
import { printableJson } from "../../message/Printable.ts"
import * as View from "../../session/View.ts"
import * as Screen from "../Screen.ts"
import { listen } from "./listen.ts"
import * as Reader from "./Reader.ts"

export const layer: Layer.Layer<View.View, never, Reader.Reader | Screen.Screen> = Layer.effect(
  View.View,
  Effect.gen(function* () {
    const { out } = yield* Screen.Screen
    const reader = yield* Reader.Reader
    const say = (type: string, facts: object) => Screen.line(out, printableJson({ type, ...facts }))
    return View.View.of({
      open: ({ history }) =>
        Effect.gen(function* () {
          const { lines } = yield* reader.open(history)
          const inputs = yield* Queue.unbounded<View.Input>()
          yield* Effect.forkScoped(listen(lines, inputs))
          return {
            isInteractive: false,
            inputs,
            tell: ({ _tag, ...facts }) => say(_tag.toLowerCase(), facts),
            rest: Effect.void,
            observer: observer(say),
            choose: ({ choices }) => Effect.as(say("choices", { choices }), Option.none()),
            draft: () => Effect.void,
            unsent: Effect.succeed(""),
          }
        }),
    })
  }),
)

const observer = (say: (type: string, facts: object) => Effect.Effect<void>): TurnObserver => ({
  part: (part) =>
    part._tag === "Text" || part._tag === "Thinking" ? say(part._tag.toLowerCase(), { text: part.text }) : Effect.void,
  retry: ({ attempt, delay, error, restarted }) =>
    Effect.zipRight(
      say("retry", { attempt, delayMs: Duration.toMillis(delay), message: error.message }),
      restarted ? say("restarted", {}) : Effect.void,
    ),
  toolStarted: ({ id, name, parameters }) => say("tool", { id, name, arguments: parameters }),
  toolFinished: ({ id }, { filesWritten = [], isError = false, text }) =>
    say("result", { id, text, isError, filesWritten }),
})
