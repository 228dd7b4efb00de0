/** Offers tools of the servers that the user has configured (MCP) as tools of vibe, by the name `{server}_{tool}`. */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { inParallel } from "../base/concurrency.ts"
import * as Json from "../base/Json.ts"
import { makeMutex } from "../base/mutex.ts"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import * as SchemaCheck from "../tool/SchemaCheck.ts"
import * as Tool from "../tool/Tool.ts"
import * as ToolServers from "../tool/ToolServers.ts"
import * as ClientConnection from "./internal/ClientConnection.ts"
import * as ClientTools from "./internal/ClientTools.ts"

export type { Options, Server } from "./internal/ClientConnection.ts"

/** The most characters of a description, about several pages. */
const MAX_DESCRIPTION_CHARS = 16_384

/**
 * Starts or reaches all servers at the same time, and ends them with the scope. A server that fails only has a note.
 */
export const open = (
  servers: ReadonlyArray<ClientConnection.Server>,
  options: ClientConnection.Options,
): Effect.Effect<ToolServers.Opened, never, Scope.Scope> =>
  Effect.gen(function* () {
    const opened = servers.map(() => ToolServers.none)
    // The servers also end at the same time, since each may take a while.
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.parallel)
    yield* inParallel(
      servers.map((server, index) =>
        openOne(server, options).pipe(
          Effect.catchAll(({ detail }) =>
            Effect.succeed({ tools: [], costs: [], notes: [`tool server ${server.name} is not used: it ${detail}`] }),
          ),
          Effect.tap((one) =>
            Effect.sync(() => {
              opened[index] = one
              options.onOpened?.(server.name)
            }),
          ),
          Effect.asVoid,
          Scope.extend(scope),
        ),
      ),
    )
    return {
      tools: opened.flatMap(({ tools }) => tools),
      costs: opened.flatMap(({ costs }) => costs),
      notes: opened.flatMap(({ notes }) => notes.map(sanitizeLine)),
      changes: ToolServers.joinChanges(opened.flatMap(({ changes }) => changes ?? [])),
    }
  })

const openOne = (
  server: ClientConnection.Server,
  options: ClientConnection.Options,
): Effect.Effect<ToolServers.Opened, ClientConnection.ToolServerError, Scope.Scope> =>
  Effect.gen(function* () {
    const { name } = server
    const { current, latest } = yield* openRestarting(server, options)
    const run = (tool: string, args: unknown) =>
      current.pipe(
        Effect.flatMap(({ call }) => call(tool, Json.isObject(args) ? args : {})),
        // This runs before the result is returned, so that the next request offers what the call has changed.
        Effect.zipLeft(Effect.suspend(() => follow)),
        Effect.map((result) => ClientTools.toResult(result, options.redact)),
        Tool.orFail,
      )
    let listed = latest().listed()
    const first = yield* toServed(server, listed, run)
    let served = first.tools
    /** Takes over the latest list, which may be that of a connection that was opened again. */
    const follow = Effect.gen(function* () {
      const now = latest().listed()
      if (now === listed) return
      const { tools } = yield* toServed(server, now, run)
      listed = now
      served = tools
    })
    const cost = ClientTools.costNote(
      name,
      first.tools.map(({ tool }) => tool),
    )
    return {
      tools: first.tools,
      costs: [cost],
      notes: first.notes,
      changes: {
        tools: () => served,
        refresh: Effect.zipRight(
          Effect.suspend(() => latest().refresh),
          follow,
        ),
      },
    }
  })

/** Returns the tools of a list that are offered, and a note about each that is not. */
const toServed = (
  { name, only }: ClientConnection.Server,
  { leftOut, tools: all }: ClientConnection.Listed,
  run: (tool: string, args: unknown) => ReturnType<Parameters<typeof Tool.fromJsonSchema>[0]["run"]>,
): Effect.Effect<Pick<ToolServers.Opened, "tools" | "notes">> =>
  Effect.gen(function* () {
    const chosen = only === undefined ? all : all.filter((tool) => only.includes(tool.name))
    const notes = leftOut
      .filter((tool) => tool.name === undefined || only === undefined || only.includes(tool.name))
      .map((tool) => `${toOrigin(tool.name, name)} is left out: ${tool.why}`)
    const tools: Array<ToolServers.ServedTool> = []
    for (const { annotations, description = "", inputSchema, name: original } of chosen.slice(
      0,
      ToolServers.MAX_TOOLS,
    )) {
      const origin = toOrigin(original, name)
      // The schema came as JSON. The SDK's type also allows values that JSON does not have.
      const parameters = inputSchema as Json.JsonObject
      const flaw = yield* SchemaCheck.findFlaw(parameters)
      if (flaw !== undefined) {
        notes.push(`${origin} is left out: its parameters are no valid JSON Schema: ${flaw}`)
        continue
      }
      tools.push({
        server: name,
        origin,
        tool: {
          ...Tool.fromJsonSchema({
            name: ClientTools.toolName(name, original),
            description: sanitize(description).slice(0, MAX_DESCRIPTION_CHARS),
            parameters,
            // This hint of the server tells if its calls may run at the same time.
            readOnly: annotations?.readOnlyHint === true,
            run: (args) => run(original, args),
          }),
          origin: { server: name, tool: original },
        },
      })
    }
    if (chosen.length > ToolServers.MAX_TOOLS) {
      notes.push(
        `tool server ${name} has ${chosen.length} tools; those after the first ${ToolServers.MAX_TOOLS} are left out`,
      )
    }
    const unknown = only?.filter((one) => ![...all, ...leftOut].some((tool) => tool.name === one)) ?? []
    if (unknown.length > 0) {
      const names = all.map((tool) => tool.name).join(", ")
      notes.push(`tool server ${name} has no tool ${unknown.join(", ")}, which 'only' names; it has ${names || "none"}`)
    }
    return { tools, notes }
  })

const toOrigin = (tool: string | undefined, server: string): string =>
  `${tool === undefined ? "a tool without a name" : `the tool ${tool}`} of tool server ${server}`

/**
 * Opens the connection to a server. `current` opens it once more if it has ended. `latest` is the latest connection,
 * which may have ended.
 */
const openRestarting = (server: ClientConnection.Server, options: ClientConnection.Options) =>
  Effect.gen(function* () {
    const parent = yield* Effect.scope
    const exclusively = makeMutex()
    /**
     * Connects in a scope of its own, so that the rest of a connection that has ended is closed before the next one
     * opens.
     */
    const connect = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
        const connection = yield* restore(Scope.extend(ClientConnection.open(server, options), scope)).pipe(
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))),
        )
        return { connection, scope }
      }),
    )
    let latest = yield* connect
    let isRestarted = false
    let isOver = false
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isOver = true
      }),
    )
    const current: Effect.Effect<ClientConnection.Connection, ClientConnection.ToolServerError> = exclusively(
      Effect.gen(function* () {
        if (!latest.connection.isClosed()) return latest.connection
        // A program that is started in a closed scope ends at once, and the caller would wait for it.
        if (isOver) {
          return yield* new ClientConnection.ToolServerError({
            server: server.name,
            detail: "has ended with the conversation that has started it",
          })
        }
        if (isRestarted) {
          return yield* new ClientConnection.ToolServerError({
            server: server.name,
            detail: "has ended again: it is started only twice in a conversation",
          })
        }
        yield* Scope.close(latest.scope, Exit.void)
        const restarted = yield* Effect.either(connect)
        // This is not reached if connecting is interrupted.
        isRestarted = true
        latest = yield* restarted
        return latest.connection
      }),
    )
    return { current, latest: () => latest.connection }
  })
