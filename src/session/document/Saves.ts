/** Emits when a file may have been saved: a port. It may miss a save or emit without one, so consumers read the file. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export class Saves extends Context.Tag("vibe/session/document/Saves")<Saves, Service>() {}

/** By the absolute path of the file, which need not be there. */
export type Service = (path: string) => Stream.Stream<void>

/** Notices nothing. */
export const layerSilent: Layer.Layer<Saves> = Layer.succeed(Saves, () => Stream.never)
