/** Tools of other programs (MCP servers), which start when their tools are first needed: a port; its adapter is in `mcp/`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Tool } from "./Tool.ts"
import * as ToolRegistry from "./ToolRegistry.ts"

export class ToolServers extends Context.Tag("vibe/tool/ToolServers")<ToolServers, Service>() {}

/** Opened once, at the first use. A server that fails has no tools, and a note says why. */
export type Service = Effect.Effect<Opened>

export interface Opened {
  readonly tools: ReadonlyArray<ServedTool>
  /** For the user, a line each: what the tools cost, and which servers failed. */
  readonly notes: ReadonlyArray<string>
}

export interface ServedTool {
  readonly tool: Tool
  /** For the user: which tool of which server it is. Its name may have been cut. */
  readonly origin: string
}

export const none: Opened = { tools: [], notes: [] }

/** The registry with the tools of all servers after its own. */
export const addTo = (registry: ToolRegistry.Service): Effect.Effect<ToolRegistry.Service, never, ToolServers> =>
  Effect.flatMap(ToolServers, (open) => Effect.map(open, (opened) => join(registry, opened)))

/**
 * Leaves out a tool whose name is taken by one before it, with a note: names that were cut, or whose characters were
 * replaced, may be the same.
 */
export const join = (registry: ToolRegistry.Service, { notes, tools }: Opened): ToolRegistry.Service => {
  const origins = new Map(registry.tools.map(({ name }) => [name, "a tool of vibe"]))
  const added: Array<Tool> = []
  const leftOut: Array<string> = []
  for (const { origin, tool } of tools) {
    const taken = origins.get(tool.name)
    if (taken === undefined) {
      origins.set(tool.name, origin)
      added.push(tool)
    } else leftOut.push(`${origin} is left out: its name here would be ${tool.name}, as that of ${taken}`)
  }
  return ToolRegistry.make([...registry.tools, ...added], [...registry.notes, ...notes, ...leftOut])
}
