/** Read-only tools that a conversation gives to the model: a port, since `app/` chooses them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Tool } from "../tool/Tool.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { SessionFailure } from "./SessionFailure.ts"

export class OfferedTools extends Context.Tag("vibe/session/OfferedTools")<OfferedTools, Service>() {}

/** Opens the tools of a folder. By default of the nearest folder with an index, from the current one upwards. */
export type Service = (folder?: string) => Effect.Effect<Offered, SessionFailure>

export interface Offered {
  /** All of them, for a conversation that has no others. */
  readonly tools: ToolRegistry.Service
  /** Finds code by meaning; for a conversation that has tools of its own for files. */
  readonly findSymbols: Tool
  /** Says what is in the folder. */
  readonly project: string
  /**
   * The same, and what all the tools are for: the system prompt where the user has given none. `served`: what the names
   * of tools of tool servers begin with, where there are some.
   */
  readonly prompt: (served: ReadonlyArray<string>) => string
}
