/**
 * Read-only tools that a conversation gives to the model, and the note about agents, which get none. This is a
 * port, since `app/` chooses them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ModelId } from "../message/ModelId.ts"
import type { Tool } from "../tool/Tool.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { SessionFailure } from "./SessionFailure.ts"

export class OfferedTools extends Context.Tag("vibe/conversation/OfferedTools")<OfferedTools, Service>() {}

/** Opens the tools of a folder. By default it is the nearest folder with an index, from the current one upwards. */
export type Service = (folder?: string) => Effect.Effect<Offered, SessionFailure>

export interface Offered {
  /** All of the tools, for a conversation that has no others. */
  readonly tools: ToolRegistry.Service
  /** Finds code by meaning. It is for a conversation that has its own tools for files. */
  readonly findSymbols: Tool
  /** Says what is in the folder. */
  readonly project: string
  /**
   * Says the same, and what all the tools are for. It is the system prompt if the user has given none. `served` lists
   * the prefixes of the names of tools from tool servers.
   */
  readonly prompt: (served: ReadonlyArray<string>) => string
}

/** Returns true if a program answers: models of the provider `cli` are agents. */
export const isAgent = ({ provider }: ModelId): boolean => provider === "cli"

/** Returns one line for the beginning of a conversation. */
export const cannotUseTools = ({ name }: ModelId): string =>
  `${name} is a program of its own and gets no tools of vibe: name files for it with @`
