/** The flag that says if the conversation of this run is stored, and the warning if it cannot be. */
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ForestError } from "../../forest/ForestError.ts"

/** True if the forest outlives the run. It is false for one in memory, since its node ids are useless afterwards. */
export class IsPersistent extends Context.Reference<IsPersistent>()("vibe/cli/IsPersistent", {
  defaultValue: () => true,
}) {}

/** The layer for a forest in memory. */
export const layerTemporary: Layer.Layer<never> = Layer.succeed(IsPersistent, false)

/** Logs that the run goes on without storing its conversation, and why. */
export const warnNotPersisted = (error: ConfigError.ConfigError | ForestError): Effect.Effect<void> =>
  Effect.logWarning("the conversation of this run is not kept").pipe(
    Effect.annotateLogs({
      reason: ConfigError.isConfigError(error) ? "there is no folder for it: HOME is not set" : error.message,
    }),
  )
