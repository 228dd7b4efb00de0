/**
 * `fetch` for Google's SDK, which reads one form of stream only: it drops an event behind a comment, loses the last one
 * without a blank line after it, takes an HTML page for an empty answer and forgets the status of an empty error
 * (FAULTS 1.9).
 */

import type { ReadableStreamReadResult } from "node:stream/web"
import { split } from "./events.ts"
import { type Fetch, refusing } from "./http.ts"

/** Refuses as `refusing` does; else the body arrives as plain events, one `data` line each. */
export const mending = (fetch: Fetch): Fetch => {
  const send = refusing(fetch)
  return async (input, init) => {
    const response = await send(input, init)
    if (response.body !== null) mend(response.body)
    return response
  }
}

/** In its place, not in a stream around it: that would take longer than all else that is done with an answer. */
const mend = (body: ReadableStream<Uint8Array>): void => {
  const reader = body.getReader()
  Object.assign(body, { getReader: () => ({ read: mended(reader), releaseLock: () => reader.releaseLock() }) })
}

/** Reads on until there are whole events. */
const mended = (reader: ReadableStreamDefaultReader<Uint8Array>) => {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let pending = ""
  let ended = false
  return async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
    while (!ended) {
      const { done, value } = await reader.read()
      ended = done
      const { events, rest } = split(pending + decoder.decode(value, { stream: !done }), done)
      pending = rest
      if (events.length > 0) {
        return { done: false, value: encoder.encode(events.map((event) => `data: ${event}\n\n`).join("")) }
      }
    }
    return { done: true, value: undefined }
  }
}
