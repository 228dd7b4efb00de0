/**
 * A port for the tools of other programs (MCP servers), which start when their tools are first needed. Its adapter is
 * in `mcp/`.
 */
import { createHash } from "node:crypto"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { plural } from "../base/Prose.ts"
import * as Tokens from "../message/Tokens.ts"
import type { Tool } from "./Tool.ts"
import { ToolError } from "./ToolError.ts"
import * as ToolRegistry from "./ToolRegistry.ts"

export class ToolServers extends Context.Tag("vibe/tool/ToolServers")<ToolServers, Service>() {}

export interface Service {
  /** The prefixes of the names of their tools, such as `files_`. */
  readonly prefixes: ReadonlyArray<string>
  /**
   * Starts the servers that do not run. A server that fails has no tools, and a note says why. An interrupt only ends
   * the wait for them.
   */
  readonly open: Effect.Effect<Opened>
  /** The names of the servers that have not answered yet. */
  readonly starting: Effect.Effect<ReadonlyArray<string>>
  /** Ends the servers; the next `open` starts them again. */
  readonly close: Effect.Effect<void>
}

export interface Opened {
  readonly tools: ReadonlyArray<ServedTool>
  /** Lines for the user, one for each server, that say how much its tools cost. */
  readonly costs: ReadonlyArray<string>
  /** Lines for the user that say which servers failed, and which tools are left out. */
  readonly notes: ReadonlyArray<string>
  /** Follows changes of the tools while the servers run. Undefined if they cannot change. */
  readonly changes?: Changes | undefined
}

export interface Changes {
  /** Returns the tools as they were last listed. It is the same list as before if nothing has changed. */
  readonly tools: () => ReadonlyArray<ServedTool>
  /** Asks the servers that have announced other tools for them. */
  readonly refresh: Effect.Effect<void>
}

export interface ServedTool {
  /** The name of the tool's server. */
  readonly server: string
  readonly tool: Tool
  /** Tells the user which tool of which server it is, since its name may have been cut. */
  readonly origin: string
}

export const none: Opened = { tools: [], costs: [], notes: [] }

/** Makes a service of servers that have started already. */
export const of = (opened: Opened): Service => ({
  prefixes: [...new Set(opened.tools.map(({ server }) => `${server}_`))],
  open: Effect.succeed(opened),
  starting: Effect.succeed([]),
  close: Effect.void,
})

/** Returns the registry with the tools of all servers after its own. */
export const addTo = (
  registry: ToolRegistry.Service,
  servers: Service,
  say: (line: string) => Effect.Effect<void>,
): Effect.Effect<ToolRegistry.Service> => Effect.map(openAnnounced(servers, say), (opened) => join(registry, opened))

/** Opens the servers. If that takes longer than a second, a line says which of them the user waits for. */
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

/** The shortest wait that people notice. */
export const PATIENCE = Duration.seconds(1)

/** The most tools of a request. Providers refuse a request with more, however small they are. */
export const MAX_TOOLS = 128

/**
 * Joins the tools of the registry and of all servers, including those that servers get later. If another tool has the
 * same name, a digest is added to the name: names may become the same when they are cut, or when characters in them are
 * replaced. If there are more than `MAX_TOOLS`, including those of vibe, the last ones are left out, with a note for
 * each server.
 */
export const join = (
  registry: ToolRegistry.Service,
  { changes, costs, notes, tools }: Opened,
): ToolRegistry.Service => {
  const served = changes?.tools ?? (() => tools)
  const merge = makeMerge()
  const { leftOut } = merge(registry.tools, served())
  const all = [...registry.notes, ...costs, ...notes, ...leftOut]
  const refresh = ToolRegistry.joinRefreshes(registry.refresh, changes?.refresh)
  const current = ToolRegistry.derive(
    () => registry.tools,
    served,
    (own, others) => merge(own, others).tools,
  )
  return refresh === undefined
    ? ToolRegistry.make(current(), all)
    : ToolRegistry.changing({ tools: current, notes: all, refresh })
}

/** Joins the changes of several servers. */
export const joinChanges = (changes: ReadonlyArray<Changes>): Changes | undefined => {
  const refresh = ToolRegistry.joinRefreshes(...changes.map(({ refresh }) => refresh))
  if (refresh === undefined) return undefined
  let lists: ReadonlyArray<ReadonlyArray<ServedTool>> = []
  let joined: ReadonlyArray<ServedTool> = []
  return {
    tools: () => {
      const now = changes.map(({ tools }) => tools())
      if (now.length !== lists.length || now.some((list, at) => list !== lists[at])) {
        lists = now
        joined = now.flat()
      }
      return joined
    },
    refresh,
  }
}

/**
 * Returns the two names that a tool may have in a registry; it gets the first one if no other tool has it. Both depend
 * on the tool alone.
 */
export const namesFor = ({ origin, tool: { name } }: ServedTool): readonly [string, string] => [
  name,
  `${name.slice(0, MAX_NAME_CHARS - DIGEST_CHARS - 1)}_${createHash("sha256").update(origin).digest("hex").slice(0, DIGEST_CHARS)}`,
]

/** Some providers take names of 64 characters, and some count differently. */
const MAX_NAME_CHARS = 63
const DIGEST_CHARS = 8

interface Merged {
  readonly tools: ReadonlyArray<Tool>
  /** Lines that say which tools are left out. */
  readonly leftOut: ReadonlyArray<string>
}

/**
 * Makes a merge that reserves each name for the tool that had it first, even after that tool is gone: a model may have
 * read it.
 */
const makeMerge = () => {
  const owners = new Map<string, string>()
  return (own: ReadonlyArray<Tool>, served: ReadonlyArray<ServedTool>): Merged => {
    const taken = new Set(own.map(({ name }) => name))
    const seen = new Set<string>()
    const added: Array<Tool> = []
    const leftOut: Array<string> = []
    const beyond = new Map<string, number>()
    for (const one of served) {
      const { origin, server, tool } = one
      const name = seen.has(origin)
        ? undefined
        : namesFor(one).find((name) => !taken.has(name) && (owners.get(name) ?? origin) === origin)
      seen.add(origin)
      if (name === undefined) leftOut.push(`${origin} is left out: there is another one of that name`)
      else if (own.length + added.length < MAX_TOOLS) {
        owners.set(name, origin)
        taken.add(name)
        added.push(rename(tool, name))
      } else beyond.set(server, (beyond.get(server) ?? 0) + 1)
    }
    for (const [server, count] of beyond) {
      leftOut.push(
        `${plural(count, "tool")} of tool server ${server} ${count === 1 ? "is" : "are"} left out: a request has at most ${MAX_TOOLS} tools, those of vibe included; name those that you need with 'only'`,
      )
    }
    return { tools: [...own, ...added], leftOut }
  }
}

const rename = (tool: Tool, name: string): Tool =>
  tool.name === name
    ? tool
    : {
        ...tool,
        name,
        execute: (input, context) =>
          Effect.mapError(tool.execute(input, context), ({ reason }) => new ToolError({ tool: name, reason })),
      }

/** Returns the estimate in tokens. */
export const estimateTokens = (tools: ReadonlyArray<Tool>): number =>
  Math.ceil(
    0.3 *
      tools.reduce(
        (length, { description, name, parameters }) =>
          length + Tokens.lengthOf(JSON.stringify({ name, description, parameters })),
        0,
      ),
  )

/** Describes the estimate to two digits: `about 1,500 tokens`. */
export const describeTokens = (tools: ReadonlyArray<Tool>): string =>
  `about ${Number(estimateTokens(tools).toPrecision(2)).toLocaleString("en")} tokens`
