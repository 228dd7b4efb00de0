/** The tools of an exploration. A port: `toolbox/IndexTools` implements it, and `app/` chooses it. */
import * as Context from "effect/Context"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../index/IndexStore.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Batch } from "./Batch.ts"

export class ExplorationTools extends Context.Tag("vibe/explore/ExplorationTools")<ExplorationTools, Service>() {}

/**
 * Returns the tools for a workspace and its index. With a batch, the only tool of this program is the one that records,
 * and symbols can be named by their numbers. Names, descriptions and schemas are the same for all batches, so that
 * providers can cache them.
 */
export type Service = (workspace: Workspace, index: Index, batch?: Batch) => ToolRegistry.Service

/** The name of the tool that records purposes. A model answers a batch with it. */
export const RECORDING = "create_index_entry"
