/** Tool names that every provider accepts; tools from other servers may have any name. Pure. */
import { createHash } from "node:crypto"
import type { Tool } from "../../tool/Tool.ts"

/**
 * Returns a valid name unchanged; otherwise its valid characters, truncated, followed by a digest of the whole name,
 * so that the result depends on the name alone and is unique.
 */
export const toWireName = (name: string): string => {
  if (validName.test(name)) return name
  const cleaned = name.replaceAll(/[^\w-]/g, "_").replace(/^(?![A-Za-z_])/, "_")
  return `${cleaned.slice(0, 54)}_${createHash("sha256").update(name).digest("hex").slice(0, 8)}`
}

/** Accepted by all providers: at most 63 characters, since some of them count differently. */
const validName = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/

/** Maps a wire name back to the name of one of `tools`; unknown names are returned unchanged. */
export const makeReader = (tools: ReadonlyArray<Pick<Tool, "name">>): ((name: string) => string) => {
  const own = new Map(tools.map(({ name }) => [toWireName(name), name]))
  return (name) => own.get(name) ?? name
}
