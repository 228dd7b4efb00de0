/** A client of a server over its stdin and stdout, line by line. */
import { PassThrough, Writable } from "node:stream"
import { assert } from "@effect/vitest"
import { Deferred, Effect, Ref, Schema } from "effect"
import * as ServedTools from "../../src/mcp/ServedTools.ts"
import * as ServerStdio from "../../src/mcp/ServerStdio.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

interface Message {
  readonly id?: number | string | null
  readonly result?: {
    readonly content?: ReadonlyArray<{ readonly text: string }>
    readonly isError?: boolean
    readonly protocolVersion?: string
    readonly supportedVersions?: ReadonlyArray<string>
  }
  readonly error?: { readonly code: number; readonly message: string }
}

export const initialize = {
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } },
}

export const call = (text: string) => ({ method: "tools/call", params: { name: "echo", arguments: { text } } })

/** A server with a tool `echo`, and a client that writes lines. The test ends the call of `slow`. */
export const connect = Effect.gen(function* () {
  const slow = yield* Deferred.make<void>()
  const interrupted = yield* Deferred.make<void>()
  const running = yield* Ref.make({ now: 0, most: 0 })
  const echo = Tool.make({
    name: "echo",
    description: "Echoes",
    parameters: Schema.Struct({ text: Schema.String }),
    readOnly: true,
    run: ({ text }) =>
      Effect.gen(function* () {
        yield* Ref.update(running, ({ most, now }) => ({ now: now + 1, most: Math.max(most, now + 1) }))
        if (text === "fail") return yield* Tool.fail("there is no such thing")
        if (text === "slow") {
          yield* Effect.onInterrupt(Deferred.await(slow), () => Deferred.succeed(interrupted, undefined))
        } else yield* Effect.yieldNow()
        yield* Ref.update(running, ({ most, now }) => ({ now: now - 1, most }))
        return text
      }),
  })
  const input = new PassThrough()
  const messages: Array<Message> = []
  let waiting: Array<() => void> = []
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (const line of chunk.toString().split("\n")) if (line !== "") messages.push(JSON.parse(line))
      for (const wake of waiting) wake()
      waiting = []
      done()
    },
  })
  const parent = yield* Ref.make(1)
  const isGone = yield* Ref.make(false)
  const tools = ToolRegistry.make([echo])
  const served = yield* ServedTools.make({ name: "test", version: "0", instructions: "Echo.", tools })
  const server = yield* Effect.fork(
    Effect.provideService(ServerStdio.serve(served), ServerStdio.Streams, {
      input,
      output,
      parent: Ref.get(parent),
      onGone: Ref.set(isGone, true),
    }),
  )
  // The server listens once its fiber has run.
  yield* Effect.yieldNow()
  const until = (isDone: () => boolean): Effect.Effect<void> =>
    Effect.suspend(() =>
      isDone()
        ? Effect.void
        : Effect.zipRight(
            Effect.async<void>((resume) => {
              waiting.push(() => resume(Effect.void))
            }),
            until(isDone),
          ),
    )
  const write = (line: string) => Effect.sync(() => void input.write(`${line}\n`))
  const send = (id: number | string, request: object) => write(JSON.stringify({ jsonrpc: "2.0", id, ...request }))
  const reply = (id: number | string | null) =>
    Effect.map(
      until(() => messages.some((message) => message.id === id)),
      () => messages.find((message) => message.id === id) ?? assert.fail(),
    )
  const begin = Effect.zipRight(send("begin", initialize), reply("begin"))
  return {
    slow,
    interrupted,
    running: Ref.get(running),
    input,
    output,
    messages,
    parent,
    isGone: Ref.get(isGone),
    server,
    write,
    send,
    reply,
    begin,
  }
})

export const text = ({ result }: Message) => result?.content?.[0]?.text
