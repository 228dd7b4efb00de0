/**
 * Searches with vectors if an index has them and the user has set a model for them; otherwise leaves searches as they
 * are.
 */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileIn } from "../../embedding/fileIn.ts"
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
  const searching = (root: string, index: IndexStore.Index): IndexStore.Index => ({
    ...index,
    search: (text, options) =>
      fs.existsSync(fileIn(root))
        ? Effect.flatMap(load, (findSimilar) => findSimilar(root, text)).pipe(
            Effect.flatMap((similar) => index.search(text, { ...options, similar })),
          )
        : index.search(text, options),
  })
  return {
    ...store,
    open: (workspace) => Effect.map(store.open(workspace), (index) => searching(workspace.root, index)),
    openExisting: (workspace, options) =>
      Effect.map(store.openExisting(workspace, options), (existing) => ({
        ...existing,
        index: searching(workspace.root, existing.index),
      })),
  }
}
