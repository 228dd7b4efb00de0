/**
 * A session for programs: stdout has one JSON object a line with a `type`; the input is the same as for plain lines.
 *
 * - `titled`, `earlier`, `asked`, `queued`, `dequeued`, `steered`, `answered`, `unkept`, `stopped`, `failed`, `noted`,
 *   `printed` and `choices` are the entries that a user would see (`View.Entry`). `asked` is printed once the message
 *   is stored, at its `node`; a `queued` message is only in memory.
 * - `text`, `thinking`, `restarted`, `retry`, `tool`, `result`, `summarized` and `status` are the progress of an
 *   answer; `status` says what an agent does that answers.
 */

import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { Sink } from "../../agent/TurnEvent.ts"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as View from "../../conversation/View.ts"
import * as Screen from "../terminal/Screen.ts"
import * as LineReader from "./LineReader.ts"

export const layer: Layer.Layer<View.View, never, LineReader.LineReader | Screen.Screen> = Layer.effect(
  View.View,
  Effect.gen(function* () {
    const { out } = yield* Screen.Screen
    const reader = yield* LineReader.LineReader
    const print: Print = (type, fields) => Screen.line(out, sanitizeJson({ type, ...fields }))
    return View.View.of({
      open: ({ history }) =>
        Effect.gen(function* () {
          const { lines } = yield* reader.open(history)
          const inputs = yield* Queue.unbounded<View.Input>()
          yield* Effect.forkScoped(LineReader.readMessages(lines, inputs))
          return {
            isInteractive: false,
            hasMenu: false,
            inputs,
            show: ({ _tag, ...fields }) =>
              print(
                types[_tag],
                _tag === "ExitHint" ? { text: LineReader.exitHint } : _tag === "Cleared" ? { text: "cleared" } : fields,
              ),
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

type Print = (type: string, fields: object) => Effect.Effect<void>

/** The `type` of each entry's JSON object. */
const types: Readonly<Record<View.Entry["_tag"], string>> = {
  Titled: "titled",
  History: "earlier",
  Asked: "asked",
  Queued: "queued",
  Dequeued: "dequeued",
  Steered: "steered",
  Answered: "answered",
  NotPersisted: "unkept",
  Stopped: "stopped",
  Failed: "failed",
  Cleared: "noted",
  ExitHint: "noted",
  Noted: "noted",
  Printed: "printed",
}

const printEvent =
  (print: Print): Sink =>
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
      case "HistorySummarized": {
        const { cost, messages, node, problem, tokens } = event
        return print("summarized", {
          node: node.id,
          messages,
          tokens,
          cost: cost ?? null,
          ...(problem !== undefined && { problem }),
        })
      }
      case "AgentReported":
        return event.isDiagnostic ? Effect.void : print("status", { text: event.text })
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
