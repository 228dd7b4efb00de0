/** Notices saves on this machine by watching the folder, because editors replace the old file with a new one. */
import { watch } from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Saves } from "../Saves.ts"

/** If a folder cannot be watched, nothing is noticed. */
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
