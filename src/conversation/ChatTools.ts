/**
 * The tools of an interview, which read a codebase and write documents. This is a port; the tools are in `toolbox/`.
 */
import * as Context from "effect/Context"
import type { Output } from "../code/Output.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { Tool } from "../tool/Tool.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"

export class ChatTools extends Context.Tag("vibe/conversation/ChatTools")<ChatTools, Service>() {}

/**
 * Makes the tools for the codebase of the interview, and for the folder of its documents. `more` are further tools that
 * read the codebase.
 */
export type Service = (codebase: Workspace, output: Output, more?: ReadonlyArray<Tool>) => ToolRegistry.Service
