/** How vibe runs on this machine: what an entry of an agent needs to start it again. */
import * as Context from "effect/Context"

export class Machine extends Context.Tag("vibe/install/Machine")<Machine, Service>() {}

export interface Service {
  /** The path of the Node that runs. */
  readonly node: string
  /** The real path of vibe's script. */
  readonly script: string
  readonly platform: NodeJS.Platform
}
