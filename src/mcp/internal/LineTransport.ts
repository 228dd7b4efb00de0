/**
 * The stdio transport of the protocol, one JSON object on each line, for input of any kind. Every line gets an answer
 * or has no effect. A line that is no message, or too long, is answered with an error, under its id if it has one.
 *
 * The SDK's own transport ends at a line of 10 MB, leaves other lines that are no message without an answer, aborts the
 * calls under way when stdin ends, and reads on however many calls are waiting.
 */
import type { Readable, Writable } from "node:stream"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server"
import { isObject } from "../../base/Json.ts"
import { type Id, INVALID_REQUEST, messageIn, PARSE_ERROR } from "./JsonRpc.ts"

/** The most bytes of a line. A longer one is read to its end and thrown away, except for as much as may hold its id. */
const MAX_LINE = 4 * 1024 * 1024

/** No more input is read at this many requests without an answer, or at this many bytes that wait to be written. */
const MAX_REQUESTS = 1_000
const MAX_UNWRITTEN = 4 * 1024 * 1024

/** The number of bytes that are kept of each end of a line that is too long. */
const KEPT = 512

const LINE_FEED = 0x0a

export interface LineTransport extends Transport {
  /** Resolves when the client is gone: the input has ended, or the output is broken. */
  readonly ended: Promise<void>
  /** Resolves as soon as every request has an answer, or none can be answered any more. */
  readonly whenIdle: () => Promise<void>
}

export const make = (input: Readable, output: Writable): LineTransport => {
  const ended = Promise.withResolvers<void>()
  let waiting: Array<() => void> = []
  /** The ids of requests without an answer. */
  const open = new Set<Id>()
  let isClosed = false
  let isBroken = false

  const settle = () => {
    if (open.size > 0 && !isClosed && !isBroken) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  const hasRoom = () => open.size < MAX_REQUESTS && output.writableLength < MAX_UNWRITTEN
  const resume = () => {
    if (!isClosed && input.isPaused() && hasRoom()) input.resume()
  }
  const write = (message: JSONRPCMessage) => {
    if (!isClosed && !isBroken) output.write(`${JSON.stringify(message)}\n`)
  }
  const refuse = (id: Id | undefined, code: number, message: string) =>
    // JSON-RPC answers with `null` if no id can be read; the type of the SDK has no `null`.
    write({ jsonrpc: "2.0", id: id ?? null, error: { code, message } } as JSONRPCMessage)

  const receive = (line: string) => {
    // This also removes a byte order mark.
    const text = line.trim()
    if (text === "") return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return refuse(undefined, PARSE_ERROR, "Parse error: the line is not JSON")
    }
    const message = messageIn(value)
    if (message === undefined) {
      if (isReply(value)) return transport.onerror?.(new Error("The reply is no JSON-RPC 2.0 message."))
      return refuse(idIn(value), INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message")
    }
    if ("method" in message) {
      if ("id" in message) open.add(message.id)
      else if (message.method === "notifications/cancelled") {
        // The SDK sends no answer to a request that was cancelled.
        const id = message.params?.requestId
        if (typeof id === "string" || typeof id === "number") open.delete(id)
      }
    }
    transport.onmessage?.(message)
  }

  const lines = makeLines(receive, (ends) =>
    refuse(idAtEndOf(ends), INVALID_REQUEST, `Invalid request: the line is longer than ${MAX_LINE / 1024 / 1024} MB`),
  )
  const onData = (chunk: Buffer) => {
    lines.push(chunk)
    settle()
    if (!hasRoom()) input.pause()
  }
  const onEnd = () => {
    lines.end()
    ended.resolve()
  }
  const onBroken = (error: Error) => {
    isBroken = true
    transport.onerror?.(error)
    ended.resolve()
    settle()
  }

  const transport: LineTransport = {
    ended: ended.promise,
    whenIdle: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        settle()
      }),
    start: async () => {
      input.on("data", onData)
      input.on("end", onEnd)
      input.on("close", onEnd)
      input.on("error", onEnd)
      output.on("error", onBroken)
      output.on("drain", resume)
    },
    send: async (message) => {
      write(message)
      if (!("method" in message) && message.id !== undefined) open.delete(message.id)
      settle()
      resume()
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      input.off("data", onData)
      input.off("end", onEnd)
      input.off("close", onEnd)
      // The listeners of errors stay: a late error would end the process without them.
      output.off("drain", resume)
      input.pause()
      ended.resolve()
      settle()
      transport.onclose?.()
    },
  }
  return transport
}

/** Cuts chunks into lines. If a line is too long, `onTooLong` receives both its ends, and the rest is not kept. */
const makeLines = (onLine: (line: string) => void, onTooLong: (ends: Ends) => void) => {
  let parts: Array<Buffer> = []
  let size = 0
  let head: string | undefined
  let tail: Buffer = Buffer.alloc(0)

  const add = (part: Buffer) => {
    if (head === undefined) {
      parts.push(part)
      size += part.length
      if (size <= MAX_LINE) return
      const all = Buffer.concat(parts)
      head = all.subarray(0, KEPT).toString("utf8")
      tail = Buffer.from(all.subarray(-KEPT))
      parts = []
      return
    }
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-KEPT)]).subarray(-KEPT))
  }
  const finish = () => {
    const line = head === undefined ? Buffer.concat(parts).toString("utf8") : undefined
    const ends = { head: head ?? "", tail: tail.toString("utf8") }
    parts = []
    size = 0
    head = undefined
    if (line === undefined) onTooLong(ends)
    else onLine(line)
  }
  return {
    push: (chunk: Buffer) => {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        add(chunk.subarray(start, end))
        finish()
        start = end + 1
      }
      // The rest is copied: the end of the line may come much later, and the rest would keep the whole chunk in memory.
      if (start < chunk.length) add(Buffer.from(chunk.subarray(start)))
    },
    /** Ends the input. A last line without a line feed is an incomplete message. */
    end: () => {
      if (size > 0) finish()
    },
  }
}

interface Ends {
  readonly head: string
  readonly tail: string
}

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,16})\s*`
const first = new RegExp(String.raw`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*${ID}[,}]`)
const last = new RegExp(String.raw`,\s*${ID}\}\s*$`)

/** Returns the id of a message that is too long, if it is before or after its parameters. */
const idAtEndOf = ({ head, tail }: Ends): Id | undefined => {
  const text = first.exec(head)?.[1] ?? last.exec(tail)?.[1]
  const id: unknown = text === undefined ? undefined : parse(text)
  return typeof id === "string" || typeof id === "number" ? id : undefined
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns whether a value is a reply. A reply gets no reply, whatever is wrong with it: otherwise two programs would go
 * on for ever.
 */
const isReply = (value: unknown): boolean => isObject(value) && ("result" in value || "error" in value)

const idIn = (value: unknown): Id | undefined =>
  isObject(value) && (typeof value.id === "string" || typeof value.id === "number") ? value.id : undefined
