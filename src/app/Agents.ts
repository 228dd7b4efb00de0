/** The programs that answer as models do: those we know, and those that the user has configured. */
import * as Effect from "effect/Effect"
import * as AppConfig from "../config/AppConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Agent from "../model/Agent.ts"
import { ModelError } from "../model/ModelError.ts"
import type * as Transport from "../model/Transport.ts"
import * as CliAgent from "../provider/agents/CliAgent.ts"
import { inherited } from "./inherited.ts"

/**
 * Fails with `Misconfigured` where there is no such agent, and with `ModelNotFound` where it is not installed, though
 * a recording needs no program.
 */
export const open = Effect.fnUntraced(function* (id: ModelId, tape: Transport.Service) {
  const entries = Object.fromEntries(yield* AppConfig.agents)
  const program = yield* Effect.mapError(
    CliAgent.open(id.name, entries, inherited()),
    (reason) => new ModelError({ model: String(id), reason }),
  )
  const agent = tape.agent(program)
  yield* agent.ready
  return Agent.toModel(agent)
})
