/** The layer of `vibe show --why`: the conversations of this user. Loaded with that option only. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import * as PurposeExchange from "./PurposeExchange.ts"
import { PurposeExchanges } from "./PurposeExchanges.ts"

/** Needs the forest of which it tells. */
export const layerOf: Layer.Layer<PurposeExchanges, never, Forest.Forest> = Layer.effect(
  PurposeExchanges,
  Effect.map(Forest.Forest, (forest) => {
    const withForest = Effect.provideService(Forest.Forest, forest)
    return Option.some({
      toJson: (entry) => withForest(PurposeExchange.toJson(entry)),
      toText: (entry, format) => withForest(PurposeExchange.toText(entry, format)),
    })
  }),
)

export const layer = Layer.provide(layerOf, ForestLayer.layer({ forest: Option.none(), ephemeral: false }))
