/**
 * Tools for programs that speak the Model Context Protocol: one factory of servers, for stdio (`ServerStdio`) and for
 * HTTP (`makeHttpHandler`), in the revisions from 2024-11-05 to 2026-07-28.
 */
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Block from "../message/Block.ts"
import { ModelId } from "../message/ModelId.ts"
import { NodeId } from "../message/NodeId.ts"
import type { ToolContext } from "../tool/Tool.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { ToolResult } from "../tool/ToolResult.ts"

export interface Options {
  readonly name: string
  readonly version: string
  /** Explains how to use the tools, and when not to. Clients put it into the system prompt of their model. */
  readonly instructions: string
  /** The tools, which must be read-only, since they are declared as such. */
  readonly tools: ToolRegistry.Service
}

/** Makes a server for each connection (stdio) or request (HTTP), all with the same tools. */
export type Factory = () => Server

/** The most calls that run at a time, over all connections. Others wait, so that many at once take no more memory. */
const CONCURRENCY = 16

/**
 * Makes a factory of the low-level `Server`. The tools have JSON Schema and check their arguments by it, so that
 * `McpServer` would load a second schema library for a second check.
 */
export const makeFactory = ({ instructions, name, tools, version }: Options): Effect.Effect<Factory> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const limited = makeLimit(CONCURRENCY)
    const definitions = definitionsOf(tools)
    return () => {
      const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions })
      server.setRequestHandler("tools/list", () => ({ tools: definitions }))
      server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
        if (!definitions.some(({ name }) => name === params.name)) throw unknownTool(params.name, definitions)
        const call = Block.toolUse(`call-${mcpReq.id}`, params.name, params.arguments ?? {})
        const run = Effect.map(tools.execute(call, { ...context, callId: call.id }), (result) =>
          toWire(call.name, result),
        )
        // The signal is aborted if the client cancels the call or disappears, which interrupts the fiber.
        return limited(() => Runtime.runPromise(runtime)(run, { signal: mcpReq.signal }))
      })
      return server
    }
  })

/**
 * Limits the calls that run at a time. A semaphore of Effect is not used, since an interrupt can lose one of its
 * permits (see `base/mutex`).
 */
const makeLimit = (most: number) => {
  let free = most
  const waiting: Array<() => void> = []
  return async <A>(run: () => Promise<A>): Promise<A> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Returns the tools as clients list them. */
export const definitionsOf = ({ tools }: ToolRegistry.Service) =>
  tools.map(({ description, name, parameters }) => ({
    name,
    description,
    inputSchema: { ...parameters, type: "object" as const },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }))

/** The context of every call: no node of a conversation holds the call, and the model that makes it is not known. */
const context: Omit<ToolContext, "callId"> = {
  node: NodeId.make("mcp"),
  model: new ModelId({ provider: "mcp", name: "client" }),
}

const unknownTool = (name: string, definitions: ReadonlyArray<{ readonly name: string }>): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${name.slice(0, 100)}. The tools are: ${definitions.map(({ name }) => name).join(", ")}`,
  )

/**
 * Converts a result. An error loses the beginning that names it as an error of the tool, since the client has both
 * already.
 */
const toWire = (tool: string, { isError = false, text }: ToolResult): CallToolResult => {
  const beginning = [`Error: tool '${tool}' failed: `, "Error: "].find((each) => isError && text.startsWith(each)) ?? ""
  return { content: [{ type: "text", text: text.slice(beginning.length) }], isError }
}

/**
 * Answers a request and never fails. The signal of the request is aborted if the client has gone, which interrupts its
 * call.
 */
export type Handler = (request: Request) => Promise<Response>

/** The most streams on which clients await changes. There are no changes, so few are needed. */
const MAX_SUBSCRIPTIONS = 64

/**
 * Makes a stateless handler. Each request has a server of its own and no session, so that nothing is kept for clients
 * that have gone.
 */
export const makeHttpHandler = (factory: Factory): Effect.Effect<Handler, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => createMcpHandler(factory, { maxSubscriptions: MAX_SUBSCRIPTIONS })),
      (handler) => Effect.promise(() => handler.close()),
    ),
    ({ fetch }) =>
      (request) =>
        fetch(request),
  )
