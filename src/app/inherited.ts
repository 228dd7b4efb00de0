/** The environment of this process, for what programs inherit of it. */
// No setting of vibe's own: `Config` could not hand it on whole.
import { env } from "node:process"
import type { Environment } from "../process/Environment.ts"

/** As it is now. */
export const inherited = (): Environment =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
