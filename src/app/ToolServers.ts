/** The tool servers that the user has configured: `[mcp.NAME]`. Nothing of them is loaded if none is configured. */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Secret from "../base/Secret.ts"
import * as AppConfig from "../config/AppConfig.ts"
import type * as Client from "../mcp/Client.ts"
import type { Environment } from "../process/Environment.ts"
import * as ToolServers from "../tool/ToolServers.ts"
import { processEnvironment } from "./OwnProcess.ts"

export const layer = Layer.scoped(
  ToolServers.ToolServers,
  Effect.gen(function* () {
    const configured = HashMap.toEntries(yield* AppConfig.toolServers).sort(([a], [b]) => (a < b ? -1 : 1))
    if (configured.length === 0) return ToolServers.of(ToolServers.none)
    const layerScope = yield* Effect.scope
    const starting = new Set<string>()
    let running: { readonly scope: Scope.CloseableScope; readonly opening: Fiber.Fiber<ToolServers.Opened> } | undefined
    /**
     * Starts the servers in a fiber of the layer: an interrupt of the command that needs the tools only ends the wait
     * for them.
     */
    const start = Effect.uninterruptible(
      Effect.gen(function* () {
        if (running !== undefined) return running.opening
        for (const [name, server] of configured)
          if (lacking(server, processEnvironment()).length === 0) starting.add(name)
        const scope = yield* Scope.fork(layerScope, ExecutionStrategy.sequential)
        const opening = yield* open(configured, starting).pipe(
          Effect.provideService(Scope.Scope, scope),
          Effect.interruptible,
          Effect.forkIn(scope),
        )
        running = { scope, opening }
        return opening
      }),
    )
    return {
      prefixes: configured.map(([name]) => prefixOf(name)),
      open: Effect.flatMap(start, Fiber.join),
      starting: Effect.sync(() => [...starting]),
      close: Effect.suspend(() => {
        const scope = running?.scope
        running = undefined
        starting.clear()
        return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
      }),
    }
  }),
)

/** Tools have names that begin with this; `mcp/internal/ClientTools`, which is loaded later, forms them. */
const prefixOf = (server: string): string => `${server}_`.replace(/^(?=[0-9-])/, "_")

/** `starting` has the names of those that have not answered yet. */
const open = (
  configured: ReadonlyArray<readonly [name: string, server: AppConfig.ToolServer]>,
  starting: Set<string>,
) =>
  Effect.gen(function* () {
    const { open } = yield* Effect.promise(() => import("../mcp/Client.ts"))
    const environment = processEnvironment()
    const notes: Array<string> = []
    const servers: Array<Client.Server> = []
    for (const [name, server] of configured) {
      const unset = lacking(server, environment)
      if (unset.length > 0) {
        notes.push(`tool server ${name} is not used: ${unset.join(", ")} is not set`)
      } else servers.push(toServer(name, server, environment))
    }
    const secrets = [
      ...Secret.valuesIn(environment),
      ...configured.flatMap(([, server]) => variablesOf(server).flatMap((variable) => environment[variable] ?? [])),
    ]
    const forms = Secret.formsOf(secrets)
    const opened = yield* open(servers, {
      environment,
      redact: (text) => Secret.redactForms(text, forms),
      onOpened: (name) => void starting.delete(name),
    })
    return { ...opened, notes: [...notes, ...opened.notes] }
  })

/** Lists the variables that are not set, without which a server cannot be used. */
const lacking = (server: AppConfig.ToolServer, environment: Environment): ReadonlyArray<string> =>
  server._tag === "Program" ? [] : variablesOf(server).filter((variable) => (environment[variable] ?? "").trim() === "")

/** The variables that a server receives. */
const variablesOf = (server: AppConfig.ToolServer): ReadonlyArray<string> =>
  server._tag === "Program" ? server.env : server.keyVariable === undefined ? [] : [server.keyVariable]

const toServer = (name: string, server: AppConfig.ToolServer, environment: Environment): Client.Server => {
  if (server._tag === "Program") return { name, ...server }
  const { header, keyVariable, only, timeout, url } = server
  const key = keyVariable === undefined ? "" : (environment[keyVariable] ?? "").trim()
  return {
    _tag: "Remote",
    name,
    url,
    headers: key === "" ? {} : header === undefined ? { Authorization: `Bearer ${key}` } : { [header]: key },
    only,
    timeout,
  }
}
