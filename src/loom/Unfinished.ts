/** The words of a reply that is on its way. */
import * as Effect from "effect/Effect"
import type { TurnObserver } from "./TurnObserver.ts"

export interface Unfinished {
  /** Hears what the other hears, and lets it. */
  readonly observer: TurnObserver
  /** To be called before each request: what was heard belongs to the one before. */
  readonly begin: () => void
  /** Thoughts, pictures and calls are no part of it. */
  readonly text: () => string
}

export const make = (observer: TurnObserver): Unfinished => {
  let text = ""
  const begin = () => {
    text = ""
  }
  return {
    begin,
    text: () => text,
    observer: {
      ...observer,
      part: (part) =>
        Effect.suspend(() => {
          if (part._tag === "Text") text += part.text
          return observer.part?.(part) ?? Effect.void
        }),
      retry: (retry) =>
        Effect.suspend(() => {
          if (retry.restarted) begin()
          return observer.retry?.(retry) ?? Effect.void
        }),
      compacted: (leftOut, error) =>
        Effect.suspend(() => {
          begin()
          return observer.compacted?.(leftOut, error) ?? Effect.void
        }),
    },
  }
}
