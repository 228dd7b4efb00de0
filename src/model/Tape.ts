/**
 * What the requests of all models of a run go through: the network and programs as they are, a recorder before them, or
 * a recording.
 */
import * as Context from "effect/Context"
import type * as Agent from "./Agent.ts"

export class Tape extends Context.Reference<Tape>()("vibe/model/Tape", {
  defaultValue: (): Service => ({ fetch: undefined, agent: (agent) => agent, isReplayed: false }),
}) {}

export interface Service {
  /** In place of the global one. */
  readonly fetch: typeof fetch | undefined
  /** In place of an agent that is a program. */
  readonly agent: (agent: Agent.Service) => Agent.Service
  /** Whether nothing is sent, so that no key is needed. */
  readonly isReplayed: boolean
}
