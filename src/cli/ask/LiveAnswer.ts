/** Prints an answer while it is written, on a terminal. */
import * as Effect from "effect/Effect"
import type { TurnObserver } from "../../loom/TurnObserver.ts"
import { incompleteAt, sanitize } from "../../message/Sanitize.ts"
import type * as Screen from "../terminal/Screen.ts"

export interface LiveAnswer {
  readonly observer: TurnObserver
  /** Prints the rest of the answer, and ends the line. */
  readonly end: (answer: string) => Effect.Effect<void>
}

/** Each notice gets a line of its own, and so does an answer that starts again. */
export const make = (out: Screen.Stream, notices: TurnObserver): LiveAnswer => {
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

  const onNewLine =
    <A extends ReadonlyArray<unknown>>(tell: ((...about: A) => Effect.Effect<void>) | undefined) =>
    (...about: A) =>
      Effect.zipRight(endLine, tell?.(...about) ?? Effect.void)

  return {
    observer: {
      part: (part) => (part._tag === "Text" ? append(part.text) : Effect.void),
      retry: onNewLine(notices.retry),
      replaced: onNewLine(notices.replaced),
      compacted: onNewLine(notices.compacted),
      toolStarted: onNewLine(notices.toolStarted),
    },
    end: (answer) =>
      Effect.zipRight(
        Effect.suspend(() => (hasPrinted ? Effect.void : print(answer))),
        endLine,
      ),
  }
}
