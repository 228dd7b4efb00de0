/** Reads the body of a request: a limited number of bytes that are JSON in UTF-8, read whole or not at all. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/**
 * Large enough for the pictures of a message in base64 and the longest text of one with each of its characters escaped,
 * and for the longest text beside a conversation.
 */
const MAX_BYTES = 32 * 1024 * 1024

const METHODS = new Set(["POST", "PUT", "PATCH", "DELETE"])

/** Refuses a body that is too long or whose length is unknown before it is read, and one that is not JSON in UTF-8. */
export const check = <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!METHODS.has(request.method)) return yield* app
    const { headers } = request
    const length = Number(headers["content-length"] ?? (headers["transfer-encoding"] === undefined ? 0 : Number.NaN))
    if (Number.isNaN(length)) return refuse(411, "The length of the request is missing.")
    if (length > MAX_BYTES) return refuse(413, `A request has at most ${MAX_BYTES / 1024 / 1024} MB.`)
    if (length === 0) return yield* app
    if (!/^application\/json[ \t]*(?:;|$)/i.test(headers["content-type"] ?? "")) {
      return refuse(415, "A request carries JSON: content-type: application/json.")
    }
    const bytes = yield* Effect.option(readBytes(request))
    if (bytes._tag === "None") return refuse(400, "The request was cut off.")
    const text = decode(bytes.value)
    if (text === undefined) return refuse(400, "The request is not valid UTF-8.")
    if (!isJson(text)) return refuse(400, "The request is not valid JSON.")
    return yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, withText(request, text))
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** `arrayBuffer` of the request copies all earlier bytes with each piece, which takes seconds for 20 MB. */
const readBytes = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.suspend(() => {
    const pieces: Array<Uint8Array> = []
    const read = Stream.runForEach(request.stream, (piece) => Effect.sync(() => pieces.push(piece)))
    return Effect.map(read, () => Buffer.concat(pieces))
  })

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the request with a body that has been read. The prototype derives `json` from `text`. */
const withText = (request: HttpServerRequest.HttpServerRequest, text: string): HttpServerRequest.HttpServerRequest =>
  Object.create(request, { text: { value: Effect.succeed(text) } })

/** Closes the connection too: the bytes that were not read would be taken for the next request. */
const refuse = (status: number, message: string) =>
  HttpServerResponse.unsafeJson({ message }, { status, headers: { connection: "close" } })
