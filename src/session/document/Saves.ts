/** Notices that a file is saved: a port. It may miss a save, and tell of one that was none: whoever hears it looks. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export class Saves extends Context.Tag("vibe/session/document/Saves")<Saves, Service>() {}

/** By the absolute path of the file, which need not be there. */
export type Service = (path: string) => Stream.Stream<void>

/** Notices nothing. */
export const layerSilent: Layer.Layer<Saves> = Layer.succeed(Saves, () => Stream.never)
