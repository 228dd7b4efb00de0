/** Requests of coding agents over HTTP, and the handler that answers them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Serving from "../utils/Serving.ts"

/** A server whose handler tells what it was asked. */
const serve = Effect.gen(function* () {
  let opened = 0
  const handler = async (request: Request) =>
    new Response(
      JSON.stringify({
        method: request.method,
        url: request.url,
        body: await request.text(),
        header: request.headers.get("x-agent"),
      }),
      { status: 202, headers: { "content-type": "application/json", "x-answer": "yes" } },
    )
  const mcp = Effect.sync(() => {
    opened++
    return handler
  })
  const client = yield* Serving.serve({ model: Serving.scripted([]), mcp })
  return { ...client, opened: () => opened }
})

describe("requests of coding agents", () => {
  it.scopedLive("reach the handler as they are, and its answer comes back as it is", () =>
    Effect.gen(function* () {
      const { port, send } = yield* serve
      yield* Effect.promise(async () => {
        for (const [method, payload] of [
          ["POST", { a: 1 }],
          ["GET", undefined],
          ["DELETE", undefined],
        ] as const) {
          const { body, headers, status } = await send(method, "/mcp", payload, { "x-agent": "test" })
          assert.deepStrictEqual([status, headers["x-answer"]], [202, "yes"])
          assert.deepStrictEqual(body, {
            method,
            url: `http://127.0.0.1:${port}/mcp`,
            body: payload === undefined ? "" : JSON.stringify(payload),
            header: "test",
          })
        }
      })
    }),
  )

  it.scopedLive("are refused without the token as a bearer, which no page sends, and with other methods", () =>
    Effect.gen(function* () {
      const { opened, port, send } = yield* serve
      yield* Effect.promise(async () => {
        const cookie = { authorization: "", cookie: `vibe_${port}=${Serving.token}` }
        const page = await send("POST", "/mcp", {}, cookie)
        assert.deepStrictEqual(
          [page.status, page.headers["www-authenticate"], page.body.message],
          [401, "Bearer", "Send the token of vibe serve: Authorization: Bearer TOKEN."],
        )
        for (const method of ["PUT", "PATCH", "OPTIONS"]) {
          const { body, headers, status } = await send(method, "/mcp")
          assert.deepStrictEqual(
            [status, headers.allow, body.message],
            [405, "GET, POST, DELETE", "Coding agents send POST requests here."],
            method,
          )
        }
        assert.strictEqual(opened(), 0)
      })
    }),
  )

  it.scopedLive("are answered with a sentence if there is a mistake in vibe itself", () =>
    Effect.gen(function* () {
      const { send } = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        const { body, status } = await send("POST", "/mcp", {})
        assert.deepStrictEqual([status, body], [500, { message: "A mistake in vibe itself: its log says more." }])
      })
    }),
  )
})
