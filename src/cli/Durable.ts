/** Whether the forest of this run outlasts it: in one in memory nobody finds a node again. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

export class Kept extends Context.Reference<Kept>()("vibe/cli/Kept", { defaultValue: () => true }) {}

export const layerNot: Layer.Layer<never> = Layer.succeed(Kept, false)
