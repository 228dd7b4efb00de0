/** That the usual messages are answered as the SDK does, which is loaded only for others. */
import { assert, describe, it } from "@effect/vitest"
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from "@modelcontextprotocol/server"
import { Effect, Schema } from "effect"
import * as fc from "effect/FastCheck"
import { messageIn } from "../../../src/mcp/internal/JsonRpc.ts"
import { connect } from "../../../src/mcp/internal/sdkConnection.ts"
import * as UsualMessages from "../../../src/mcp/internal/UsualMessages.ts"
import * as ServedTools from "../../../src/mcp/ServedTools.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { isThorough } from "../../thoroughness.ts"

const RUNS = isThorough ? 200 : 50

const makeTools = (instructions = "Echo.") => {
  const interrupted: Array<string> = []
  const echo = Tool.make({
    name: "echo",
    description: "Echoes",
    parameters: Schema.Struct({ text: Schema.String }),
    readOnly: true,
    run: ({ text }) =>
      text === "fail"
        ? Tool.fail("there is no such thing")
        : text === "hang"
          ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.push(text)))
          : Effect.succeed(text),
  })
  const options = { name: "test", version: "0", instructions, tools: ToolRegistry.make([echo]) }
  return { tools: Effect.runSync(ServedTools.make(options)), interrupted }
}

/** Time for all that can be answered. */
const settle = async () => {
  for (let n = 0; n < 8; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** A client that sends messages and keeps what is sent to it. */
const open = (start: (wire: Transport) => UsualMessages.Connection) => {
  const sent: Array<JSONRPCMessage> = []
  let isClosed = false
  const wire: Transport = {
    start: async () => {},
    send: async (message) => void sent.push(message),
    close: async () => {
      isClosed = true
      wire.onclose?.()
    },
  }
  const connection = start(wire)
  return {
    close: connection.close,
    isClosed: () => isClosed,
    sent,
    /** Sends messages, and returns the lines of the answers. */
    send: async (...messages: ReadonlyArray<object>) => {
      const before = sent.length
      for (const each of messages) {
        const message = messageIn({ jsonrpc: "2.0", ...each })
        if (message !== undefined) wire.onmessage?.(message)
      }
      await settle()
      return sent.slice(before).map((message) => JSON.stringify(message))
    },
  }
}

const openUsual = (load: () => Promise<UsualMessages.ConnectSdk> = async () => connect, instructions?: string) => {
  const { interrupted, tools } = makeTools(instructions)
  let loads = 0
  const client = open((wire) =>
    UsualMessages.serve(tools, wire, () => {
      loads += 1
      return load()
    }),
  )
  return { ...client, interrupted, loads: () => loads }
}

const openSdk = (instructions?: string) => open((wire) => connect(makeTools(instructions).tools, wire))

const initialize = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } },
}
const initialized = { method: "notifications/initialized" }
const call = (id: number | string, text: string) => ({
  id,
  method: "tools/call",
  params: { name: "echo", arguments: { text } },
})
const cancel = (requestId: unknown) => ({ method: "notifications/cancelled", params: { requestId } })

const usual: ReadonlyArray<object> = [
  initialized,
  { id: 1, method: "tools/list" },
  { id: "list", method: "tools/list", params: { _meta: { progressToken: 1 } } },
  { id: 2, method: "ping" },
  call(3, "hello"),
  call("four", "fail"),
  { id: 5, method: "tools/call", params: { name: "echo" } },
  { id: 6, method: "tools/call", params: { name: "echo", arguments: { text: "a" }, _meta: { "client/id": "x" } } },
  { method: "notifications/roots/list_changed" },
  cancel("nothing"),
]

describe("the usual messages of an agent", () => {
  it("are answered as by the SDK, which is not loaded", async () => {
    for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
      const begin = { ...initialize, params: { ...initialize.params, protocolVersion } }
      const [ours, sdks] = [openUsual(), openSdk()]
      for (const message of [begin, ...usual])
        assert.deepStrictEqual(await ours.send(message), await sdks.send(message))
      assert.strictEqual(ours.loads(), 0)
      assert.lengthOf(ours.sent, 8)
    }
  })

  it.each([
    {},
    { roots: { listChanged: true }, sampling: {} },
    { elicitation: { form: {}, url: {} }, experimental: { "x/y": {} }, roots: {} },
  ])("begin with a handshake of the capabilities %j", async (capabilities) => {
    const clientInfo = { name: "claude-code", title: "Claude Code", version: "2", websiteUrl: "https://example.com" }
    const begin = { ...initialize, params: { ...initialize.params, capabilities, clientInfo } }
    const [ours, sdks] = [openUsual(undefined, ""), openSdk("")]
    assert.deepStrictEqual(await ours.send(begin), await sdks.send(begin))
    assert.deepStrictEqual([ours.sent.length, ours.loads()], [1, 0])
  })

  it("end when the client cancels a call, which gets no answer, or goes away", async () => {
    const client = openUsual()
    await client.send(initialize, initialized)
    assert.deepStrictEqual(await client.send(call(1, "hang"), cancel(true), cancel(2)), [])
    assert.deepStrictEqual(client.interrupted, [])
    assert.deepStrictEqual(await client.send(cancel(1), cancel(1)), [])
    assert.deepStrictEqual(client.interrupted, ["hang"])
    await client.send(call(1, "hang"), call("2", "hang"))
    await client.close()
    await settle()
    assert.deepStrictEqual(client.interrupted, ["hang", "hang", "hang"])
    assert.deepStrictEqual([client.sent.length, client.isClosed(), client.loads()], [1, true, 0])
  })

  it("end also if their turn has not come yet", async () => {
    const client = openUsual()
    await client.send(initialize)
    // Sixteen calls run at a time.
    await client.send(...Array.from({ length: 17 }, (_, n) => call(n, "hang")))
    await client.send(cancel(16), cancel(0))
    assert.deepStrictEqual(client.interrupted, ["hang"])
    assert.lengthOf(await client.send(call("next", "hello")), 1)
  })
})

describe("other messages", () => {
  it.each([
    { id: 1, method: "nope" },
    { id: 1, method: "resources/list" },
    { id: 1, method: "tools/call", params: { name: "nope" } },
    { id: 1, method: "tools/call", params: { name: "echo", arguments: "text" } },
    { id: 1, method: "tools/list", params: { cursor: "1" } },
    { id: 1, method: "tools/list", params: { cursor: 1 } },
    { id: 1, method: "tools/call", params: { name: "echo", task: {} } },
    { id: 1, method: "ping", params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } },
    { ...initialize, id: 1 },
  ])("are answered by the SDK, in the same conversation: %j", async (message) => {
    const [ours, sdks] = [openUsual(), openSdk()]
    const conversation = [initialize, initialized, message, ...usual, message, cancel(1)]
    for (const each of conversation) assert.deepStrictEqual(await ours.send(each), await sdks.send(each))
    assert.strictEqual(ours.loads(), 1)
  })

  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  }

  it.each([
    [
      { id: 0, method: "server/discover", params: { _meta } },
      { id: 1, method: "tools/list", params: { _meta } },
    ],
    [{ id: 0, method: "tools/list" }, initialize],
    [{ ...initialize, params: { ...initialize.params, protocolVersion: "1999-01-01" } }],
    [{ ...initialize, params: { ...initialize.params, capabilities: { roots: { listChanged: 1 } } } }, initialize],
    [{ ...initialize, params: { ...initialize.params, clientInfo: { name: "a" } } }, initialize],
    [initialized, initialize],
  ])("at the beginning leave all to the SDK: %j", async (...beginning) => {
    const [ours, sdks] = [openUsual(), openSdk()]
    for (const each of [...beginning, ...usual, call(9, "last")]) {
      assert.deepStrictEqual(await ours.send(each), await sdks.send(each))
    }
    assert.strictEqual(ours.loads(), 1)
    await ours.close()
    assert.isTrue(ours.isClosed())
  })

  it("are answered with an error if the SDK cannot be loaded, and the usual ones go on", async () => {
    const loads = [async () => Promise.reject(new Error("it was removed")), async () => connect]
    const client = openUsual(() => loads.shift()?.() ?? Promise.reject())
    await client.send(initialize)
    assert.deepStrictEqual(await client.send({ id: 1, method: "nope" }), [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error: Error: it was removed"}}',
    ])
    assert.match((await client.send(call(2, "hello"))).join(), /"text":"hello"/)
    assert.match((await client.send({ id: 3, method: "nope" })).join(), /"code":-32601/)
    await client.close()
  })
})

const value = fc.constantFrom<unknown>(null, true, "a", 1, 1.5, [], {}, { a: 1 }, { listChanged: true }, { form: {} })
const meta = fc.record(
  { progressToken: value, "x/y": value, "io.modelcontextprotocol/protocolVersion": fc.constant("2026-07-28") },
  { requiredKeys: [] },
)
const capabilities = fc.record(
  { roots: value, sampling: value, elicitation: value, experimental: value, tasks: value, other: value },
  { requiredKeys: [] },
)
const texts = fc.constantFrom<unknown>("a", "b", "", 1)
const beginning = fc.record({
  id: fc.constantFrom<unknown>(0, "zero"),
  method: fc.constant("initialize"),
  params: fc.record(
    {
      protocolVersion: fc.constantFrom<unknown>("2025-06-18", "2025-11-25", "1999-01-01", 1),
      capabilities: fc.oneof(capabilities, fc.constant({})),
      clientInfo: fc.record({ name: texts, version: texts, title: texts, other: texts }, { requiredKeys: ["name"] }),
      _meta: meta,
      other: value,
    },
    { requiredKeys: ["protocolVersion", "capabilities", "clientInfo"] },
  ),
})
const request = fc.record(
  {
    id: fc.constantFrom<unknown>(1, 2, "one"),
    method: fc.constantFrom("tools/list", "tools/call", "tools/call", "ping", "prompts/list", "notifications/x"),
    params: fc.record(
      {
        name: fc.constantFrom<unknown>("echo", "echo", "echo", "nope", 1),
        arguments: fc.oneof(
          value,
          fc.record({ text: fc.constantFrom<unknown>("a", "fail", 1, null), other: value }, { requiredKeys: [] }),
          fc.constantFrom(JSON.parse('{"__proto__":{"text":"a"},"text":"b"}'), { text: "hello" }),
        ),
        cursor: value,
        _meta: meta,
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["method"] },
)

describe("any conversation", () => {
  it("is answered as by the SDK alone", async () => {
    let usual = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(beginning, fc.constant(initialize)),
        fc.array(request, { maxLength: 5 }),
        async (begin, rest) => {
          const [ours, sdks] = [openUsual(), openSdk()]
          for (const message of [begin, ...rest]) {
            assert.deepStrictEqual(await ours.send(message), await sdks.send(message), JSON.stringify(message))
          }
          if (ours.loads() === 0) usual += 1
          await ours.close()
        },
      ),
      { numRuns: RUNS },
    )
    assert.isAbove(usual, RUNS / 10)
  })
})
