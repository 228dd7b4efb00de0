/** What the transport reads of a program's output, with a program in memory. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Option, Queue } from "effect"
import * as ClientTransport from "../../../src/mcp/internal/ClientTransport.ts"
import type * as ChildProcess from "../../../src/process/ChildProcess.ts"

type Output = ChildProcess.Output

const out = (text: string): Output => ({ _tag: "Stdout", text })
const err = (text: string): Output => ({ _tag: "Stderr", text })

/** Returns a transport that was not started, of a program that prints what the test says. */
const open = Effect.gen(function* () {
  const outputs = yield* Queue.unbounded<Option.Option<ReadonlyArray<Output>>>()
  const ended = yield* Deferred.make<ChildProcess.Ended>()
  const written: Array<string> = []
  const running = {
    next: Queue.take(outputs),
    ended: Deferred.await(ended),
    write: (text: string) => Effect.sync(() => void written.push(text)),
  } as unknown as ChildProcess.Interactive
  const { ending, lastWords, transport } = yield* ClientTransport.make(running)
  const received: Array<unknown> = []
  let closed = 0
  transport.onmessage = (message) => void received.push(message)
  transport.onclose = () => void closed++
  const settle = Effect.promise(async () => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve))
  })
  const print = (...all: ReadonlyArray<Output>) => Effect.zipRight(Queue.offer(outputs, Option.some(all)), settle)
  const end = (how: ChildProcess.Ended) =>
    Queue.offer(outputs, Option.none()).pipe(Effect.zipRight(Deferred.succeed(ended, how)), Effect.zipRight(settle))
  const start = Effect.promise(() => transport.start())
  return { transport, start, print, end, ending, lastWords, received, written, closed: () => closed }
})

const reply = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}`

describe("the transport of a program", () => {
  it.scoped("reads messages however their lines are cut, once it is started", () =>
    Effect.gen(function* () {
      const { ending, lastWords, print, received, start } = yield* open
      yield* print(out(`${reply(1)}\n`))
      assert.deepStrictEqual(received, [])
      yield* start
      yield* print(out(reply(2).slice(0, 9)), err("a note"), out(reply(2).slice(9)))
      yield* print(out(`\r\n\n  \n${reply(3)}\n${reply(4)}`))
      assert.deepStrictEqual(
        received.map((message) => (message as { id: number }).id),
        [1, 2, 3],
      )
      yield* print(out("\n"))
      assert.lengthOf(received, 4)
      assert.deepStrictEqual([ending(), lastWords()], [undefined, "a note"])
    }),
  )

  it.scoped("takes requests, notifications and answers, whose results it mends, and remembers other lines", () =>
    Effect.gen(function* () {
      const { lastWords, print, received, start } = yield* open
      yield* start
      for (const line of [
        '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        '{"jsonrpc":"2.0","method":"notifications/x"}',
        '{"jsonrpc":"2.0","id":1,"result":"text"}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
      ]) {
        yield* print(out(`${line}\n`))
      }
      assert.lengthOf(received, 4)
      assert.deepStrictEqual(received[2], { jsonrpc: "2.0", id: 1, result: { content: "text" } })
      for (const line of ["Welcome!", "{", "3", "null", '{"id":1,"result":{}}']) yield* print(out(`${line}\n`))
      assert.lengthOf(received, 4)
      assert.strictEqual(lastWords(), 'Welcome!\n{\n3\nnull\n{"id":1,"result":{}}\n')
      yield* print(err("It is "), err("lost."))
      assert.strictEqual(lastWords(), "It is lost.")
    }),
  )

  it.scoped("remembers the last 8,192 characters of each stream", () =>
    Effect.gen(function* () {
      const { lastWords, print, start } = yield* open
      yield* start
      yield* print(err("a".repeat(8_191)), err("bc"))
      assert.strictEqual(lastWords(), `${"a".repeat(8_190)}bc`)
      yield* print(err("d".repeat(9_000)))
      assert.strictEqual(lastWords(), "d".repeat(8_192))
    }),
  )

  it.scoped("goes on after a message that the client refuses", () =>
    Effect.gen(function* () {
      const { closed, print, start, transport } = yield* open
      yield* start
      let count = 0
      transport.onmessage = () => {
        count++
        throw new Error("an answer to no request")
      }
      yield* print(out(`${reply(1)}\n${reply(2)}\n`))
      yield* print(out(`${reply(3)}\n`))
      assert.deepStrictEqual([count, closed()], [3, 0])
    }),
  )

  it.scoped.each([
    [{ code: 3, signal: null }, "ended with exit code 3"],
    [{ code: null, signal: "SIGKILL" }, "was killed by SIGKILL"],
  ] as const)("says of the end %o '%s', and closes", ([how, why]) =>
    Effect.gen(function* () {
      const { closed, end, ending, print, received, start } = yield* open
      yield* start
      yield* print(out(`${reply(1)}\n`))
      assert.deepStrictEqual([ending(), closed()], [undefined, 0])
      yield* end(how)
      assert.deepStrictEqual([ending(), closed(), received.length], [why, 1, 1])
    }),
  )

  it.scoped("ends at a line of more than 64 MB, and at none of that length", () =>
    Effect.gen(function* () {
      const { closed, ending, print, start } = yield* open
      yield* start
      const part = "x".repeat(32 * 1024 * 1024)
      yield* print(out(part), out(part))
      assert.isUndefined(ending())
      yield* print(out(`\n${part}`))
      yield* print(out(part))
      assert.isUndefined(ending())
      yield* print(out("x"))
      assert.deepStrictEqual([ending(), closed()], ["sent a line of more than 64 MB", 1])
    }),
  )

  it.scoped("writes one message in each line, and closes at the client's word", () =>
    Effect.gen(function* () {
      const { closed, ending, transport, written } = yield* open
      yield* Effect.promise(() => transport.send({ jsonrpc: "2.0", method: "a\nb" }))
      assert.deepStrictEqual(written, ['{"jsonrpc":"2.0","method":"a\\nb"}\n'])
      yield* Effect.promise(() => transport.close())
      assert.deepStrictEqual([closed(), ending()], [1, undefined])
    }),
  )
})
