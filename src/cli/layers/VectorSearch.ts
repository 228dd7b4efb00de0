/**
 * Searches with vectors if an index has them and the user has set a model for them; otherwise leaves searches as they
 * are.
 */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileIn } from "../../embedding/fileIn.ts"
import { decorateStore } from "../../index/decorate.ts"
import * as IndexStore from "../../index/IndexStore.ts"
import type { FindSimilar } from "./findSimilar.ts"

/** The store with such searches. Without vectors it looks for their file before a search, and loads nothing. */
export const layer = <E, R>(
  store: Layer.Layer<IndexStore.IndexStore, E, R>,
): Layer.Layer<IndexStore.IndexStore, E, R> =>
  Layer.provide(Layer.effect(IndexStore.IndexStore, Effect.map(IndexStore.IndexStore, withSimilar)), store)

const withSimilar = (store: IndexStore.Service): IndexStore.Service => {
  let loading: Promise<FindSimilar> | undefined
  const load = Effect.promise(() => (loading ??= import("./findSimilar.ts").then(({ make }) => make())))
  return decorateStore(store, ({ root }) => ({
    searchOptions: (text, options) =>
      Effect.suspend(() =>
        fs.existsSync(fileIn(root))
          ? Effect.map(
              Effect.flatMap(load, (findSimilar) => findSimilar(root, text)),
              (similar) => ({ ...options, similar }),
            )
          : Effect.succeed(options),
      ),
  }))
}
