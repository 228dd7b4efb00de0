/** What the transport of lines reads, answers and waits for, with streams in memory. */
import { PassThrough, Writable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as LineTransport from "../../../src/mcp/internal/LineTransport.ts"

/** A turn of Node's event loop. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Returns a started transport with what it has received and written. */
const open = async (output: Writable = new PassThrough()) => {
  const input = new PassThrough()
  const transport = LineTransport.make(input, output)
  const received: Array<unknown> = []
  const errors: Array<string> = []
  let closed = 0
  transport.onmessage = (message) => void received.push(message)
  transport.onerror = ({ message }) => void errors.push(message)
  transport.onclose = () => void closed++
  await transport.start()
  const written: Array<unknown> = []
  let rest = ""
  if (output instanceof PassThrough) {
    output.on("data", (chunk: Buffer) => {
      const lines = `${rest}${chunk}`.split("\n")
      rest = lines.pop() ?? ""
      written.push(...lines.map((line) => JSON.parse(line)))
    })
  }
  const push = async (...lines: ReadonlyArray<string>) => {
    input.write(lines.map((line) => `${line}\n`).join(""))
    await turn()
    await turn()
  }
  /** Returns whether all requests have answers, as far as `whenIdle` knows. */
  const isIdle = async () => {
    let idle = false
    void transport.whenIdle().then(() => {
      idle = true
    })
    await turn()
    return idle
  }
  const answer = (id: string | number) => transport.send({ jsonrpc: "2.0", id, result: {} })
  return { input, output, transport, received, errors, written, push, isIdle, answer, closed: () => closed }
}

const request = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })

const refusal = (id: unknown, code: number) => [id, code]

describe("a line that is no message", () => {
  it.each([
    ["{", refusal(null, -32700)],
    ['"text"', refusal(null, -32600)],
    ["null", refusal(null, -32600)],
    ["7", refusal(null, -32600)],
    ["[]", refusal(null, -32600)],
    ["{}", refusal(null, -32600)],
    ['{"id":3}', refusal(3, -32600)],
    ['{"id":"three"}', refusal("three", -32600)],
    ['{"id":true}', refusal(null, -32600)],
    ['{"id":null,"method":"ping"}', refusal(null, -32600)],
    ['{"id":4,"method":"ping"}', refusal(4, -32600)],
  ] as const)("of '%s' is answered with its id and an error", async (line, expected) => {
    const { errors, push, received, written } = await open()
    await push(line)
    const [reply] = written as ReadonlyArray<{ id: unknown; error: { code: number } }>
    assert.deepStrictEqual([reply?.id, reply?.error.code], expected)
    assert.deepStrictEqual([written.length, received, errors], [1, [], []])
  })

  it.each(['{"id":3,"result":{}}', '{"id":3,"error":"no"}', '{"result":null}'])(
    "of '%s' is a reply, and gets none",
    async (line) => {
      const { errors, push, received, written } = await open()
      await push(line)
      assert.deepStrictEqual([written, received, errors.length], [[], [], 1])
    },
  )

  it("has no effect if it is blank", async () => {
    const { errors, push, received, written } = await open()
    await push("", "  ", "\t\r", "\ufeff")
    assert.deepStrictEqual([written, received, errors], [[], [], []])
  })
})

describe("the transport of lines", () => {
  it("reads messages however they are cut, and no last line twice", async () => {
    const { input, received, transport } = await open()
    const text = `${request(1)}\r\n\n${request("two")}\n${request(3)}`
    for (const byte of Buffer.from(text)) input.write(Buffer.from([byte]))
    await turn()
    assert.lengthOf(received, 2)
    input.end()
    await transport.ended
    await turn()
    input.emit("close")
    assert.deepStrictEqual(
      received.map((message) => (message as { id: unknown }).id),
      [1, "two", 3],
    )
  })

  it("reads no more at a thousand requests without an answer, and goes on with the next answer", async () => {
    const { answer, input, push } = await open()
    await push(...Array.from({ length: 999 }, (_, n) => request(n)))
    assert.isFalse(input.isPaused())
    await push(request(999))
    assert.isTrue(input.isPaused())
    await answer("unknown")
    assert.isTrue(input.isPaused())
    await answer(5)
    assert.isFalse(input.isPaused())
  })

  it("reads no more while 4 MB wait to be written, and goes on when they are", async () => {
    const blocked: Array<() => void> = []
    const output = new Writable({ write: (_, __, done) => void blocked.push(done) })
    const { input, push, transport } = await open(output)
    const empty = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { text: "" } }).length + 1
    const send = (bytes: number) =>
      transport.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(bytes - empty) } })
    await send(4 * 1024 * 1024 - 1)
    await push(request(1))
    assert.isFalse(input.isPaused())
    await send(empty)
    await push(request(2))
    assert.isTrue(input.isPaused())
    for (const done of blocked.splice(0)) done()
    await turn()
    for (const done of blocked.splice(0)) done()
    await turn()
    assert.isFalse(input.isPaused())
  })

  it("is idle when each request has an answer or was cancelled, and not before", async () => {
    const { answer, isIdle, push, transport } = await open()
    assert.isTrue(await isIdle())
    await push(request(1), request("two"), request(3))
    assert.isFalse(await isIdle())
    await answer(1)
    // A request of the server's own is no answer.
    await transport.send({ jsonrpc: "2.0", id: 3, method: "ping" })
    await push(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "two" } }))
    for (const params of [{}, { requestId: true }, undefined]) {
      await push(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }))
    }
    await push(JSON.stringify({ jsonrpc: "2.0", method: "notifications/other", params: { requestId: 3 } }))
    assert.isFalse(await isIdle())
    await answer(3)
    assert.isTrue(await isIdle())
  })

  it("writes and reads nothing once it is closed, which it is once", async () => {
    const { closed, input, isIdle, push, received, transport, written } = await open()
    await push(request(1))
    assert.isFalse(await isIdle())
    await transport.close()
    await transport.ended
    assert.isTrue(await isIdle())
    assert.isTrue(input.isPaused())
    await transport.send({ jsonrpc: "2.0", id: 1, result: {} })
    await push(request(2))
    input.emit("error", new Error("late"))
    await transport.close()
    assert.deepStrictEqual([closed(), received.length, written, input.isPaused()], [1, 1, [], true])
  })

  it("ends when the output breaks, says why, and writes nothing more", async () => {
    const { closed, errors, isIdle, output, push, transport, written } = await open()
    await push(request(1))
    output.emit("error", new Error("EPIPE"))
    await transport.ended
    assert.isTrue(await isIdle())
    await transport.send({ jsonrpc: "2.0", id: 1, result: {} })
    await turn()
    assert.deepStrictEqual([errors, written, closed()], [["EPIPE"], [], 0])
  })

  it.each(["end", "close", "error"])("ends at the event '%s' of its input", async (event) => {
    const { closed, input, transport } = await open()
    input.emit(event, new Error("reset"))
    await transport.ended
    assert.strictEqual(closed(), 0)
  })
})

const long = "x".repeat(4 * 1024 * 1024)

describe("a line of more than 4 MB", () => {
  it.each([
    ['{"id":7,"params":"', '"}', 7],
    ['{ "jsonrpc" : "2.0" , "method":"a", "id" : "se\\"ven" , "params":"', '"}', 'se"ven'],
    ['{"params":"', '","id":-7}', -7],
    ['{"params":"', '", "id" : "seven" } ', "seven"],
    ['{"params":{"id":7,"x":"', '"}}', null],
    ['{"params":"', '"}', null],
    ['{"id":7.5,"params":"', '"}', null],
    ['{"params":"', '","id":7}]', null],
    ['x{"id":7,"params":"', '"}', null],
    ['{"params":"', '"id":7}', null],
  ] as const)("that begins with %s and ends with %s is refused under the id %j", async (start, end, id) => {
    const { push, received, written } = await open()
    await push(`${start}${long}${end}`, request("next"))
    while (received.length === 0) await turn()
    const [reply] = written as ReadonlyArray<{ id: unknown; error: object }>
    assert.deepStrictEqual(reply, {
      jsonrpc: "2.0",
      id,
      error: { code: -32600, message: "Invalid request: the line is longer than 4 MB" },
    } as never)
    assert.lengthOf(received, 1)
  })

  it("is refused under an id at its end that arrives in small pieces", async () => {
    const { input, received, written } = await open()
    for (const piece of ['{"params":"', long, '","i', 'd":', "12", "}", `\n${request("next")}\n`]) {
      input.write(piece)
      await turn()
    }
    const [reply] = written as ReadonlyArray<{ id: unknown }>
    assert.deepStrictEqual([reply?.id, received.length], [12, 1])
  })
})
