/** Prints an answer while it is written, on a terminal. */
import * as Effect from "effect/Effect"
import type { Sink } from "../../agent/TurnEvent.ts"
import { incompleteAt, sanitize } from "../../base/Sanitize.ts"
import * as TurnNotices from "../conversation/TurnNotices.ts"
import type * as Screen from "../terminal/Screen.ts"

export interface LiveAnswer {
  readonly onEvent: Sink
  /** Prints the rest of the answer, and ends the line. */
  readonly end: (answer: string) => Effect.Effect<void>
}

/** Ends the line before each event that `notices` may print; an answer that starts again begins a line. */
export const make = (out: Screen.Stream, notices: Sink): LiveAnswer => {
  let hasPrinted = false
  let isMidLine = false
  /** The end of the text so far, if it may be half of an escape sequence. */
  let held = ""

  const print = (text: string) =>
    Effect.suspend(() => {
      const safe = sanitize(text)
      if (safe === "") return Effect.void
      hasPrinted = true
      isMidLine = !safe.endsWith("\n")
      return out.write(safe)
    })

  const append = (text: string) =>
    Effect.suspend(() => {
      const whole = held + text
      const length = incompleteAt(whole)
      held = whole.slice(length)
      return print(whole.slice(0, length))
    })

  const endLine = Effect.suspend(() => {
    const rest = held
    held = ""
    return Effect.zipRight(
      print(rest),
      Effect.suspend(() => (isMidLine ? print("\n") : Effect.void)),
    )
  })

  return {
    onEvent: (event) => {
      switch (event._tag) {
        case "PartReceived":
          return event.part._tag === "Text" ? append(event.part.text) : Effect.void
        case "RetryScheduled":
        case "ModelReplaced":
        case "HistoryCompacted":
        case "SummaryRequested":
        case "HistorySummarized":
        case "ToolStarted":
        case "ToolFinished":
          return Effect.zipRight(endLine, notices(event))
        case "ReplyReceived":
          return TurnNotices.lineOf(event) === undefined ? Effect.void : Effect.zipRight(endLine, notices(event))
        case "AgentReported":
          return event.isDiagnostic ? Effect.void : Effect.zipRight(endLine, notices(event))
        default:
          return Effect.void
      }
    },
    end: (answer) =>
      Effect.zipRight(
        Effect.suspend(() => (hasPrinted ? Effect.void : print(answer))),
        endLine,
      ),
  }
}
