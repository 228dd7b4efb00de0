/** The tools of an exploration. A port: `toolbox/IndexTools` implements it, and `app/` chooses it. */
import * as Context from "effect/Context"
import type { Workspace } from "../code/Workspace.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Index } from "./IndexStore.ts"

export class IndexTools extends Context.Tag("vibe/indexing/IndexTools")<IndexTools, Service>() {}

/** The tools for a workspace and its index. */
export type Service = (workspace: Workspace, index: Index) => ToolRegistry.Service
