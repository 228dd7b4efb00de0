/**
 * What the requests of all models of a run go through: the network and programs as they are, a recorder before them, or
 * a recording.
 */
import * as Context from "effect/Context"
import type { ModelId } from "../message/ModelId.ts"
import type * as Agent from "./Agent.ts"

export class Transport extends Context.Reference<Transport>()("vibe/model/Transport", {
  defaultValue: (): Service => ({ fetch: () => undefined, agent: (agent) => agent, replayed: undefined }),
}) {}

export interface Service {
  /** In place of the global one, for the requests of a model. */
  readonly fetch: (model: ModelId) => typeof fetch | undefined
  /** In place of an agent that is a program. */
  readonly agent: (agent: Agent.Service) => Agent.Service
  /** Where nothing is sent, so that no key is needed. */
  readonly replayed: Replay | undefined
}

export interface Replay {
  /** That was asked first, where the recording tells. */
  readonly model: ModelId | undefined
}
