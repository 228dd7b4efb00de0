/** The tool servers that the user has configured: `[mcp.NAME]`. Nothing of them is loaded where there are none. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as AppConfig from "../config/AppConfig.ts"
import type * as Client from "../mcp/Client.ts"
import * as Secret from "../message/Secret.ts"
import type { Environment } from "../process/Environment.ts"
import * as ToolServers from "../tool/ToolServers.ts"
import { processEnvironment } from "./processEnvironment.ts"

export const layer = Layer.scoped(
  ToolServers.ToolServers,
  Effect.gen(function* () {
    const configured = HashMap.toEntries(yield* AppConfig.toolServers).sort(([a], [b]) => (a < b ? -1 : 1))
    if (configured.length === 0) return Effect.succeed(ToolServers.none)
    const scope = yield* Effect.scope
    // In a fiber of the layer: an interrupt of the command that needs the tools only ends the wait for them.
    const opening = yield* Effect.cached(
      Effect.forkIn(Effect.provideService(open(configured), Scope.Scope, scope), scope),
    )
    return Effect.flatMap(opening, Fiber.join)
  }),
)

const open = (configured: ReadonlyArray<readonly [name: string, server: AppConfig.ToolServer]>) =>
  Effect.gen(function* () {
    const { open } = yield* Effect.promise(() => import("../mcp/Client.ts"))
    const environment = processEnvironment()
    const notes: Array<string> = []
    const servers: Array<Client.Server> = []
    for (const [name, server] of configured) {
      const unset = variablesOf(server).filter((variable) => (environment[variable] ?? "").trim() === "")
      if (unset.length > 0 && server._tag === "Remote")
        notes.push(`tool server ${name} is not used: ${unset.join(", ")} is not set`)
      else servers.push(toServer(name, server, environment))
    }
    const secrets = [
      ...Secret.valuesIn(environment),
      ...configured.flatMap(([, server]) => variablesOf(server).flatMap((variable) => environment[variable] ?? [])),
    ]
    const forms = Secret.formsOf(secrets)
    const opened = yield* open(servers, { environment, redact: (text) => Secret.redactForms(text, forms) })
    return { ...opened, notes: [...notes, ...opened.notes] }
  })

/** The variables whose values a server receives. */
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
