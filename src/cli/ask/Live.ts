/** Prints an answer while it is written, on a terminal. */
import * as Effect from "effect/Effect"
import type { TurnObserver } from "../../loom/TurnObserver.ts"
import { incompleteAt, sanitize } from "../../message/Sanitize.ts"
import type * as Screen from "../terminal/Screen.ts"

export interface Live {
  readonly observer: TurnObserver
  /** Prints what is not printed yet of the whole answer, to the end of a line. */
  readonly end: (answer: string) => Effect.Effect<void>
}

/** What is said besides, by `notices`, stands on lines of its own; an answer that is begun anew begins a line. */
export const make = (out: Screen.Stream, notices: TurnObserver): Live => {
  let spoken = false
  let isMidLine = false
  /** What may be half of an escape sequence. */
  let held = ""

  const print = (text: string) =>
    Effect.suspend(() => {
      const safe = sanitize(text)
      if (safe === "") return Effect.void
      spoken = true
      isMidLine = !safe.endsWith("\n")
      return out.write(safe)
    })

  const say = (text: string) =>
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
      part: (part) => (part._tag === "Text" ? say(part.text) : Effect.void),
      retry: onNewLine(notices.retry),
      replaced: onNewLine(notices.replaced),
      compacted: onNewLine(notices.compacted),
      toolStarted: onNewLine(notices.toolStarted),
    },
    end: (answer) =>
      Effect.zipRight(
        Effect.suspend(() => (spoken ? Effect.void : print(answer))),
        endLine,
      ),
  }
}
