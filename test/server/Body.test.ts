/** Which bodies of requests are read, and with which status others are refused. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Body from "../../src/server/Body.ts"

/** Answers with the body that it was given. */
const echo = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
  Effect.map(text, (body) => HttpServerResponse.text(`echo ${body}`)),
)

const send = (
  method: string,
  body: string | Uint8Array | ReadableStream | undefined,
  headers: Record<string, string>,
) =>
  Effect.gen(function* () {
    const init = { method, headers, ...(body !== undefined && { body, duplex: "half" }) }
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/api", init as RequestInit))
    const answer = yield* Body.check(echo).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.orDie,
    )
    const response = HttpServerResponse.toWeb(answer)
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, text, connection: response.headers.get("connection") }
  })

const json = (length: number, type = "application/json") => ({ "content-length": String(length), "content-type": type })

describe("Body.check", () => {
  it.effect.each([
    ["JSON", "POST", "[1]", json(3)],
    ["JSON with a charset", "PUT", "[1]", json(3, "application/json;charset=utf-8")],
    ["JSON with a space before its charset", "PATCH", "[1]", json(3, "application/json \t; charset=utf-8")],
    ["JSON in capitals", "DELETE", "[1]", json(3, "Application/JSON")],
    ["JSON with characters of several bytes", "POST", '"é€𝄞"', json(11)],
  ] as const)("passes on %s of a %s", ([, method, body, headers]) =>
    Effect.map(send(method, body, headers), ({ status, text }) =>
      assert.deepStrictEqual([status, text], [200, `echo ${body}`]),
    ),
  )

  it.effect.each([
    ["a GET", "GET", { "content-length": "nothing" }],
    ["a HEAD", "HEAD", { "transfer-encoding": "chunked" }],
    ["a POST without a body", "POST", { "content-length": "0", "content-type": "text/plain" }],
    ["a DELETE without a length", "DELETE", {}],
  ] as const)("passes on %s as it is", ([, method, headers]) =>
    Effect.map(send(method, undefined, headers), ({ status, text }) =>
      assert.deepStrictEqual([status, text], [200, "echo "]),
    ),
  )

  it.effect.each([
    [411, "The length of the request is missing.", "[1]", { "transfer-encoding": "chunked" }],
    [411, "The length of the request is missing.", "[1]", { "content-length": "three" }],
    [413, "A request has at most 32 MB.", "[1]", json(32 * 1024 * 1024 + 1)],
    [415, "A request carries JSON: content-type: application/json.", "[1]", json(3, "text/plain")],
    [415, "A request carries JSON: content-type: application/json.", "[1]", json(3, "application/jsonp")],
    [415, "A request carries JSON: content-type: application/json.", "[1]", json(3, "text/application/json")],
    [
      415,
      "A request carries JSON: content-type: application/json.",
      "[1]",
      { "content-length": "3", "content-type": "" },
    ],
    [400, "The request is not valid UTF-8.", new Uint8Array([0x22, 0xff, 0x22]), json(3)],
    [400, "The request is not valid JSON.", "[1", json(2)],
    // The length is at its limit.
    [400, "The request is not valid JSON.", "[1", json(32 * 1024 * 1024)],
  ] as const)("refuses with %d '%s', and closes the connection", ([status, message, body, headers]) =>
    Effect.map(send("POST", body, headers), (answer) =>
      assert.deepStrictEqual(
        [answer.status, JSON.parse(answer.text), answer.connection],
        [status, { message }, "close"],
      ),
    ),
  )

  it.effect("refuses a body whose connection breaks", () =>
    Effect.gen(function* () {
      const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) })
      const { status, text } = yield* send("POST", broken, json(3))
      assert.deepStrictEqual([status, JSON.parse(text)], [400, { message: "The request was cut off." }])
    }),
  )
})
