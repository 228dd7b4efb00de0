/** How vibe runs on this machine: what an entry of an agent needs to start it again. */
import * as Context from "effect/Context"

export class Machine extends Context.Tag("vibe/install/Machine")<Machine, Service>() {}

export interface Service {
  /** The path of the Node that runs, or of the executable that vibe is one file with. */
  readonly node: string
  /** The real path of vibe's script. That of `node` for the one executable, which takes no script. */
  readonly script: string
  readonly platform: NodeJS.Platform
}
