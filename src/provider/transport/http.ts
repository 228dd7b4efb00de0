/** Makes the HTTP requests of every adapter. */

import * as Json from "../../base/Json.ts"
import * as Url from "../../base/Url.ts"
import type { Reason } from "../../model/ModelError.ts"
import * as HttpFetch from "../../process/Fetch.ts"
import { nextTurn } from "./eventLoop.ts"
import { MAX_ANSWER_CHARS } from "./unusableAnswer.ts"

/** An error response. The message is the body as received. */
export class HttpError extends Error {
  override readonly name = "HttpError"
  readonly status: number
  readonly headers: Headers
  /** The address of the request without secrets. It is undefined if the response belongs to no request of its own. */
  readonly address: string | undefined

  constructor(status: number, body: string, headers: Headers, address?: string) {
    super(body)
    this.status = status
    this.headers = headers
    this.address = address
  }

  /** Leaves out the body, which may be long and hold secrets. */
  override toString(): string {
    return `HTTP ${this.status}`
  }
}

/** A request that was not sent, and why. */
export class RequestNotSent extends Error {
  override readonly name = "RequestNotSent"
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason.message)
    this.reason = reason
  }
}

/** The server redirects to another address, shown without secrets. The request was not sent there. */
export class RedirectRefused extends Error {
  override readonly name = "RedirectRefused"

  constructor(target: URL | undefined) {
    const address = target === undefined ? "another address" : Url.withoutSecrets(target.href)
    super(`redirects to ${address}`)
  }
}

/** A body was longer than `limit` characters. */
export class BodyTooLong extends Error {
  override readonly name = "BodyTooLong"
  readonly limit: number

  constructor(limit: number) {
    super(`more than ${limit} characters`)
    this.limit = limit
  }
}

/** A body that contains no API response: the HTML page of a proxy, or an incomplete document. */
export class UnreadableBody extends Error {
  override readonly name = "UnreadableBody"

  /** `address` is the address of the request, named if a page answers at a wrong one. */
  constructor(body: string, address = "") {
    const isPage = body.trimStart().startsWith("<")
    const place = address === "" ? "" : ` of ${Url.withoutSecrets(address)}`
    super(isPage ? `the answer${place} was a page, not an API response` : "the answer was cut off")
  }
}

export type Fetch = typeof fetch

/** The most characters of an error response. A few hundred are enough; a longer one may never end. */
const MAX_ERROR_CHARS = 1_048_576

/**
 * Rejects with `HttpError` unless the status is 2xx. Follows no redirect and rejects with `RedirectRefused`. Otherwise
 * the other server would receive the conversation, and keys in headers that `fetch` does not know to be secret, such as
 * Gemini's.
 */
export const strictFetch =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" })
    if (response.ok) return response
    const body = await readUpTo(response, MAX_ERROR_CHARS)
    const address = input instanceof Request ? input.url : String(input)
    if (Url.isRedirect(response)) throw new RedirectRefused(Url.redirectTarget(response, address))
    throw new HttpError(response.status, body, response.headers, Url.withoutSecrets(address))
  }

/** Returns the text of a body, up to about `most` characters. The rest is not read. */
const readUpTo = async ({ body }: Response, most: number): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length >= most) break
  }
  return text
}

/**
 * Returns the address of a path below a base URL, with the query of the base. Throws a `TypeError` if the base is not a
 * URL.
 */
export const endpoint = (baseUrl: string, path: string): string => {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/$/, "")}${path}`
  return url.href
}

/** The headers of every request that sends or receives JSON. */
const jsonHeaders = { accept: "application/json", "content-type": "application/json" }

/** Returns the headers of a JSON request, with the key as a bearer token unless it is empty. */
export const headersFor = (key: string): Record<string, string> =>
  key === "" ? jsonHeaders : { ...jsonHeaders, authorization: `Bearer ${key}` }

/** The default `fetch`, which goes through the proxy that the environment names. */
export const globalFetch: Fetch = HttpFetch.live

/**
 * Returns the response to the request that an SDK sends. We read it ourselves: SDKs drop what they cannot parse, lose
 * the end of a stream, or wait for the next chunk when cancelled.
 */
export const captureResponse = async (fetch: Fetch, ask: (fetch: Fetch) => Promise<unknown>): Promise<Response> => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  await ask(async (input, init) => {
    const response = await fetch(input, init)
    resolve(response)
    return response
  })
  return promise
}

/**
 * The most characters of a whole body. Some servers use a hundred characters of framing per word, and calls and images
 * do not count as text.
 */
const MAX_BODY_CHARS = 32 * MAX_ANSWER_CHARS

/** The most characters of a part that has to be complete before it can be parsed. The largest images fit. */
const MAX_PENDING_CHARS = 4 * MAX_ANSWER_CHARS

/** Reads the JSON of a whole body. Rejects with `BodyTooLong`, or with a `SyntaxError` if the body is not JSON. */
export const readJson = async (response: Response): Promise<unknown> => {
  const text = await readUpTo(response, MAX_PENDING_CHARS + 1)
  if (text.length > MAX_PENDING_CHARS) throw new BodyTooLong(MAX_PENDING_CHARS)
  return Json.parse(text)
}

/**
 * The most bytes of a body that are read in one turn of the event loop. They can hold thousands of small events, which
 * take about ten milliseconds. A connection delivers up to 2 MB at once, on Node 22 up to 8 MB.
 */
const MAX_BYTES_PER_TURN = 32_768

/** Yields the bytes in slices for one turn each, without copying them. */
export function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_BYTES_PER_TURN) yield bytes.subarray(at, at + MAX_BYTES_PER_TURN)
}

/**
 * Reads a body as text. Calls `onText` whenever `delimiter` occurs in what is not parsed yet, and at the end of the
 * body. `delimiter` matches the end of a line or an event and may span four characters at most. `onText` returns the
 * unparsed rest, which precedes the next text. If it returns all of the text, it is called again only at the end of the
 * body. Rejects with `BodyTooLong`. If the function rejects, or `onText` throws, the body stays open: the caller aborts
 * the request.
 */
export const readText = async (
  { body, url }: Response,
  delimiter: RegExp,
  onText: (text: string, ended: boolean) => string,
): Promise<void> => {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let length = 0
  let rest = ""
  /** The end of `rest`, which may hold the beginning of a delimiter that the next text completes. */
  let unscanned = ""
  let isDocument = false
  let bytesInTurn = 0

  const parse = (text: string, ended: boolean): string => {
    try {
      return onText(text, ended)
    } catch (cause) {
      throw cause instanceof UnreadableBody ? new UnreadableBody(text, url) : cause
    }
  }

  const read = (bytes: Uint8Array | undefined): void => {
    const text = decoder.decode(bytes, { stream: bytes !== undefined })
    length += text.length
    if (length > MAX_BODY_CHARS) throw new BodyTooLong(MAX_BODY_CHARS)
    rest += text
    unscanned += text
    // Text without a delimiter is not scanned again whenever more of it arrives.
    if (bytes === undefined || (!isDocument && delimiter.test(unscanned))) {
      const unparsed = parse(rest, bytes === undefined)
      isDocument = unparsed.length === rest.length
      rest = unparsed
      unscanned = unparsed
    }
    unscanned = unscanned.slice(-3)
    if (rest.length > MAX_PENDING_CHARS) throw new BodyTooLong(MAX_PENDING_CHARS)
  }

  for (;;) {
    const { done, value } = await reader.read()
    if (done) return read(undefined)
    for (const bytes of slicesOf(value)) {
      bytesInTurn += bytes.length
      if (bytesInTurn > MAX_BYTES_PER_TURN) {
        await nextTurn()
        bytesInTurn = bytes.length
      }
      read(bytes)
    }
  }
}
