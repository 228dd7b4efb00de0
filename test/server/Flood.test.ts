/** A flood of requests: each is answered or refused, and the server goes on. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isThorough } from "../thoroughness.ts"
import * as Serving from "../utils/Serving.ts"

/** Of an error of a connection; others are thrown again. */
const codeOf = (error: NodeJS.ErrnoException): string => {
  if (error.code === undefined) throw error
  return error.code
}

describe("a flood of requests", () => {
  it.scopedLive("is answered or refused, with a token or without, and the server goes on", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted(["Hello!"]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const paths = ["/conversations", `/conversations/${id}`, "/index", "/models"]
        const floods = Array.from({ length: isThorough ? 2000 : 100 }, (_, n) => {
          const headers = n % 5 === 4 ? { authorization: "Bearer a-token-that-is-wrong" } : {}
          return client.send("GET", `/api${paths[n % paths.length]}`, undefined, headers)
        })
        const statuses = new Set(
          await Promise.all(floods.map((flood) => flood.then(({ status }) => status).catch(codeOf))),
        )
        // The server closes connections beyond those that it keeps open at the same time.
        for (const status of statuses) assert.include([200, 401, 403, 429, 503, "ECONNRESET"], status)
        assert.isTrue(statuses.has(200))
        const heard = await client.listen()
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        await heard.until((event) => event.type === "answer" && event.answer.state === "done")
        heard.close()
      })
    }),
  )
})
