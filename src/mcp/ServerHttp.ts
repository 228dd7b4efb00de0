/** Serves clients over HTTP (streamable HTTP), as a part of a server that decides which requests are answered. */
import { createMcpHandler } from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Factory } from "./Server.ts"

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
export const make = (factory: Factory): Effect.Effect<Handler, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => createMcpHandler(factory, { maxSubscriptions: MAX_SUBSCRIPTIONS })),
      (handler) => Effect.promise(() => handler.close()),
    ),
    ({ fetch }) =>
      (request) =>
        fetch(request),
  )
