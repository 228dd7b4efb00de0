/**
 * A port for a search of the web. vibe has no search engine of its own; a command that the user configures, or a
 * program that embeds vibe, provides one.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failed } from "../tool/ToolError.ts"

export class WebSearch extends Context.Tag("vibe/conversation/WebSearch")<WebSearch, Service>() {}

/** Finds pages, the best hit first. Fails with a message for the model (`Tool.fail`). */
export type Service = (query: string) => Effect.Effect<ReadonlyArray<Hit>, Failed>

export interface Hit {
  readonly title: string
  readonly url: string
  /** A few words of the page. */
  readonly snippet: string
}
