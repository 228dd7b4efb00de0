/** How the server begins to listen, and ends whatever is open then. */
import * as http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import * as Server from "../../src/server/Server.ts"
import { isThorough } from "../thoroughness.ts"
import * as Serving from "../utils/Serving.ts"

/** How often all the room of the server is taken. */
const ROUNDS = isThorough ? 2 : 1

/** A request whose answer has begun; `closed` tells when its connection is gone. */
const openStream = (port: number) =>
  Effect.async<{ readonly closed: Promise<void> }>((resume) => {
    const request = http.get({ host: "127.0.0.1", port, agent: false }, (response) => {
      response.resume()
      const closed = new Promise<void>((resolve) => response.once("close", resolve))
      resume(Effect.succeed({ closed }))
    })
    request.on("error", () => {})
  })

describe("Server.listen", () => {
  it.live("ends connections that would never end by themselves when its scope closes, and frees the port", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { port, server } = yield* Scope.extend(Server.listen("127.0.0.1", 0), scope)
      server.on("request", (_, response) => void response.writeHead(200).write("begun"))
      const { closed } = yield* openStream(port)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => closed)
      assert.isFalse(server.listening)
      const again = yield* Effect.scoped(Server.listen("127.0.0.1", port))
      assert.strictEqual(again.port, port)
    }),
  )

  it.live("fails where another server listens, and says why", () =>
    Effect.gen(function* () {
      const { port } = yield* Server.listen("127.0.0.1", 0)
      const error = yield* Effect.flip(Server.listen("127.0.0.1", port))
      assert.include(error.message, "EADDRINUSE")
    }).pipe(Effect.scoped),
  )

  it.scopedLive("answers any path with the page, but none of the API that there is not", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        for (const path of ["/", "/any/path", "/apis", "/api"]) {
          const { body, status } = await client.send("GET", path)
          assert.deepStrictEqual([status, body], [200, "the page"], path)
        }
        for (const path of ["/api/none", "/api/", "/api/conversations/none/such"]) {
          const { body, status } = await client.send("GET", path)
          assert.deepStrictEqual([status, body.message], [404, "There is no such request."], path)
        }
      })
    }),
  )

  it.scopedLive("works on 256 requests at a time, refuses the next one, and has room again as they end", () =>
    Effect.gen(function* () {
      let held: Array<() => void> = []
      let notify = () => {}
      const handler = () =>
        new Promise<Response>((resolve) => {
          held.push(() => resolve(new Response("answered")))
          notify()
        })
      const client = yield* Serving.serve({ model: Serving.scripted([]), mcp: Effect.succeed(handler) })
      yield* Effect.promise(async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const full = new Promise<void>((resolve) => {
            notify = () => void (held.length === 256 && resolve())
          })
          const answers = Array.from({ length: 256 }, () => client.send("GET", "/mcp"))
          await full
          const { body, headers, status } = await client.send("GET", "/api/folder")
          assert.deepStrictEqual([status, headers["retry-after"], headers.connection], [429, "1", "close"])
          assert.match(body.message, /^vibe serve works on 256 requests at a time/)
          for (const release of held) release()
          held = []
          const statuses = new Set((await Promise.all(answers)).map((answer) => answer.status))
          assert.deepStrictEqual(statuses, new Set([200]))
          assert.strictEqual((await client.send("GET", "/api/folder")).status, 200)
        }
      })
    }),
  )
})
