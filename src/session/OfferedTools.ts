/** Tools that a model can be given in a chat: a port, since `app/` chooses them. They look around, and change nothing. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { SessionFailure } from "./SessionFailure.ts"

export class OfferedTools extends Context.Tag("vibe/session/OfferedTools")<OfferedTools, Service>() {}

/** Opened when it is asked for, and once. */
export type Service = Effect.Effect<ToolRegistry.Service, SessionFailure>
