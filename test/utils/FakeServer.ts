/** An HTTP server on 127.0.0.1 that answers with the exact bytes of a test. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Deferred, Effect, type Scope } from "effect"

export interface Answer {
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: string
  /** The rest of an answer that hangs: `endAll` sends it. */
  readonly rest?: string | undefined
  /**
   * - `end`: the answer is complete
   * - `hang`: nothing more comes, and the connection stays, until `endAll` or `resetAll`
   * - `reset`: the connection is torn down
   * - `drop`: it is torn down before any answer
   * - `mute`: it stays, and there is no answer at all
   */
  readonly ending?: "end" | "hang" | "reset" | "drop" | "mute" | undefined
}

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; the text itself where it is none. */
  readonly body: unknown
}

export interface FakeServer {
  readonly url: string
  /** So far, oldest first. */
  readonly requests: ReadonlyArray<Received>
  /** Once the first request is in. */
  readonly asked: Effect.Effect<void>
  /** Once a client has gone away before it had its whole answer. */
  readonly abandoned: Effect.Effect<void>
  /** Ends the answers that hang. */
  readonly endAll: Effect.Effect<void>
  /** Tears their connections down. */
  readonly resetAll: Effect.Effect<void>
  /** How many there have been. */
  readonly connections: Effect.Effect<number>
}

/** Answers in order, the last one again and again; or by the function `answers`. */
export const serve = (
  answers: readonly [Answer, ...ReadonlyArray<Answer>] | ((request: Received, index: number) => Answer),
): Effect.Effect<FakeServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked = yield* Deferred.make<void>()
    const abandoned = yield* Deferred.make<void>()
    const requests: Array<Received> = []
    const hanging: Array<{ readonly response: ServerResponse; readonly rest: string }> = []
    let connections = 0
    const answerTo = (request: Received, index: number): Answer =>
      typeof answers === "function" ? answers(request, index) : (answers[index] ?? answers.at(-1) ?? answers[0])

    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("close", () => {
        if (!response.writableFinished) Deferred.unsafeDone(abandoned, Effect.void)
      })
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        const received = {
          path: request.url ?? "",
          headers: request.headers,
          body: parsed(text),
        }
        requests.push(received)
        const { body, headers = {}, rest = "", status = 200, ending = "end" } = answerTo(received, requests.length - 1)
        if (ending === "drop") return request.socket.resetAndDestroy()
        if (ending === "mute") return Deferred.unsafeDone(asked, Effect.void)
        response.writeHead(status, { "content-type": "text/event-stream", ...headers })
        response.flushHeaders()
        response.write(body)
        Deferred.unsafeDone(asked, Effect.void)
        if (ending === "end") response.end()
        if (ending === "hang") hanging.push({ response, rest })
        if (ending === "reset") setImmediate(() => request.socket.resetAndDestroy())
      })
    })

    server.on("connection", () => connections++)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        }),
    )
    // A server that listens on TCP has an address with a port.
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      requests,
      asked: Deferred.await(asked),
      abandoned: Deferred.await(abandoned),
      endAll: Effect.sync(() => {
        for (const { response, rest } of hanging.splice(0)) response.end(rest)
      }),
      resetAll: Effect.sync(() => {
        for (const { response } of hanging.splice(0)) response.socket?.resetAndDestroy()
      }),
      connections: Effect.sync(() => connections),
    }
  })

const parsed = (text: string): unknown => {
  try {
    return text === "" ? null : JSON.parse(text)
  } catch {
    return text
  }
}

/** Server-sent events, one for each value, as Google frames them. */
export const events = (...values: ReadonlyArray<unknown>): string =>
  values.map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`).join("")
