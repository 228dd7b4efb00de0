/** Tools that `/tools on` gives to the model: a port, since `app/` chooses them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { SessionFailure } from "./SessionFailure.ts"

export class OfferedTools extends Context.Tag("vibe/session/OfferedTools")<OfferedTools, Service>() {}

/** Opened once, at the first use. */
export type Service = Effect.Effect<ToolRegistry.Service, SessionFailure>
