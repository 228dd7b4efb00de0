/** Tools of other programs (MCP servers), which start when their tools are first needed: a port; its adapter is in `mcp/`. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { plural } from "../message/Plural.ts"
import type { Tool } from "./Tool.ts"
import * as ToolRegistry from "./ToolRegistry.ts"

export class ToolServers extends Context.Tag("vibe/tool/ToolServers")<ToolServers, Service>() {}

export interface Service {
  /** What the names of their tools begin with: `files_`. */
  readonly prefixes: ReadonlyArray<string>
  /**
   * Starts them, where they do not run. A server that fails has no tools, and a note says why. An interrupt only ends the
   * wait for them.
   */
  readonly open: Effect.Effect<Opened>
  /** The names of those that have not answered yet. */
  readonly starting: Effect.Effect<ReadonlyArray<string>>
  /** Ends them; the next `open` starts them again. */
  readonly close: Effect.Effect<void>
}

export interface Opened {
  readonly tools: ReadonlyArray<ServedTool>
  /** For the user, a line for each server: what its tools cost. */
  readonly costs: ReadonlyArray<string>
  /** For the user, a line each: which servers failed, and which tools are left out. */
  readonly notes: ReadonlyArray<string>
}

export interface ServedTool {
  /** The name of its server. */
  readonly server: string
  readonly tool: Tool
  /** For the user: which tool of which server it is. Its name may have been cut. */
  readonly origin: string
}

export const none: Opened = { tools: [], costs: [], notes: [] }

/** Servers that have started already. */
export const of = (opened: Opened): Service => ({
  prefixes: [...new Set(opened.tools.map(({ server }) => `${server}_`))],
  open: Effect.succeed(opened),
  starting: Effect.succeed([]),
  close: Effect.void,
})

/** The registry with the tools of all servers after its own. */
export const addTo = (
  registry: ToolRegistry.Service,
  servers: Service,
  say: (line: string) => Effect.Effect<void>,
): Effect.Effect<ToolRegistry.Service> => Effect.map(openAnnounced(servers, say), (opened) => join(registry, opened))

/** Opens them. Where that takes longer than a second, a line says which of them the user waits for. */
export const openAnnounced = (
  { open, starting }: Service,
  say: (line: string) => Effect.Effect<void>,
): Effect.Effect<Opened> =>
  Effect.gen(function* () {
    const announcing = yield* Effect.fork(
      Effect.sleep(PATIENCE).pipe(
        Effect.zipRight(starting),
        Effect.flatMap((names) =>
          names.length === 0
            ? Effect.void
            : say(`starting tool server${names.length === 1 ? "" : "s"} ${names.join(", ")}…`),
        ),
      ),
    )
    return yield* Effect.ensuring(open, Fiber.interrupt(announcing))
  })

/** A wait that people notice. */
export const PATIENCE = Duration.seconds(1)

/** Providers refuse a request with more, whatever they cost. */
export const MAX_TOOLS = 128

/**
 * Leaves out a tool with the name of one before it, with a note: names may be the same after they were cut, or characters in
 * them replaced. Of more than `MAX_TOOLS`, those of vibe included, leaves out the last, with a note for each server.
 */
export const join = (registry: ToolRegistry.Service, { costs, notes, tools }: Opened): ToolRegistry.Service => {
  const origins = new Map(registry.tools.map(({ name }) => [name, "a tool of vibe"]))
  const added: Array<Tool> = []
  const leftOut: Array<string> = []
  const beyond = new Map<string, number>()
  for (const { origin, server, tool } of tools) {
    const taken = origins.get(tool.name)
    if (taken !== undefined) {
      leftOut.push(`${origin} is left out: its name here would be ${tool.name}, as that of ${taken}`)
    } else if (registry.tools.length + added.length < MAX_TOOLS) {
      origins.set(tool.name, origin)
      added.push(tool)
    } else beyond.set(server, (beyond.get(server) ?? 0) + 1)
  }
  for (const [server, count] of beyond) {
    leftOut.push(
      `${plural(count, "tool")} of tool server ${server} ${count === 1 ? "is" : "are"} left out: a request has at most ${MAX_TOOLS} tools, those of vibe included; name those that you need with 'only'`,
    )
  }
  return ToolRegistry.make([...registry.tools, ...added], [...registry.notes, ...costs, ...notes, ...leftOut])
}
