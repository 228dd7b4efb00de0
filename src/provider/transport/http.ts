/** HTTP as every adapter does it. */
import * as Address from "../../message/Address.ts"
import type { Reason } from "../../model/ModelError.ts"
import { longest } from "../shared/unusable.ts"
import { nextTurn } from "./eventLoop.ts"

/** The server refused. Its message is the body, as it came. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly status: number
  readonly headers: Headers

  constructor(status: number, body: string, headers: Headers) {
    super(body)
    this.status = status
    this.headers = headers
  }

  /** Without the body: where SDKs read of a time-out in an error, they forget the rest of it. */
  override toString(): string {
    return `HTTP ${this.status}`
  }
}

/** A request that was never sent, and why. */
export class NotSent extends Error {
  override readonly name = "NotSent"
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason.message)
    this.reason = reason
  }
}

/** The server redirects to another address, which is shown without secrets. The request was not sent there. */
export class Redirected extends Error {
  override readonly name = "Redirected"

  constructor(target: URL | undefined) {
    const address = target === undefined ? "another address" : Address.withoutSecrets(target.href)
    super(`redirects to ${address}`)
  }
}

/** A body that was given up after so many characters. */
export class TooLong extends Error {
  override readonly name = "TooLong"
  readonly most: number

  constructor(most: number) {
    super(`more than ${most} characters`)
    this.most = most
  }
}

export type Fetch = typeof fetch

/** In characters. A refusal says why in a few hundred; what goes on beyond this may go on for ever. */
const longestRefusal = 1_048_576

/**
 * Rejects with `Refused` unless the status is 2xx: what SDKs make of a refusal, each makes differently. Follows no
 * redirect and rejects with `Redirected`: the other server would receive the conversation, and keys in headers that
 * `fetch` does not know for keys, such as Gemini's.
 */
export const refusing =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" })
    if (response.ok) return response
    const body = await beginning(response, longestRefusal)
    if (!Address.isRedirect(response)) throw new Refused(response.status, body, response.headers)
    throw new Redirected(Address.redirectTarget(response, input instanceof Request ? input.url : String(input)))
  }

/** The text of a body; of one that has `most` characters and more, not all: the rest is not waited for. */
const beginning = async ({ body }: Response, most: number): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length >= most) break
  }
  return text
}

/** Whichever there is when it is called: not the one of the time when this was loaded. */
export const global: Fetch = (input, init) => globalThis.fetch(input, init)

/**
 * What the request of a client is answered with. It is read past the client: SDKs drop what they cannot read, lose the
 * end, or wait for more when they are let go (FAULTS 1.9), and none reads as quickly.
 */
export const responseOf = async (fetch: Fetch, ask: (fetch: Fetch) => Promise<unknown>): Promise<Response> => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  await ask(async (input, init) => {
    const response = await fetch(input, init)
    resolve(response)
    return response
  })
  return promise
}

/**
 * In characters: of all that tells an answer. Some tell each word in a hundred of them, and calls and pictures count as
 * no words.
 */
const longestBody = 32 * longest

/** In characters: of what has to be there whole before it can be read. The largest pictures fit. */
const longestRest = 4 * longest

/**
 * In bytes: how much of a body is read in one turn of the event loop. A flood of small events is thousands of them, some
 * ten milliseconds; connections bring up to 2 MB at once.
 */
const readInTurn = 32_768

/**
 * Hears the text of a body as it comes, as often as there is an `end` in it (of a line, of an event, in three characters
 * or fewer before its last), and at its own end. `hear` gives back what it can make nothing of yet, which may be nothing,
 * and gets it again in front of what comes next; where that is all it has got, it can make nothing of it before the end of
 * the body. Rejects with `TooLong`. Where it rejects, or `hear` throws, the body stays open: whoever sent the request
 * aborts it.
 */
export const readText = async (
  { body }: Response,
  end: RegExp,
  hear: (text: string, ended: boolean) => string,
): Promise<void> => {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let length = 0
  let rest = ""
  /** The last characters of `rest`. */
  let last = ""
  let isWaiting = false
  let inTurn = 0

  const read = (bytes: Uint8Array | undefined): void => {
    const text = decoder.decode(bytes, { stream: bytes !== undefined })
    length += text.length
    if (length > longestBody) throw new TooLong(longestBody)
    rest += text
    last += text
    // What has no end yet is not looked through again each time that more of it comes.
    if (bytes === undefined || (!isWaiting && end.test(last))) {
      const left = hear(rest, bytes === undefined)
      isWaiting = left.length === rest.length
      rest = left
      last = left
    }
    last = last.slice(-3)
    if (rest.length > longestRest) throw new TooLong(longestRest)
  }

  for (;;) {
    const { done, value } = await reader.read()
    if (done) return read(undefined)
    for (let at = 0; at < value.length; at += readInTurn) {
      const bytes = value.subarray(at, at + readInTurn)
      inTurn += bytes.length
      if (inTurn > readInTurn) {
        await nextTurn()
        inTurn = bytes.length
      }
      read(bytes)
    }
  }
}
