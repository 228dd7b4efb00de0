/** The tools of a discovery interview: they read a codebase, and write what came of it. `toolbox/` has them. */
import * as Context from "effect/Context"
import type { Output } from "../code/Output.ts"
import type { Workspace } from "../code/Workspace.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"

export class ChatTools extends Context.Tag("vibe/chat/ChatTools")<ChatTools, Service>() {}

/** Over the codebase that is talked about, and the folder that is written in. */
export type Service = (codebase: Workspace, output: Output) => ToolRegistry.Service
