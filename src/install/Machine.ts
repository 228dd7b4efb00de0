/** How vibe runs on this machine, which an entry of an agent needs to start it again. */
import * as Context from "effect/Context"

export class Machine extends Context.Tag("vibe/install/Machine")<Machine, Service>() {}

export interface Service {
  /** The path of the Node that runs, or of the executable that vibe is one file with. */
  readonly node: string
  /** The real path of vibe's script. For the single executable, which takes no script, it is the path of `node`. */
  readonly script: string
  readonly platform: NodeJS.Platform
}
