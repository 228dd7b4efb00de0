/** Said where a conversation cannot be kept, and the run goes on without (FAULTS I7). */
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import type { ForestError } from "../forest/ForestError.ts"

export const warn = (error: ConfigError.ConfigError | ForestError): Effect.Effect<void> =>
  Effect.logWarning("the conversation of this run is not kept").pipe(
    Effect.annotateLogs({
      reason: ConfigError.isConfigError(error) ? "there is no folder for it: HOME is not set" : error.message,
    }),
  )
