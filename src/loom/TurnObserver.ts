/** Hears what goes on inside a run between its events: words, retries, tools at work. Nothing depends on it. */
import type * as Effect from "effect/Effect"
import type * as Block from "../message/Block.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { ToolResult } from "../tool/ToolResult.ts"

export interface TurnObserver extends LanguageModel.Observer {
  readonly toolStarted?: ((call: Block.ToolUse) => Effect.Effect<void>) | undefined
  /** The path was too long for the model: it is asked again with so many tool results left out. */
  readonly compacted?: ((leftOut: number, error: ModelError) => Effect.Effect<void>) | undefined
  readonly toolFinished?: ((call: Block.ToolUse, result: ToolResult) => Effect.Effect<void>) | undefined
}
