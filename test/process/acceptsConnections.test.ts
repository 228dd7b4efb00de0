import { createServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { acceptsConnections } from "../../src/process/acceptsConnections.ts"

/** A server that accepts connections and answers nothing, on a free port. */
const listening = Effect.acquireRelease(
  Effect.async<Server>((resume) => {
    const server = createServer((socket) => socket.on("error", () => {}).destroy())
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void))),
)

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : assert.fail("it does not listen")
}

const ask = (port: number, environment: Record<string, string> = {}) =>
  acceptsConnections(new URL(`http://127.0.0.1:${port}/api`), environment)

describe("acceptsConnections", () => {
  it.scopedLive("is true for a server that runs, and false once it has ended", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(
        Effect.gen(function* () {
          const port = portOf(yield* listening)
          assert.isTrue(yield* ask(port))
          return port
        }),
      )
      assert.isFalse(yield* ask(port))
    }),
  )

  it.scopedLive("is true for a server behind a proxy, and for a proxy without a valid address, without asking", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(listening, portOf))
      assert.isTrue(yield* ask(port, { http_proxy: "http://proxy.example:3128" }))
      assert.isTrue(yield* ask(port, { http_proxy: "gopher://proxy.example" }))
      assert.isFalse(yield* ask(port, { http_proxy: "http://proxy.example:3128", no_proxy: "127.0.0.1" }))
    }),
  )
})
