/**
 * An outliner that outlines no text twice. The index asks for the outline of a changed file first, and then the review
 * does.
 */
import * as Effect from "effect/Effect"
import type { Outline, Service } from "../code/Symbols.ts"

/** The most characters that are kept. A first index of a whole repository could otherwise keep all its texts. */
const MAX_CHARS = 8_000_000

/** `most`: the most characters of all texts that are remembered. */
export const make = (symbols: Service, most = MAX_CHARS): Service => {
  const known = new Map<string, { readonly text: string; readonly outline: Outline }>()
  let left = most
  const remember = (path: string, text: string, outline: Outline) => {
    if (known.has(path) || text.length > left) return
    left -= text.length
    known.set(path, { text, outline })
  }
  return {
    outline: (path, text) =>
      Effect.suspend(() => {
        const found = known.get(path)
        return found?.text === text
          ? Effect.succeed(found.outline)
          : Effect.tap(symbols.outline(path, text), (outline) => Effect.sync(() => remember(path, text, outline)))
      }),
  }
}
