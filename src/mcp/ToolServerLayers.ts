/**
 * Tool servers for programs that embed vibe, either as the `ToolRegistry` of the layers that are built over them, or as
 * the port `ToolServers`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Secret from "../base/Secret.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as ToolServers from "../tool/ToolServers.ts"
import * as Client from "./Client.ts"

export interface Options extends Omit<Client.Options, "environment" | "redact"> {
  /**
   * The environment, such as that of the process. Programs are looked up on its PATH, and receive it without the
   * secrets.
   */
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * Removes secrets from the server's texts. By default these are the values of the environment's variables that look
   * like secrets.
   */
  readonly redact?: Client.Options["redact"] | undefined
}

/** Describes a program that speaks MCP on stdin and stdout. `command` is a name on PATH or an absolute path. */
export const program = (
  name: string,
  command: string,
  args: ReadonlyArray<string> = [],
  options: ServerOptions & { readonly env?: ReadonlyArray<string> | undefined } = {},
): Client.Server => ({
  _tag: "Program",
  name,
  command,
  args,
  env: options.env ?? [],
  only: options.only,
  timeout: options.timeout,
})

/** Describes a server that speaks MCP over HTTP. */
export const remote = (
  name: string,
  url: string,
  options: ServerOptions & { readonly headers?: Readonly<Record<string, string>> | undefined } = {},
): Client.Server => ({
  _tag: "Remote",
  name,
  url,
  headers: options.headers ?? {},
  only: options.only,
  timeout: options.timeout,
})

type ServerOptions = Partial<Pick<Client.Server, "only" | "timeout">>

const open = (servers: ReadonlyArray<Client.Server>, options: Options) => {
  const environment = Object.fromEntries(
    Object.entries(options.environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  )
  const forms = Secret.formsOf(Secret.valuesIn(environment))
  return Client.open(servers, {
    ...options,
    environment,
    redact: options.redact ?? ((text) => Secret.redactForms(text, forms)),
  })
}

/**
 * Provides the tools of all servers by the name `{server}_{tool}` to what is built over the layer. The servers start
 * with the layer and end with it. A server that ends in between is started once more by the next call. A server that
 * fails has no tools, and a line in the `notes` of the registry says why.
 */
export const layerRegistry = (
  servers: ReadonlyArray<Client.Server>,
  options: Options,
): Layer.Layer<ToolRegistry.ToolRegistry> =>
  Layer.scoped(
    ToolRegistry.ToolRegistry,
    Effect.map(open(servers, options), (opened) => ToolServers.join(ToolRegistry.none, opened)),
  )

/**
 * Provides the same as the port, for a program that joins the tools with its own: `ToolServers.join(registry, opened)`.
 */
export const layer = (servers: ReadonlyArray<Client.Server>, options: Options): Layer.Layer<ToolServers.ToolServers> =>
  Layer.scoped(ToolServers.ToolServers, Effect.map(open(servers, options), ToolServers.of))
