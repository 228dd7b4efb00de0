/** What a user says of an agent that is a program: a new one, or what differs from what is known of it. */
import type * as Duration from "effect/Duration"
import type { Format } from "./AgentPrompt.ts"

export interface AgentEntry {
  /** A name that PATH knows, or an absolute path. */
  readonly command?: string | undefined
  readonly args?: ReadonlyArray<string> | undefined
  readonly format?: Format | undefined
  /** Zero for none. */
  readonly timeout?: Duration.Duration | undefined
  /** Names of variables that it is given though they look like secrets. */
  readonly env?: ReadonlyArray<string> | undefined
}
