/**
 * Tools for programs that speak the Model Context Protocol, by its SDK: one factory of servers, for stdio
 * (`ServerStdio`) and for HTTP (`makeHttpHandler`), in the revisions from 2024-11-05 to 2026-07-28.
 */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isObject } from "../base/Json.ts"
import type { Definition, ServedTools } from "./ServedTools.ts"

/** Makes a server for each connection (stdio) or request (HTTP), all with the same tools. */
export type Factory = () => Server

/**
 * Makes a factory of the low-level `Server`. The tools have JSON Schema and check their arguments by it, so that
 * `McpServer` would load a second schema library for a second check.
 */
export const makeFactory =
  ({ call, definitions, info, instructions }: ServedTools): Factory =>
  () => {
    const server = new Server(info, { capabilities: { tools: {} }, instructions })
    server.setRequestHandler("tools/list", () => ({ tools: [...definitions] }))
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
      if (!definitions.some(({ name }) => name === params.name)) throw unknownTool(params.name, definitions)
      const { interrupt, result } = call(mcpReq.id, params.name, isObject(params.arguments) ? params.arguments : {})
      // The signal is aborted if the client cancels the call or disappears.
      mcpReq.signal.addEventListener("abort", interrupt)
      return result
    })
    return server
  }

const unknownTool = (name: string, definitions: ReadonlyArray<Definition>): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${name.slice(0, 100)}. The tools are: ${definitions.map(({ name }) => name).join(", ")}`,
  )

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
