/** What the requests of all models of a run go through: the network as it is, a recorder before it, or a recording. */
import * as Context from "effect/Context"

export class Tape extends Context.Reference<Tape>()("vibe/model/Tape", {
  defaultValue: (): Service => ({ fetch: undefined, isReplayed: false }),
}) {}

export interface Service {
  /** In place of the global one. */
  readonly fetch: typeof fetch | undefined
  /** Whether nothing is sent, so that no key is needed. */
  readonly isReplayed: boolean
}
