/** The words by which an agent starts vibe's server. Pure. */
import type { Words } from "./Agent.ts"
import type * as Machine from "./Machine.ts"

/**
 * - `npx`: the same on every machine that has Node, and fetches vibe where the project does not have it.
 * - `path`: this Node and this vibe. Works without PATH, which editors that are started from a desktop often lack, and
 *   starts faster.
 */
export type Way = "npx" | "path"

export const ways: ReadonlyArray<Way> = ["npx", "path"]

/**
 * `path`, unless vibe itself is in a cache of npx, which is emptied. Never `npx` unasked from a checkout: it runs what the
 * registry has under the name, which may be nobody's or somebody else's.
 */
export const choose = ({ script }: Machine.Service): Way => (/[\\/]_npx[\\/]/.test(script) ? "npx" : "path")

export const words = (way: Way, { node, script }: Machine.Service): Words =>
  way === "path" ? [node, script, "mcp"] : ["npx", "-y", "vibe-index", "mcp"]
