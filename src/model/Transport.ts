/** The transport of all requests of a run: live, recorded, or replayed from a recording. */
import * as Context from "effect/Context"
import type { ModelId } from "../message/ModelId.ts"
import type * as AgentProgram from "./AgentProgram.ts"

export class Transport extends Context.Reference<Transport>()("vibe/model/Transport", {
  defaultValue: (): Service => ({ fetch: () => undefined, agent: (agent) => agent, replayed: undefined }),
}) {}

export interface Service {
  /** Replaces the global `fetch` for requests to a model. */
  readonly fetch: (model: ModelId) => typeof fetch | undefined
  /** Wraps an agent that is a program. */
  readonly agent: (agent: AgentProgram.Service) => AgentProgram.Service
  /** Present in a replay. Nothing is sent, so no key is needed. */
  readonly replayed: Replay | undefined
}

export interface Replay {
  /** The model of the first request, if the recording has it. */
  readonly model: ModelId | undefined
}
