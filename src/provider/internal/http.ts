/** HTTP as every adapter does it. */
import type { Reason } from "../../model/ModelError.ts"

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

export type Fetch = typeof fetch

/** Rejects with `Refused` unless the status is 2xx: what SDKs make of a refusal, each makes differently. */
export const refusing =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok) throw new Refused(response.status, await response.text(), response.headers)
    return response
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
 * Hears the text of a body as it comes, and at its end what is left of it, which may be nothing. Where `hear` throws, the
 * body stays open: whoever sent the request aborts it.
 */
export const readText = async ({ body }: Response, hear: (text: string, ended: boolean) => void): Promise<void> => {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let ended = false; !ended; ) {
    const { done, value } = await reader.read()
    ended = done
    hear(decoder.decode(value, { stream: !done }), done)
  }
}
