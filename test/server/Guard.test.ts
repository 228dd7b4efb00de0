/** Which requests are answered, by their host, their origin, their site and their token. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Guard from "../../src/server/Guard.ts"

const token = "the token"

/** Sends a request to a server on the port 4000, with the token unless another one is given. */
const send = (path: string, given: Record<string, string> = {}, method = "GET") =>
  Effect.gen(function* () {
    const redeemed: Array<string> = []
    const redeem = (code: string) =>
      Effect.sync(() => {
        redeemed.push(code)
        return code === "valid"
      })
    const headers = { host: "localhost:4000", authorization: `Bearer ${token}`, ...given }
    const request = HttpServerRequest.fromWeb(new Request(`http://localhost:4000${path}`, { method, headers }))
    const app = Effect.succeed(HttpServerResponse.text("answered"))
    const answer = yield* Guard.guard({ names: ["vibe.lan"], port: 4000, token, redeem })(app).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    )
    const response = HttpServerResponse.toWeb(answer)
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, text, headers: response.headers, redeemed }
  })

const noToken = { authorization: "" }

describe("the guard", () => {
  it.effect.each([
    ["localhost", 200],
    ["LOCALHOST:80", 200],
    ["127.0.0.1:4000", 200],
    ["10.0.0.7", 200],
    ["[::1]:4000", 200],
    ["[fe80::1]", 200],
    ["vibe.lan", 200],
    ["Vibe.LAN:9", 200],
    ["vibe.lan.evil.example", 403],
    ["evil.example", 403],
    ["127.0.0.1.evil.example", 403],
    ["1.2.3", 403],
    ["[fe80::1%evil.example]", 403],
    ["[127.0.0.1]", 403],
    ["::1", 403],
    ["localhost:port", 403],
    ["local host", 403],
    ["", 403],
  ] as const)("answers the host '%s' with %d", ([host, status]) =>
    Effect.map(send("/api/x", { host }), (answer) => {
      assert.strictEqual(answer.status, status)
      if (status === 403)
        assert.match(JSON.parse(answer.text).message, /^(?:The request names no host|The name ').*\.$/)
    }),
  )

  it.effect("quotes at most 253 characters of a name", () =>
    Effect.map(send("/", { host: `${"a".repeat(254)}.example` }), ({ text }) =>
      assert.include(text, `'${"a".repeat(253)}'`),
    ),
  )

  it.effect.each([
    [{ origin: "http://localhost:4000" }, 200],
    [{ origin: "https://localhost:4000" }, 200],
    [{ origin: "http://localhost" }, 403],
    [{ origin: "http://localhost:4001" }, 403],
    [{ origin: "ws://localhost:4000" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "none" }, 403],
  ] as const)("answers %o with %d", ([headers, status]) =>
    Effect.map(send("/api/x", headers), (answer) => assert.strictEqual(answer.status, status)),
  )

  it.effect.each([
    [{ authorization: "Bearer the token" }, 200],
    [{ authorization: "bearer the token" }, 200],
    [{ authorization: "Bearer the token " }, 200],
    [{ authorization: "Bearer the tokens" }, 401],
    [{ authorization: "Bearer" }, 401],
    [{ authorization: "Basic the token" }, 401],
    [{ authorization: "x Bearer the token" }, 401],
    [{ authorization: "", cookie: "vibe_4000=the%20token" }, 200],
    [{ authorization: "", cookie: "vibe_4001=the%20token" }, 401],
    // The header counts, if there is one.
    [{ authorization: "Bearer guess", cookie: "vibe_4000=the%20token" }, 401],
    [{ authorization: "" }, 401],
  ] as const)("takes %o as %d", ([headers, status]) =>
    Effect.map(send("/api/x", headers), (answer) => {
      assert.strictEqual(answer.status, status)
      if (status === 401) assert.match(JSON.parse(answer.text).message, /Authorization: Bearer TOKEN\.$/)
    }),
  )

  it.effect.each([
    ["/", 200],
    ["/index.html", 200],
    ["/app-1_a.js?x=1", 200],
    ["/a/b", 401],
    ["/api", 200],
    ["/api/", 401],
    ["/%61pi/x", 401],
    ["//api/x", 401],
    ["/mcp", 401],
    ["/MCP", 401],
    ["/mcp?x", 401],
    ["/mcps", 200],
    ["/?token", 403],
    ["/x?token=guess", 200],
    ["/api/x?token=the%20token", 401],
    ["/api/x?code=valid", 401],
  ] as const)("answers '%s' without a token with %d", ([path, status]) =>
    Effect.map(send(path, noToken), (answer) => {
      assert.strictEqual(answer.status, status)
      assert.deepStrictEqual(answer.redeemed, [])
    }),
  )

  it.effect("moves the token of an address to a cookie that only this server's pages send", () =>
    Effect.gen(function* () {
      const { headers, status } = yield* send("/?token=the%20token", { ...noToken, "sec-fetch-site": "cross-site" })
      assert.deepStrictEqual([status, headers.get("location")], [303, "/"])
      assert.deepStrictEqual(headers.get("set-cookie")?.split("; ").sort(), [
        "HttpOnly",
        "Path=/",
        "SameSite=Strict",
        "vibe_4000=the%20token",
      ])
      const refused = yield* send("/?token=guess")
      assert.deepStrictEqual([refused.status, refused.headers.get("set-cookie")], [403, null])
      assert.match(refused.text, /^This address has another token\. .*\.\n$/)
    }),
  )

  it.effect.each([
    ["GET", "valid", noToken, 303, ["valid"]],
    ["GET", "guess", noToken, 403, ["guess"]],
    ["HEAD", "valid", noToken, 403, []],
    ["POST", "valid", noToken, 403, []],
    ["GET", "guess", { authorization: "", cookie: "vibe_4000=the%20token" }, 303, []],
    ["HEAD", "guess", {}, 303, []],
  ] as const)("takes the %s of the code '%s' with %o as %d, and uses %o up", ([method, code, headers, status, used]) =>
    Effect.gen(function* () {
      const answer = yield* send(`/?code=${code}`, headers, method)
      assert.deepStrictEqual([answer.status, answer.redeemed], [status, used])
      assert.strictEqual(answer.headers.has("set-cookie"), status === 303)
    }),
  )

  it.effect.each([
    ["/", {}, 200],
    ["/api/x", {}, 200],
    ["/api/x", noToken, 401],
    ["/api/x", { host: "evil.example" }, 403],
    ["/?token=guess", {}, 403],
  ] as const)("confines the answer to '%s' with %o, whose status is %d", ([path, given, status]) =>
    Effect.gen(function* () {
      const { headers, status: actual } = yield* send(path, given)
      assert.strictEqual(actual, status)
      for (const [name, value] of [
        ["x-content-type-options", "nosniff"],
        ["x-frame-options", "DENY"],
        ["referrer-policy", "no-referrer"],
        ["cross-origin-opener-policy", "same-origin"],
        ["cross-origin-resource-policy", "same-origin"],
      ] as const) {
        assert.strictEqual(headers.get(name), value)
      }
    }),
  )
})
