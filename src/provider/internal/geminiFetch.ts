/**
 * `fetch` for the SDK, which reads one form of stream only: it drops an event behind a comment, loses the last one
 * without a blank line after it, takes an HTML page for an empty answer and forgets the status of an empty error
 * (FAULTS 1.9).
 */

import type { ReadableStreamReadResult } from "node:stream/web"

/** The server refused. Like the SDK's own `ApiError` it has the body for its message. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly status: number
  readonly headers: Headers

  constructor(status: number, body: string, headers: Headers) {
    super(body)
    this.status = status
    this.headers = headers
  }
}

/** A body that no answer can be read from. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

/** Rejects with `Refused` unless the status is 2xx; else the body arrives as plain events, one `data` line each. */
export const mendedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!response.ok) throw new Refused(response.status, await response.text(), response.headers)
  if (response.body !== null) mend(response.body)
  return response
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

/**
 * The data of the events that `text` holds whole, and what is left over until more has come. A bare JSON document,
 * first thing or after some events, is an event, and so is each item of a JSON array; `[DONE]` is none. Throws
 * `Unreadable` on anything else.
 */
export const split = (
  text: string,
  ended: boolean,
): { readonly events: ReadonlyArray<string>; readonly rest: string } => {
  const events: Array<string> = []
  let rest = text.trimStart()
  while (rest !== "") {
    if (/^[[{<]/.test(rest)) {
      if (ended) events.push(...documents(rest))
      return { events, rest: ended ? "" : rest }
    }
    const gap = /\r?\n\r?\n|\r\r/.exec(rest)
    if (gap === null && !ended) return { events, rest }
    const data = dataOf(gap === null ? rest : rest.slice(0, gap.index))
    if (data !== "" && data !== "[DONE]") events.push(data)
    rest = gap === null ? "" : rest.slice(gap.index + gap[0].length).trimStart()
  }
  return { events, rest }
}

const dataOf = (event: string): string =>
  event
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trim()] : []))
    .filter((line) => line !== "")
    .join("\n")

const documents = (text: string): ReadonlyArray<string> => {
  try {
    const document: unknown = JSON.parse(text)
    return (Array.isArray(document) ? document : [document]).map((item) => JSON.stringify(item))
  } catch {
    throw new Unreadable(text.startsWith("<") ? "the answer was a page, not an API response" : "the answer was cut off")
  }
}
