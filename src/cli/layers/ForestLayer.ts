/** The layers of commands on a forest: that of this user, of a file, or in memory. */

import * as fs from "node:fs"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as UserFiles from "../../config/UserFiles.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as Sqlite from "../../forest/ForestStore/Sqlite.ts"
import type * as ForestStore from "../../forest/ForestStore.ts"
import * as Ids from "../../message/Ids.ts"
import * as Input from "../terminal/Input.ts"

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

export interface Options {
  /** The file; by default that of this user. */
  readonly forest: Option.Option<string>
  /** True for a forest in memory, which is gone at the end of the command. */
  readonly ephemeral: boolean
}

const store = (
  { ephemeral, forest }: Options,
  open: typeof Sqlite.layerReadable,
): Layer.Layer<ForestStore.ForestStore, ConfigError.ConfigError | ForestError | UsageError> => {
  if (ephemeral && Option.isSome(forest)) {
    return Layer.fail(new UsageError({ message: "there is either --ephemeral or --forest FILE" }))
  }
  if (ephemeral) return Sqlite.layerMemory
  const file = Option.match(forest, { onNone: () => UserFiles.forestFile, onSome: Effect.succeed })
  return Layer.unwrapEffect(Effect.map(file, open))
}

const layerOf = (storeLayer: ReturnType<typeof store>) =>
  Forest.layer.pipe(Layer.provide(Ids.layer), Layer.provideMerge(Input.layer), Layer.provideMerge(storeLayer))

export const layer = (options: Options) =>
  layerOf(store(options, Sqlite.layerReadable)).pipe(
    Layer.provideMerge(options.ephemeral ? layerTemporary : Layer.empty),
  )

/** Fails if the named file does not exist: to open it would make an empty forest of a mistyped name. */
const requireFile = <A, E>({ ephemeral, forest }: Options, layer: Layer.Layer<A, E>): Layer.Layer<A, E | UsageError> =>
  Layer.unwrapEffect(
    Effect.suspend(() =>
      ephemeral || Option.isNone(forest) || fs.existsSync(forest.value)
        ? Effect.succeed(layer)
        : new UsageError({ message: `there is no forest ${forest.value}` }),
    ),
  )

/** The forest for commands that only read or change existing nodes. A named forest that does not exist is an error. */
export const layerFound = (options: Options) => requireFile(options, layer(options))

/** The layer that opens even a damaged forest, for `vibe loom verify`. */
export const layerUnchecked = (options: Options) => requireFile(options, layerOf(store(options, Sqlite.layerUnchecked)))

/**
 * A forest in memory, with a warning, if the file cannot be opened. It fails instead if the content of the file is
 * needed.
 */
export const layerOrMemory = (options: Options, isNeeded: boolean) =>
  (isNeeded ? layerFound(options) : layer(options)).pipe(
    Layer.catchAll((error) =>
      isNeeded || (!ConfigError.isConfigError(error) && error._tag === "UsageError")
        ? Layer.fail(error)
        : Layer.unwrapEffect(Effect.as(warnNotPersisted(error), layer({ forest: Option.none(), ephemeral: true }))),
    ),
  )
