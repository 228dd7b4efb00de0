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
import type { Sink } from "../../loom/TurnEvent.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import * as View from "../../session/View.ts"
import * as Screen from "../terminal/Screen.ts"
import { exitHint } from "./exitHint.ts"
import * as Reader from "./Reader.ts"
import { readMessages } from "./readMessages.ts"

export const layer: Layer.Layer<View.View, never, Reader.Reader | Screen.Screen> = Layer.effect(
  View.View,
  Effect.gen(function* () {
    const { out } = yield* Screen.Screen
    const reader = yield* Reader.Reader
    const print = (type: string, facts: object) => Screen.line(out, sanitizeJson({ type, ...facts }))
    return View.View.of({
      open: ({ history }) =>
        Effect.gen(function* () {
          const { lines } = yield* reader.open(history)
          const inputs = yield* Queue.unbounded<View.Input>()
          yield* Effect.forkScoped(readMessages(lines, inputs))
          return {
            isInteractive: false,
            inputs,
            show: ({ _tag, ...facts }) => print(types[_tag], _tag === "ExitHint" ? { text: exitHint } : facts),
            promptUser: Effect.void,
            onEvent: printEvent(print),
            choose: ({ choices }) => Effect.as(print("choices", { choices }), Option.none()),
            setDraft: () => Effect.void,
            draft: Effect.succeed(""),
          }
        }),
    })
  }),
)

/** The `type` of each entry's JSON object. */
const types: Readonly<Record<View.Entry["_tag"], string>> = {
  Titled: "titled",
  History: "earlier",
  Asked: "asked",
  Queued: "queued",
  Steered: "steered",
  Answered: "answered",
  NotPersisted: "unkept",
  Stopped: "stopped",
  Failed: "failed",
  ExitHint: "noted",
  Noted: "noted",
  Printed: "printed",
}

const printEvent =
  (print: (type: string, facts: object) => Effect.Effect<void>): Sink =>
  (event) => {
    switch (event._tag) {
      case "PartReceived": {
        const { part } = event
        return part._tag === "Text" || part._tag === "Thinking"
          ? print(part._tag.toLowerCase(), { text: part.text })
          : Effect.void
      }
      case "RetryScheduled": {
        const { attempt, delay, error, restarted } = event
        return Effect.zipRight(
          print("retry", { attempt, delayMs: Duration.toMillis(delay), message: error.message }),
          restarted ? print("restarted", {}) : Effect.void,
        )
      }
      case "ToolStarted": {
        const { id, name, parameters } = event.call
        return print("tool", { id, name, arguments: parameters })
      }
      case "ToolFinished": {
        const { filesWritten = [], isError = false, text } = event.result
        return print("result", { id: event.call.id, text, isError, filesWritten })
      }
      default:
        return Effect.void
    }
  }
