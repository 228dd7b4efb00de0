/** The user's configuration of an agent: a new one, or changes to a known one. */
import type * as Duration from "effect/Duration"
import type { Format } from "./AgentPrompt.ts"

export interface AgentEntry {
  /** The program: a name on PATH, or an absolute path. */
  readonly command?: string | undefined
  readonly args?: ReadonlyArray<string> | undefined
  readonly format?: Format | undefined
  /** The time limit of an answer. Zero means no limit. */
  readonly timeout?: Duration.Duration | undefined
  /** Environment variables that the program receives although they look like secrets. */
  readonly env?: ReadonlyArray<string> | undefined
}
