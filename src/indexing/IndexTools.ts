/** The tools that `vibe index` offers a model. `toolbox/` has them; `app/` brings the two together. */
import * as Context from "effect/Context"
import type { Workspace } from "../code/Workspace.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Index } from "./IndexStore.ts"

export class IndexTools extends Context.Tag("vibe/indexing/IndexTools")<IndexTools, Service>() {}

/** Over what is open in this run. */
export type Service = (workspace: Workspace, index: Index) => ToolRegistry.Service
