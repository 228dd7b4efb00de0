/**
 * Passes events to all pages that are open, by server-sent events. A page that does not read is dropped once too much
 * waits for it; it then connects again and asks for the state. So no page can make the server's memory grow.
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Api } from "./Api.ts"
import { Event } from "./api/Events.ts"

export class EventHub extends Context.Tag("vibe/server/EventHub")<EventHub, Service>() {}

export interface Service {
  /** Encodes the event once, and returns immediately, even if a page does not read. */
  readonly publish: (event: Event) => Effect.Effect<void>
  /**
   * Returns the lines of a connection, the event `hello` first. The hub calls `drop` if the page does not read: it ends
   * the connection, which closes the scope.
   */
  readonly connect: (drop: () => void) => Effect.Effect<Stream.Stream<Uint8Array>, TooMany, Scope.Scope>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
}

/** The limit of connections is reached. Each connection holds a socket and some kilobytes. */
export class TooMany extends Data.TaggedError("TooMany") {
  override get message() {
    return `vibe serve has ${MAX_CONNECTIONS} streams of events open, which is its limit: close some pages`
  }
}

/** The most connections at a time. A browser needs one for all its tabs. */
export const MAX_CONNECTIONS = 100

/** The most bytes that wait for a page; a page that has left more unread is gone or stuck. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024

/** The time between two heartbeats, which tell a dead connection from a quiet one and keep proxies from closing it. */
const HEARTBEAT = "15 seconds"

interface Connection {
  pending: Array<Uint8Array>
  bytes: number
  wake: () => void
  readonly drop: () => void
}

const encoder = new TextEncoder()
const encodeEvent = Schema.encodeSync(Schema.parseJson(Event))
const encode = (event: Event): Uint8Array => encoder.encode(`data: ${encodeEvent(event)}\n\n`)
const heartbeat = encoder.encode(": \n\n")
const retry = encoder.encode("retry: 1000\n\n")

/** `server` names this run of the server. */
export const make = Effect.fnUntraced(function* (server: string) {
  const open = new Set<Connection>()

  const send = (connection: Connection, bytes: Uint8Array) => {
    connection.pending.push(bytes)
    connection.bytes += bytes.length
    if (connection.bytes > MAX_PENDING_BYTES) {
      open.delete(connection)
      connection.pending = []
      connection.drop()
    } else connection.wake()
  }
  const sendAll = (bytes: Uint8Array) => {
    for (const connection of open) send(connection, bytes)
  }

  yield* Effect.forkScoped(
    Effect.repeat(
      Effect.sync(() => sendAll(heartbeat)),
      Schedule.spaced(HEARTBEAT),
    ),
  )

  /** Waits until there is something to send. */
  const take = (connection: Connection): Effect.Effect<Chunk.Chunk<Uint8Array>> =>
    Effect.suspend(() => {
      if (connection.pending.length === 0) {
        const woken = Effect.async<void>((resume) => {
          connection.wake = () => resume(Effect.void)
        })
        return Effect.zipRight(woken, take(connection))
      }
      const taken = connection.pending
      connection.pending = []
      connection.bytes = 0
      return Effect.succeed(Chunk.unsafeFromArray(taken))
    })

  return EventHub.of({
    publish: (event) =>
      Effect.sync(() => {
        if (open.size > 0) sendAll(encode(event))
      }),
    connect: (drop) =>
      Effect.gen(function* () {
        if (open.size >= MAX_CONNECTIONS) return yield* new TooMany()
        const connection = yield* Effect.acquireRelease(
          Effect.sync(() => {
            const connection: Connection = { pending: [], bytes: 0, wake: () => {}, drop }
            open.add(connection)
            return connection
          }),
          (connection) => Effect.sync(() => open.delete(connection)),
        )
        send(connection, retry)
        send(connection, encode({ type: "hello", server }))
        return Stream.repeatEffectChunkOption(Effect.mapError(take(connection), Option.some<never>))
      }),
    connections: Effect.sync(() => open.size),
  })
})

export const layer = (server: string): Layer.Layer<EventHub> => Layer.scoped(EventHub, make(server))

/** Handles connections for events. */
export const handlers = HttpApiBuilder.group(Api, "events", (handlers) =>
  Effect.map(EventHub, (hub) =>
    handlers.handleRaw("events", ({ request }) =>
      // The scope is that of the request: it ends with the connection.
      hub
        .connect(() => void NodeHttpServerRequest.toServerResponse(request).destroy())
        .pipe(
          Effect.map((lines) =>
            HttpServerResponse.stream(lines, {
              contentType: "text/event-stream",
              headers: { "cache-control": "no-store" },
            }),
          ),
          Effect.catchAll(({ message }) =>
            Effect.succeed(HttpServerResponse.unsafeJson({ message: `${message}.` }, { status: 503 })),
          ),
        ),
    ),
  ),
)
