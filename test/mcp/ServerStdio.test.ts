import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref, TestClock } from "effect"
import { isThorough } from "../thoroughness.ts"
import { call, connect, initialize, text } from "./stdioClient.ts"

/** A turn of Node's event loop. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("A server of tools over stdio", () => {
  it.live("speaks the revisions before 2026", () =>
    Effect.gen(function* () {
      const { reply, send } = yield* connect
      yield* send(1, initialize)
      assert.strictEqual((yield* reply(1)).result?.protocolVersion, "2025-06-18")
      yield* send(2, call("hello"))
      assert.strictEqual(text(yield* reply(2)), "hello")
    }),
  )

  it.live("speaks the revision of 2026, which has no handshake", () =>
    Effect.gen(function* () {
      const { reply, send } = yield* connect
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      }
      yield* send(1, { method: "server/discover", params: { _meta } })
      assert.include((yield* reply(1)).result?.supportedVersions ?? [], "2026-07-28")
      yield* send(2, { ...call("hello"), params: { ...call("hello").params, _meta } })
      assert.strictEqual(text(yield* reply(2)), "hello")
    }),
  )

  it.live("answers a revision that it does not have with one that it has", () =>
    Effect.gen(function* () {
      const { reply, send } = yield* connect
      yield* send(1, { ...initialize, params: { ...initialize.params, protocolVersion: "1999-01-01" } })
      assert.match((yield* reply(1)).result?.protocolVersion ?? "", /^20\d\d-/)
    }),
  )

  it.live("answers a call that failed with the reason alone, marked as an error", () =>
    Effect.gen(function* () {
      const { begin, reply, send } = yield* connect
      yield* begin
      yield* send(1, call("fail"))
      const failed = yield* reply(1)
      assert.strictEqual(text(failed), "there is no such thing")
      assert.isTrue(failed.result?.isError)
      yield* send(2, call("Error: tool 'echo' failed: no"))
      assert.strictEqual(text(yield* reply(2)), "Error: tool 'echo' failed: no")
    }),
  )

  it.live("refuses an unknown tool by name, and lets the model read what is wrong with its arguments", () =>
    Effect.gen(function* () {
      const { begin, reply, send } = yield* connect
      yield* begin
      yield* send(1, { method: "tools/call", params: { name: "nope" } })
      assert.deepStrictEqual((yield* reply(1)).error, {
        code: -32602,
        message: "Unknown tool: nope. The tools are: echo",
      })
      yield* send(2, { method: "tools/call", params: { name: "echo" } })
      const { result } = yield* reply(2)
      assert.isTrue(result?.isError)
      assert.include(result?.content?.[0]?.text, "text: is missing")
    }),
  )

  for (const [what, line, id, code] of [
    ["text that is not JSON", "welcome to the shell", null, -32700],
    ["half a message", '{"jsonrpc":"2.0","id":1,"meth', null, -32700],
    ["a message without a method", '{"jsonrpc":"2.0","id":"x"}', "x", -32600],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
    ["another protocol", '{"id":7,"method":"ping"}', 7, -32600],
    ["a method that does not exist", '{"jsonrpc":"2.0","id":8,"method":"nope"}', 8, -32601],
  ] as const) {
    it.live(`answers ${what} with an error, and goes on`, () =>
      Effect.gen(function* () {
        const { begin, reply, send, write } = yield* connect
        yield* begin
        yield* write(line)
        assert.strictEqual((yield* reply(id)).error?.code, code)
        yield* send("next", call("hello"))
        assert.strictEqual(text(yield* reply("next")), "hello")
      }),
    )
  }

  it.live("answers nothing to replies, blank lines and notifications that it does not know", () =>
    Effect.gen(function* () {
      const { begin, messages, reply, send, write } = yield* connect
      yield* begin
      yield* write('{"id":3,"error":{}}')
      yield* write('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}')
      yield* write("")
      yield* write('{"jsonrpc":"2.0","method":"notifications/nope"}')
      yield* send("next", call("hello"))
      yield* reply("next")
      assert.lengthOf(messages, 2)
    }),
  )

  for (const [where, line] of [
    ["before", (text: string) => `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"text":"${text}"}}`],
    ["after", (text: string) => `{"method":"tools/call","params":{"id":9,"text":"${text}"},"jsonrpc":"2.0","id":5}`],
  ] as const) {
    it.live(`answers a line of 10 MB under its id, which is ${where} its parameters, and keeps none of it`, () =>
      Effect.gen(function* () {
        const { begin, input, reply, send } = yield* connect
        yield* begin
        const [start = "", end = ""] = line("MARK").split("MARK")
        const chunk = "x".repeat(1024 * 1024)
        input.write(start)
        for (let n = 0; n < 10; n++) input.write(chunk)
        input.write(`${end}\n`)
        assert.deepStrictEqual((yield* reply(5)).error, {
          code: -32600,
          message: "Invalid request: the line is longer than 4 MB",
        })
        yield* send("next", call("hello"))
        assert.strictEqual(text(yield* reply("next")), "hello")
      }),
    )
  }

  for (const how of ["at once", "in pieces"]) {
    it.live(`takes a line of exactly 4 MB that arrives ${how}, and refuses one that is a byte longer`, () =>
      Effect.gen(function* () {
        const { begin, input, reply } = yield* connect
        yield* begin
        const lineOf = (id: string, bytes: number) => {
          const [start = "", end = ""] = JSON.stringify({ jsonrpc: "2.0", id, ...call("MARK") }).split("MARK")
          return Buffer.from(`${start}${"x".repeat(bytes - start.length - end.length)}${end}\n`)
        }
        const write = (line: Buffer) => {
          const size = how === "at once" ? line.length : 1_000_003
          for (let start = 0; start < line.length; start += size) input.write(line.subarray(start, start + size))
        }
        const most = 4 * 1024 * 1024
        write(lineOf("most", most))
        // The result is cut, but it is the call's.
        assert.match(text(yield* reply("most")) ?? "", /^x{1000}/)
        write(lineOf("over", most + 1))
        assert.strictEqual((yield* reply("over")).error?.message, "Invalid request: the line is longer than 4 MB")
      }),
    )
  }

  it.live("answers many calls at once, each under its id", () =>
    Effect.gen(function* () {
      const { begin, reply, send } = yield* connect
      yield* begin
      const count = isThorough ? 1000 : 100
      for (let n = 0; n < count; n++) yield* send(n, call(`text ${n}`))
      for (let n = 0; n < count; n++) assert.strictEqual(text(yield* reply(n)), `text ${n}`)
    }),
  )

  it.live("runs sixteen calls at a time, and reads no more input while a thousand are waiting", () =>
    Effect.gen(function* () {
      const { begin, input, reply, running, send, slow } = yield* connect
      yield* begin
      for (let n = 0; n < 1000; n++) yield* send(n, call("slow"))
      yield* Effect.yieldNow()
      yield* send(1000, call("last"))
      assert.isTrue(input.isPaused())
      // Sixteen calls have begun, and no other one begins.
      yield* Effect.repeat(Effect.zipRight(turn, running), { until: ({ now }) => now === 16 })
      yield* turn
      yield* Deferred.succeed(slow, undefined)
      assert.strictEqual(text(yield* reply(1000)), "last")
      assert.strictEqual((yield* running).most, 16)
    }),
  )

  it.live("interrupts calls that the client cancels, answers nothing to them, and goes on, also after a thousand", () =>
    Effect.gen(function* () {
      const { begin, interrupted, messages, reply, send, write } = yield* connect
      yield* begin
      for (let n = 0; n < 1_100; n++) {
        yield* send(n, call("slow"))
        yield* Effect.yieldNow()
        yield* write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: n } }))
      }
      yield* Deferred.await(interrupted)
      yield* send("next", call("hello"))
      assert.strictEqual(text(yield* reply("next")), "hello")
      assert.lengthOf(messages, 2)
    }),
  )

  it.live("ends when the input ends, and answers the calls under way before", () =>
    Effect.gen(function* () {
      const { begin, input, reply, send, server, slow } = yield* connect
      yield* begin
      yield* send(1, call("slow"))
      input.end()
      yield* Deferred.succeed(slow, undefined)
      assert.strictEqual(text(yield* reply(1)), "slow")
      yield* Fiber.join(server)
    }),
  )

  it.effect("ends when the last call under way is answered, not before and not later", () =>
    Effect.gen(function* () {
      const { begin, input, interrupted, reply, send, server, slow } = yield* connect
      yield* begin
      yield* send(1, call("slow"))
      yield* send(2, call("hello"))
      input.end()
      assert.strictEqual(text(yield* reply(2)), "hello")
      yield* turn
      assert.isNull(server.unsafePoll())
      assert.isFalse(yield* Deferred.isDone(interrupted))
      yield* Deferred.succeed(slow, undefined)
      assert.strictEqual(text(yield* reply(1)), "slow")
      // The time stands still: nothing but the answer ends it.
      yield* Fiber.join(server)
    }),
  )

  it.effect("ends at once when each call under way was cancelled, whether its id is a number or a text", () =>
    Effect.gen(function* () {
      const { begin, input, send, server, write } = yield* connect
      yield* begin
      for (const requestId of [1, "one"]) {
        yield* send(requestId, call("slow"))
        yield* turn
        yield* write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }))
      }
      input.end()
      // The time stands still: no call counts as under way.
      yield* Fiber.join(server)
    }),
  )

  it.live("reads a line that begins with a byte order mark or ends with CR LF, and a cancel of nothing", () =>
    Effect.gen(function* () {
      const { begin, messages, reply, send, write } = yield* connect
      yield* begin
      yield* write(" \r")
      yield* write('{"jsonrpc":"2.0","method":"notifications/cancelled"}')
      yield* write(`\ufeff${JSON.stringify({ jsonrpc: "2.0", id: "bom", ...call("hello") })}\r`)
      assert.strictEqual(text(yield* reply("bom")), "hello")
      yield* send("next", call("again"))
      assert.strictEqual(text(yield* reply("next")), "again")
      assert.lengthOf(messages, 3)
    }),
  )

  it.live("ends when the input breaks", () =>
    Effect.gen(function* () {
      const { begin, input, server } = yield* connect
      yield* begin
      input.destroy(new Error("EIO"))
      yield* Fiber.join(server)
    }),
  )

  it.effect("ends within a second of the end of the input, and interrupts what is still under way", () =>
    Effect.gen(function* () {
      const { begin, input, interrupted, send, server } = yield* connect
      yield* begin
      yield* send(1, call("slow"))
      input.end()
      // The end is read in a later turn of the event loop.
      yield* turn
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.join(server)
      yield* Deferred.await(interrupted)
    }),
  )

  it.live("ends when the output breaks", () =>
    Effect.gen(function* () {
      const { begin, output, server } = yield* connect
      yield* begin
      output.destroy(new Error("EPIPE"))
      yield* Fiber.join(server)
    }),
  )

  it.effect("ends within a second of the process that has started it", () =>
    Effect.gen(function* () {
      const { begin, isGone, parent, server } = yield* connect
      yield* begin
      yield* TestClock.adjust("5 seconds")
      assert.isNull(server.unsafePoll())
      assert.isFalse(yield* isGone)
      yield* Ref.set(parent, 999)
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.join(server)
      assert.isTrue(yield* isGone)
    }),
  )
})
