/** Whether the forest of this run outlasts it: in one in memory nobody finds a node again. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

export class Durable extends Context.Reference<Durable>()("vibe/cli/Durable", { defaultValue: () => true }) {}

export const layerNot: Layer.Layer<never> = Layer.succeed(Durable, false)
