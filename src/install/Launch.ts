/** The words by which an agent starts vibe's server. Pure. */
import type { Scope, Words } from "./Agent.ts"
import type * as Machine from "./Machine.ts"

/**
 * - `npx`: works on every machine that has Node, whatever its folders are called, and fetches vibe where the project does
 *   not have it.
 * - `path`: this Node and this vibe. Works without PATH, which editors that are started from a desktop often lack, and
 *   starts faster.
 */
export type Way = "npx" | "path"

export const ways: ReadonlyArray<Way> = ["npx", "path"]

/** `path` for the user's own file, unless vibe itself is in a cache of npx, which is emptied; `npx` for what a team shares. */
export const choose = (scope: Scope, { script }: Machine.Service): Way =>
  scope === "user" && !/[\\/]_npx[\\/]/.test(script) ? "path" : "npx"

export const words = (way: Way, { node, script }: Machine.Service): Words =>
  way === "path" ? [node, script, "mcp"] : ["npx", "-y", "vibe-index", "mcp"]
