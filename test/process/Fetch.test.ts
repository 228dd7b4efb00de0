import * as http from "node:http"
import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fetch from "../../src/process/Fetch.ts"
import { redactCredentials } from "../../src/provider/transport/errors.ts"

/** Listens on a free port of this machine until the scope closes, and returns the port. */
const listen = <S extends net.Server>(server: S) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<S>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          if (server instanceof http.Server) server.closeAllConnections()
          server.close()
        }),
    ),
    (server) => {
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    },
  )

/** A proxy that answers every request itself, and refuses to tunnel. */
const proxy = Effect.gen(function* () {
  const seen: Array<string> = []
  const server = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? "-"}`)
    response.end("through the proxy")
  })
  server.on("connect", (request: http.IncomingMessage, socket: net.Socket) => {
    seen.push(`CONNECT ${request.url}`)
    socket.on("error", () => {})
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
  })
  return { seen, port: yield* listen(server) }
})

const textOf = (fetch: typeof globalThis.fetch, url: string) =>
  Effect.tryPromise({ try: async () => (await fetch(url)).text(), catch: (cause) => cause })

/** Turns of the event loop without progress after which a client has paused the connection. */
const IDLE_TURNS = 200

/**
 * Sends a response of one write and closes the connection. `settled` resolves when it is closed on both sides, or when
 * the client has paused it: undici 8 does not read on until the body is asked for.
 */
const closingServer = (response: string) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = net.createServer((socket) => {
    let left = { bytes: -1, turns: IDLE_TURNS }
    const watch = () => {
      const bytes = socket.writableLength
      left = { bytes, turns: bytes === left.bytes ? left.turns - 1 : IDLE_TURNS }
      if (left.turns === 0 || socket.closed) resolve()
      else setImmediate(watch)
    }
    socket.on("error", () => {})
    socket.on("close", () => resolve())
    socket.once("data", () => {
      socket.end(response)
      watch()
    })
  })
  return { server, settled: promise }
}

describe("fetch", () => {
  it.scoped("sends a request for an http URL to the proxy, and nothing to the host", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* proxy
      const fetch = Fetch.make(() => ({ HTTP_PROXY: `http://me:pass%20word@127.0.0.1:${port}` }))
      assert.strictEqual(yield* textOf(fetch, "http://models.invalid/v1/models?q=1"), "through the proxy")
      const credentials = Buffer.from("me:pass word").toString("base64")
      assert.deepStrictEqual(seen, [`GET http://models.invalid/v1/models?q=1 Basic ${credentials}`])
    }),
  )

  it.scoped("asks the proxy for a tunnel to the host of an https URL, and names it in the error", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* proxy
      const fetch = Fetch.make(() => ({ ALL_PROXY: `http://127.0.0.1:${port}` }))
      const cause = yield* Effect.flip(textOf(fetch, "https://models.invalid/v1"))
      assert.deepStrictEqual(seen, ["CONNECT models.invalid:443"])
      assert.instanceOf(cause, Fetch.ProxyError)
      assert.strictEqual(
        cause.message,
        `no connection through the proxy http://127.0.0.1:${port} (ALL_PROXY): it requires a name and a password that it knows, as NAME:PASSWORD@ before its host`,
      )
      assert.strictEqual(redactCredentials(cause.message), cause.message)
    }),
  )

  it.scoped.each([403, 500, 502, 503])("says that the proxy refuses a tunnel with HTTP %d", (status) =>
    Effect.gen(function* () {
      const server = http.createServer()
      server.on("connect", (_, socket: net.Socket) => {
        socket.on("error", () => {})
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-type: text/html\r\n\r\n<html></html>`)
      })
      const port = yield* listen(server)
      const fetch = Fetch.make(() => ({ HTTPS_PROXY: `http://127.0.0.1:${port}` }))
      const cause = yield* Effect.flip(textOf(fetch, "https://models.invalid/v1"))
      assert.strictEqual(
        String(cause),
        `ProxyError: no connection through the proxy http://127.0.0.1:${port} (HTTPS_PROXY): it refuses the connection with HTTP ${status}`,
      )
    }),
  )

  it.scoped("reads the variables with each request, and goes to hosts of NO_PROXY directly", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* proxy
      const direct = yield* listen(http.createServer((_, response) => response.end("direct")))
      let environment: Record<string, string> = { http_proxy: `127.0.0.1:${port}` }
      const fetch = Fetch.make(() => environment)
      const url = `http://127.0.0.1:${direct}/`
      assert.strictEqual(yield* textOf(fetch, url), "through the proxy")
      environment = { ...environment, no_proxy: "127.0.0.0/8" }
      assert.strictEqual(yield* textOf(fetch, url), "direct")
      assert.lengthOf(seen, 1)
    }),
  )

  it.scoped("names a proxy that cannot be reached, without its password", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(listen(net.createServer()))
      const fetch = Fetch.make(() => ({ https_proxy: `http://me:secret@127.0.0.1:${port}` }))
      const cause = yield* Effect.flip(textOf(fetch, "https://models.invalid/v1"))
      assert.strictEqual(
        String(cause),
        `ProxyError: no connection through the proxy http://127.0.0.1:${port} (https_proxy): connect ECONNREFUSED 127.0.0.1:${port}`,
      )
    }),
  )

  it.effect("rejects with the reason of an abort, not with an error of the proxy", () =>
    Effect.gen(function* () {
      const fetch = Fetch.make(() => ({ http_proxy: "127.0.0.1:9" }))
      const reason = new Error("stopped")
      const signal = AbortSignal.abort(reason)
      const cause = yield* Effect.flip(
        Effect.tryPromise({ try: () => fetch("http://models.invalid", { signal }), catch: (cause) => cause }),
      )
      assert.strictEqual(cause, reason)
    }),
  )

  it.effect("does not send a request if the variable holds no proxy", () =>
    Effect.gen(function* () {
      const fetch = Fetch.make(() => ({ http_proxy: "gopher://x" }))
      const cause = yield* Effect.flip(textOf(fetch, "http://models.invalid"))
      assert.include(String(cause), "http_proxy has a proxy of the kind gopher")
    }),
  )

  describe.each([65_536, 200_000, 1_000_000, 8_000_000])(
    "of %d bytes, all sent before the connection is closed",
    (size) => {
      it.scoped.each([
        ["with a length", `content-length: ${size}\r\n\r\n`],
        ["without one", "\r\n"],
      ])("reads the whole response later, %s", ([, head]) =>
        Effect.gen(function* () {
          const body = "x".repeat(size)
          const { server, settled } = closingServer(`HTTP/1.1 200 OK\r\nconnection: close\r\n${head}${body}`)
          const port = yield* listen(server)
          const response = yield* Effect.promise(() => Fetch.make(() => ({}))(`http://127.0.0.1:${port}/`))
          yield* Effect.promise(() => settled)
          assert.strictEqual((yield* Effect.promise(() => response.text())).length, size)
        }),
      )
    },
  )
})
