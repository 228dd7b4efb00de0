/**
 * Emits when a file may have been saved. It may miss a save or emit without one, so consumers read the file.
 */
import { watch } from "node:fs"
import * as path from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export class Saves extends Context.Tag("vibe/conversation/document/Saves")<Saves, Service>() {}

/** Takes the absolute path of the file, which need not exist. */
export type Service = (path: string) => Stream.Stream<void>

/** A layer that notices nothing. */
export const layerSilent: Layer.Layer<Saves> = Layer.succeed(Saves, () => Stream.never)

/**
 * Notices saves on this machine by watching the folder, because editors replace the old file with a new one. If a
 * folder cannot be watched, nothing is noticed.
 */
export const layer: Layer.Layer<Saves> = Layer.succeed(Saves, (file) =>
  Stream.asyncPush<void>((emit) =>
    Effect.acquireRelease(
      Effect.option(
        Effect.try(() =>
          watch(path.dirname(file), { persistent: false }, (_, name) => {
            if (name === null || name === path.basename(file)) emit.single(undefined)
          }).on("error", () => {}),
        ),
      ),
      (watcher) => Effect.map(watcher, (watcher) => watcher.close()).pipe(Effect.ignore),
    ),
  ),
)
