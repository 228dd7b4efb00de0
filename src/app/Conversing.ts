/** What `vibe loom` runs on: the forest of this user, one that is named, or one that is gone at the end. */
import * as fs from "node:fs"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Durable from "../cli/Durable.ts"
import * as StdinOfThisProcess from "../cli/Stdin/Node.ts"
import * as Unkept from "../cli/Unkept.ts"
import * as UserFiles from "../config/UserFiles.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as Sqlite from "../forest/ForestStore/Sqlite.ts"
import type * as ForestStore from "../forest/ForestStore.ts"
import * as Ids from "../message/Ids.ts"
import { UsageError } from "../message/UsageError.ts"

export interface Options {
  readonly forest: Option.Option<string>
  readonly ephemeral: boolean
}

const stored = (
  { ephemeral, forest }: Options,
  opened: typeof Sqlite.layerReadable,
): Layer.Layer<ForestStore.ForestStore, ConfigError.ConfigError | ForestError | UsageError> => {
  if (ephemeral && Option.isSome(forest)) {
    return Layer.fail(new UsageError({ message: "there is either --ephemeral or --forest FILE" }))
  }
  if (ephemeral) return Sqlite.layerMemory
  const file = Option.match(forest, { onNone: () => UserFiles.forestFile, onSome: Effect.succeed })
  return Layer.unwrapEffect(Effect.map(file, opened))
}

const layerOf = (store: ReturnType<typeof stored>) =>
  Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layer), Layer.merge(StdinOfThisProcess.layer))

export const layer = (options: Options) =>
  Layer.merge(layerOf(stored(options, Sqlite.layerReadable)), options.ephemeral ? Durable.layerNot : Layer.empty)

/** Without this, reading would make an empty forest of a name that was mistyped. */
const found = <A, E>({ ephemeral, forest }: Options, layer: Layer.Layer<A, E>): Layer.Layer<A, E | UsageError> =>
  Layer.unwrapEffect(
    Effect.suspend(() =>
      ephemeral || Option.isNone(forest) || fs.existsSync(forest.value)
        ? Effect.succeed(layer)
        : new UsageError({ message: `there is no forest ${forest.value}` }),
    ),
  )

/** The same, for whoever only goes on with what is there: a forest that is named and is not there is a mistake. */
export const layerFound = (options: Options) => found(options, layer(options))

/** The same, though the forest be damaged: for who looks at what is wrong with it. */
export const layerUnchecked = (options: Options) => found(options, layerOf(stored(options, Sqlite.layerUnchecked)))

/** The same, but a forest that cannot be opened gives way to one in memory, unless it is needed for what it holds. */
export const layerIfKept = (options: Options, isNeeded: boolean) =>
  (isNeeded ? layerFound(options) : layer(options)).pipe(
    Layer.catchAll((error) =>
      isNeeded || (!ConfigError.isConfigError(error) && error._tag === "UsageError")
        ? Layer.fail(error)
        : Layer.unwrapEffect(Effect.as(Unkept.warn(error), layer({ forest: Option.none(), ephemeral: true }))),
    ),
  )
