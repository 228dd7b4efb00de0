/**
 * The pages of a wiki, as far as a lookup needs them. The room `wiki` makes them; a project without a wiki has none. A
 * wiki that cannot be read answers nothing, since the index is good without it.
 */
import type * as Effect from "effect/Effect"

export interface Pages {
  /**
   * The page about a folder, as lines: the start page for `.`, and otherwise that of the part with most of its files.
   * Undefined if no page is about it.
   */
  readonly ofFolder: (folder: string, tokens: number) => Effect.Effect<ReadonlyArray<string> | undefined>
  /** A line that names the page for a question about how something works as a whole; undefined for any other question. */
  readonly forQuestion: (question: string) => Effect.Effect<string | undefined>
}
