/**
 * A port that emits when a file may have been saved. It may miss a save or emit without one, so consumers read the
 * file.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export class Saves extends Context.Tag("vibe/conversation/document/Saves")<Saves, Service>() {}

/** Takes the absolute path of the file, which need not exist. */
export type Service = (path: string) => Stream.Stream<void>

/** A layer that notices nothing. */
export const layerSilent: Layer.Layer<Saves> = Layer.succeed(Saves, () => Stream.never)
