/** Names of tools, as every provider takes them (FAULTS 1.7): another server's tools may be called anything. Pure. */
import { createHash } from "node:crypto"
import type { Tool } from "../../tool/Tool.ts"

/**
 * The name itself where it is fit, else the fit beginning of it and a digest of the whole: the same for the same name,
 * whatever other tools there are, and never the same for two.
 */
export const onWire = (name: string): string => {
  if (fit.test(name)) return name
  const cleaned = name.replaceAll(/[^\w-]/g, "_").replace(/^(?![A-Za-z_])/, "_")
  return `${cleaned.slice(0, 54)}_${createHash("sha256").update(name).digest("hex").slice(0, 8)}`
}

/** What all of them take: at most 63 characters, since some do not count as others do. */
const fit = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/

/** From a name on the wire to the tool's own: of `tools`; another name stays as it is. */
export const reader = (tools: ReadonlyArray<Pick<Tool, "name">>): ((name: string) => string) => {
  const own = new Map(tools.map(({ name }) => [onWire(name), name]))
  return (name) => own.get(name) ?? name
}
