/** The tools of an exploration. A port: `toolbox/IndexTools` implements it, and `app/` chooses it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../index/IndexStore.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Batch } from "./Batch.ts"

export class ExplorationTools extends Context.Tag("vibe/explore/ExplorationTools")<ExplorationTools, Service>() {}

/**
 * Returns the tools for a workspace and its index. With a batch, the only tool of this program is the one that records,
 * and symbols can be named by their numbers. Names, descriptions and schemas are the same for all batches, so that
 * providers can cache them. `onRefused` receives the purposes that are not recorded although their symbols exist.
 */
export type Service = (workspace: Workspace, index: Index, batch?: Batch, onRefused?: OnRefused) => ToolRegistry.Service

export type OnRefused = (purposes: ReadonlyArray<RefusedPurpose>) => Effect.Effect<void>

/** A purpose that a model has written for a symbol, and why it is not recorded. */
export interface RefusedPurpose {
  readonly path: string
  /** The qualified name of the symbol. */
  readonly symbol: string
  readonly purpose: string
  readonly reason: string
}

/** The name of the tool that records purposes. A model answers a batch with it. */
export const RECORDING = "create_index_entry"
