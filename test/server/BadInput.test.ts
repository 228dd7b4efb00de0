/** What the server refuses, over real HTTP: clients without access, and requests that it does not read. */
import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { MAX_CONNECTIONS } from "../../src/server/EventHub.ts"
import * as Serving from "../utils/Serving.ts"
import { shared } from "../utils/shared.ts"

const serve = Serving.serve({ model: Serving.scripted(() => "answer") })

/** The server of all sentences that begin their own conversations, or none. */
const common = shared(Effect.interruptible(serve))

const served = <A>(use: (client: Serving.Client) => Promise<A>) =>
  Effect.flatMap(common, (client) => Effect.promise(() => use(client)))

describe("the guard over HTTP", () => {
  it.scopedLive("lets in requests that have the token, as a cookie or a bearer, and no others", () =>
    served(async ({ port, send }) => {
      const status = async (headers: Record<string, string>) =>
        (await send("GET", "/api/session", undefined, { authorization: "", ...headers })).status
      assert.strictEqual(await status({ authorization: `Bearer ${Serving.token}` }), 200)
      assert.strictEqual(await status({ cookie: `vibe_${port}=${Serving.token}` }), 200)
      assert.strictEqual(await status({}), 401)
      assert.strictEqual(await status({ authorization: "Bearer guess" }), 401)
      assert.strictEqual(await status({ cookie: `vibe_${port}=guess` }), 401)
      // The cookie of a server on another port.
      assert.strictEqual(await status({ cookie: `vibe_${port + 1}=${Serving.token}` }), 401)
      const wrong = await send("GET", "/?token=guess")
      assert.strictEqual(wrong.status, 403)
      // A person reads it.
      assert.match(wrong.headers["content-type"] ?? "", /^text\/plain/)
      assert.strictEqual(wrong.headers["x-frame-options"], "DENY")
      const moved = await send("GET", `/?token=${Serving.token}`)
      assert.strictEqual(moved.status, 303)
      assert.match(moved.headers["set-cookie"]?.[0] ?? "", /HttpOnly; SameSite=Strict/)
    }),
  )

  it.scopedLive("lets in a browser by a code that is valid once, and says what to open when it is not", () =>
    Effect.gen(function* () {
      const codes = new Set(["the code of the test"])
      const redeem = (code: string) => Effect.sync(() => codes.delete(code))
      const { port, send } = yield* Serving.serve({ model: Serving.scripted(() => "answer"), redeem })
      yield* Effect.promise(async () => {
        const open = (method: string, code: string, headers = {}) =>
          send(method, `/?code=${encodeURIComponent(code)}`, undefined, { authorization: "", ...headers })
        // A preview asks for the head alone.
        assert.strictEqual((await open("HEAD", "the code of the test")).status, 403)
        assert.strictEqual((await open("GET", "guess")).status, 403)
        const evil = { host: `evil.example:${port}` }
        assert.strictEqual((await open("GET", "the code of the test", evil)).status, 403)
        const foreign = { origin: "http://evil.example" }
        assert.strictEqual((await open("GET", "the code of the test", foreign)).status, 403)
        const first = await open("GET", "the code of the test", { "sec-fetch-site": "cross-site" })
        assert.deepStrictEqual([first.status, first.headers.location], [303, "/"])
        const [cookie = ""] = first.headers["set-cookie"]?.[0]?.split(";") ?? []
        assert.strictEqual(cookie, `vibe_${port}=${Serving.token}`)
        const second = await open("GET", "the code of the test")
        assert.strictEqual(second.status, 403)
        assert.match(second.body, /valid once, for ten minutes\. Open the address that vibe serve printed/)
        assert.isUndefined(second.headers["set-cookie"])
        // The browser that has used it may open it again.
        assert.strictEqual((await open("GET", "the code of the test", { cookie })).status, 303)
        // It opens the page alone.
        const path = "/api/session?code=the%20code%20of%20the%20test"
        assert.strictEqual((await send("GET", path, undefined, { authorization: "" })).status, 401)
      })
    }),
  )

  it.scopedLive("says how long a message and a text may be, and quotes no long value", () =>
    served(async ({ get, send }) => {
      const { conversation } = await get("/session")
      const refused = async (method: string, path: string, payload: object) => {
        const { body, status } = await send(method, `/api/conversations/${conversation}/${path}`, payload)
        assert.strictEqual(status, 400)
        return body.message
      }
      const message = { parent: conversation, text: "x".repeat(1_000_001) }
      assert.strictEqual(
        await refused("POST", "messages", message),
        "text: a message has at most 1,000,000 characters.",
      )
      assert.strictEqual(
        await refused("PUT", "document", { text: "x".repeat(2_000_001), version: 0 }),
        "text: the text of a document has at most 2,000,000 characters.",
      )
      const key = await refused("POST", "messages", { parent: conversation, text: "x", key: "k".repeat(10_000) })
      assert.match(key, /^key: .*…\.$/)
      assert.isBelow(key.length, 200)
    }),
  )

  it.scopedLive("needs the token however a path of the API is written", () =>
    served(async ({ send }) => {
      for (const path of [
        "/API/session",
        "/%61pi/session",
        "/%61%70%69/session",
        "//api/session",
        "/api//session",
        "/api/session/",
        "/./api/session",
        "/x/../api/session",
        "/api/session;x",
        "/api/session#x",
        "http://127.0.0.1//api/session",
      ]) {
        const { body, status } = await send("GET", path, undefined, { authorization: "" })
        assert.strictEqual(status, 401, path)
        assert.deepStrictEqual(Object.keys(body), ["message"], path)
        assert.strictEqual((await send("GET", path, undefined, { "sec-fetch-site": "cross-site" })).status, 403, path)
      }
      // As a browser asks for them before it has the cookie, or comes from elsewhere.
      const fromElsewhere = { authorization: "", "sec-fetch-site": "cross-site" }
      for (const path of ["/", "/page-Bv_c-1.js"]) {
        assert.strictEqual((await send("GET", path, undefined, fromElsewhere)).status, 200, path)
      }
    }),
  )

  it.scopedLive("answers at addresses and its names, with any port, which a page of the same address asks for", () =>
    served(async ({ port, send }) => {
      for (const host of [
        "localhost:8080",
        "192.0.2.7:80",
        `[::1]:${port}`,
        "[2001:db8::7]",
        "vibe.lan",
        "VIBE.lan:8080",
      ]) {
        for (const scheme of ["http", "https"]) {
          const { status } = await send("GET", "/api/session", undefined, { host, origin: `${scheme}://${host}` })
          assert.strictEqual(status, 200, host)
        }
      }
    }),
  )

  it.scopedLive(
    "refuses what is no address and no name that a URL has, and methods that are none of the protocol",
    () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const mcp = Effect.succeed(async (request: Request) => {
          asked.push(request.method)
          return Response.json({})
        })
        const { port, send } = yield* Serving.serve({ model: Serving.scripted(() => "answer"), mcp })
        yield* Effect.promise(async () => {
          for (const host of [
            "[fe80::1%evil.com]",
            "[fe80::1%25eth0]",
            `[::1%1]:${port}`,
            "[127.0.0.1]",
            `[127.0.0.1]:${port}`,
            "[vibe.lan]",
            "[localhost]",
            "[]",
            "[::1",
            "::1",
            "127.0.0.1:99999",
            "localhost:65536",
            "vibe.lan:80:80",
            "user@localhost",
            "localhost/x",
            "127.0.0.1%2f",
          ]) {
            for (const [method, path] of [
              ["POST", "/mcp"],
              ["GET", "/mcp"],
              ["GET", "/api/session"],
            ] as const) {
              const { body, status } = await send(method, path, method === "POST" ? {} : undefined, { host })
              assert.strictEqual(status, 403, `${method} ${path} of ${host}`)
              assert.match(body.message, /^[A-Z].*\.$/)
            }
          }
          assert.deepStrictEqual(asked, [])
          for (const method of ["TRACE", "PUT", "PATCH", "OPTIONS", "HEAD", "PROPFIND"]) {
            assert.strictEqual((await send(method, "/mcp")).status, 405, method)
          }
          for (const host of ["[::1]", `[::ffff:127.0.0.1]:${port}`, "127.0.0.1:65535", "vibe.lan"]) {
            assert.strictEqual((await send("POST", "/mcp", {}, { host })).status, 200, host)
          }
          for (const path of ["//", "//[", "///", "//%zz", "http://["])
            assert.isBelow((await send("GET", path)).status, 500)
        })
      }),
  )

  it.scopedLive("refuses a foreign host, a foreign origin, and pages of other servers of this machine", () =>
    served(async ({ port, send }) => {
      const refused = async (headers: Record<string, string>) => {
        const { body, status } = await send("POST", "/api/conversations", {}, headers)
        assert.strictEqual(status, 403)
        assert.match(body.message, /^[A-Z].*\.$/)
      }
      await refused({ host: "evil.example" })
      await refused({ host: `127.0.0.1.evil.example:${port}` })
      await refused({ host: `localhost.evil.example:${port}` })
      await refused({ host: `[::1].evil.example:${port}` })
      await refused({ host: "vibe.lan", origin: "http://vibe.lan.evil.example" })
      await refused({ host: `vibe.lan:${port}`, origin: "http://vibe.lan" })
      await refused({ origin: "https://evil.example" })
      await refused({ origin: `http://127.0.0.1:${port + 1}` })
      await refused({ origin: "null" })
      await refused({ "sec-fetch-site": "cross-site" })
      await refused({ "sec-fetch-site": "same-site" })
    }),
  )

  it.scopedLive("sends its headers with every answer, those of refusals included", () =>
    served(async ({ send }) => {
      for (const [path, headers] of [
        ["/api/session", {}],
        ["/api/nothing", {}],
        ["/api/session", { authorization: "" }],
        ["/", { host: "evil.example" }],
      ] as const) {
        const answer = await send("GET", path, undefined, headers)
        assert.strictEqual(answer.headers["x-frame-options"], "DENY")
        assert.strictEqual(answer.headers["x-content-type-options"], "nosniff")
      }
    }),
  )

  it.scopedLive(
    "leaves nothing in the forest for the page itself, nor for a conversation that is opened without a session",
    () =>
      Effect.gen(function* () {
        const { forest, get, port, send } = yield* serve
        const count = Effect.map(forest.roots(), (roots) => roots.length)
        const { conversation } = yield* Effect.promise(() => get("/session"))
        assert.strictEqual(yield* count, 1)
        const headers = [
          {},
          { cookie: `vibe_${port}=${Serving.token}` },
          { cookie: "vibe_session=guess", "user-agent": "health" },
        ]
        for (const given of [...headers, ...headers]) {
          for (const [method, path] of [
            ["GET", "/"],
            ["HEAD", "/"],
            ["GET", "/?health"],
            ["GET", "/nothing"],
            ["GET", `/api/conversations/${conversation}`],
          ] as const) {
            yield* Effect.promise(() => send(method, path, undefined, given))
          }
          const visited = yield* Effect.promise(() => send("PUT", "/api/session", { conversation }, given))
          assert.strictEqual(visited.status, 200)
          // The session is kept all the same.
          const cookie = visited.headers["set-cookie"]?.[0]?.split(";")[0] ?? assert.fail()
          const again = yield* Effect.promise(() => send("GET", "/api/session", undefined, { cookie }))
          assert.deepStrictEqual([again.body.conversation, again.headers["set-cookie"]], [conversation, undefined])
        }
        assert.strictEqual(yield* count, 1)
      }),
  )

  it.scopedLive("replaces a session cookie that is malformed, or that this forest does not know", () =>
    served(async ({ port, send }) => {
      for (const value of ["", "short", "AAAAAAAAAAAAAAAAAAAAAA", "'; drop table node; --"]) {
        const cookie = `vibe_session_${port}=${encodeURIComponent(value)}`
        const { headers, status } = await send("GET", "/api/session", undefined, { cookie })
        assert.strictEqual(status, 200)
        const set = headers["set-cookie"]?.[0] ?? ""
        assert.match(set, new RegExp(`^vibe_session_${port}=[\\w-]{22}; .*HttpOnly; SameSite=Strict`))
        assert.notInclude(set, "AAAAAAAAAAAAAAAAAAAAAA")
      }
    }),
  )
})

describe("requests that are not what they should be", () => {
  it.scopedLive("refuses a body of 50 MB before it is read, and answers the next request", () =>
    served(async (client) => {
      const { port } = client
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = net.connect(port, "127.0.0.1", () => {
          socket.write(
            `POST /api/conversations HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${Serving.token}\r\nContent-Type: application/json\r\nContent-Length: ${50 * 1024 * 1024}\r\n\r\n{`,
          )
        })
        let text = ""
        socket.setEncoding("utf8")
        socket.on("data", (chunk) => {
          text += chunk
          if (text.includes("\r\n\r\n")) {
            socket.destroy()
            resolve(text)
          }
        })
        socket.on("error", reject)
      })
      assert.match(answer, /^HTTP\/1\.1 413 /)
      assert.match(answer, /connection: close/i)
      assert.isString(await Serving.begin(client))
    }),
  )

  it.scopedLive("refuses invalid UTF-8, what is not JSON, another content type, and a body without a length", () =>
    served(async ({ send }) => {
      const post = (payload: unknown, headers: Record<string, string> = {}) =>
        send("POST", "/api/conversations", payload, headers)
      const utf8 = await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))
      assert.deepStrictEqual([utf8.status, utf8.body.message], [400, "The request is not valid UTF-8."])
      const json = await post("{ not json")
      assert.deepStrictEqual([json.status, json.body.message], [400, "The request is not valid JSON."])
      for (const other of [
        "text/plain",
        "application/json-seq",
        "application/json+x",
        "application/json5",
        "application/json, x",
        "x application/json",
        "",
      ]) {
        assert.strictEqual((await post({}, { "content-type": other })).status, 415, other)
      }
      for (const json of ["application/json;charset=utf-8", "Application/JSON ; charset=utf-8", "application/json;"]) {
        assert.notStrictEqual((await post({}, { "content-type": json })).status, 415, json)
      }
      assert.strictEqual(
        (await send("POST", "/api/conversations", undefined, { "transfer-encoding": "chunked" })).status,
        411,
      )
    }),
  )

  it.scopedLive("refuses a blank message, a wrong payload, and what is not there, each with a sentence", () =>
    served(async (client) => {
      const { send } = client
      const id = await Serving.begin(client)
      const say = (payload: unknown) => send("POST", `/api/conversations/${id}/messages`, payload)
      const blank = await say({ parent: id, text: " \n" })
      assert.deepStrictEqual([blank.status, blank.body.message], [400, "text: a message must not be blank."])
      assert.strictEqual((await say({ parent: id })).status, 400)
      assert.strictEqual((await say({ parent: id, text: "x".repeat(1_000_001) })).status, 400)
      assert.strictEqual((await say({ parent: "nowhere", text: "Hi" })).status, 404)
      assert.strictEqual((await say({ parent: id, text: "Hi", models: ["nonsense/model"] })).status, 400)
      assert.strictEqual((await say({ parent: id, text: "Hi", n: 9 })).status, 400)
      for (const path of ["/api/conversations/nowhere", "/api/nothing", "/api/conversations/%F0/x"]) {
        const { body, status } = await send("GET", path)
        assert.strictEqual(status, 404, path)
        assert.isString(body.message)
      }
      const version = await send("PUT", `/api/conversations/${id}/document`, { text: "mine", version: 7 })
      assert.strictEqual(version.status, 409)
      assert.strictEqual(version.body.document.version, 0)
      // Nothing of it was stored.
      assert.deepStrictEqual((await client.get(`/conversations/${id}`)).messages, [])
    }),
  )

  it.scopedLive("stores markup and odd characters as they are", () =>
    served(async (client) => {
      const id = await Serving.begin(client)
      const heard = await client.listen()
      const text = '<img src=x onerror=alert(1)>\u0000\u202e\ud800</script>{"a":1}'
      const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text })
      assert.strictEqual(message.text, text.toWellFormed())
      heard.close()
    }),
  )

  it.scopedLive("refuses more streams of events than it has room for, and has room again when they close", () =>
    Effect.gen(function* () {
      const client = yield* serve
      // All but the last two take no request.
      for (let index = 2; index < MAX_CONNECTIONS; index++) yield* client.hub.connect(() => {})
      yield* Effect.promise(async () => {
        const streams = [await client.listen(), await client.listen()]
        const { body, status } = await client.send("GET", "/api/events")
        assert.strictEqual(status, 503)
        assert.match(body.message, /streams of events open/)
        assert.isString(await Serving.begin(client))
        for (const { close } of streams) close()
        // The server notices a moment later.
        for (;;) {
          const again = await Promise.race([client.listen(), client.get("/session").then(() => undefined)])
          if (again !== undefined) return again.close()
        }
      })
    }),
  )
})
