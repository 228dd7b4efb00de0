/** Which values are messages, compared with the schemas of the SDK. */
import { assert, describe, it } from "@effect/vitest"
import { parseJSONRPCMessage } from "@modelcontextprotocol/server"
import * as fc from "effect/FastCheck"
import { messageIn } from "../../../src/mcp/internal/JsonRpc.ts"
import { isThorough } from "../../thoroughness.ts"

const RUNS = isThorough ? 3_000 : 600

const any = fc.constantFrom<unknown>(null, true, "a", "", 1, 1.5, 2 ** 60, [], {}, { a: 1 })

const object = (keys: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ ...keys, other: any }, { requiredKeys: [] }) },
    { weight: 1, arbitrary: any },
  )

const meta = object({
  progressToken: fc.oneof(any, fc.constant(1)),
  "io.modelcontextprotocol/related-task": object({ taskId: fc.oneof(any, fc.constant("a")) }),
  "io.modelcontextprotocol/serverInfo": any,
})

const message = object({
  jsonrpc: fc.constantFrom<unknown>("2.0", "2.0", "2.0", "1.0"),
  id: fc.oneof(any, fc.constantFrom<unknown>(1, "a")),
  method: fc.constantFrom<unknown>("ping", "nope", "", 1),
  params: object({ _meta: meta }),
  result: object({ _meta: meta }),
  error: object({
    code: fc.constantFrom<unknown>(1, 2, 1.5, "1"),
    message: fc.constantFrom<unknown>("no", "", 1),
    data: any,
  }),
})

/** Has no keys of other kinds, since a value with all keys is never a message. */
const likely = fc
  .tuple(message, fc.constantFrom(["id", "method", "params"], ["method", "params"], ["id", "result"], ["id", "error"]))
  .map(([value, kept]) =>
    typeof value === "object" && value !== null
      ? { jsonrpc: "2.0", ...Object.fromEntries(Object.entries(value).filter(([key]) => kept.includes(key))) }
      : value,
  )

const isOfSdk = (value: unknown): boolean => {
  try {
    parseJSONRPCMessage(value)
    return true
  } catch {
    return false
  }
}

describe("a message of JSON-RPC", () => {
  it("is what is one to the SDK", () => {
    let messages = 0
    fc.assert(
      fc.property(fc.oneof(message, likely), (value) => {
        const expected = isOfSdk(value)
        if (expected) messages += 1
        assert.strictEqual(messageIn(value) === value, expected, JSON.stringify(value))
      }),
      { numRuns: RUNS },
    )
    // A good part of the values are messages. The share of few values differs more from one run to the next.
    assert.isAbove(messages, isThorough ? RUNS / 10 : RUNS / 20)
  })

  it.each([
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: "one", method: "tools/call", params: { name: "a", _meta: { progressToken: 1, "x/y": {} } } },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", error: { code: 1, message: "no" } },
  ])("is passed on as it is: %j", (value) => {
    assert.strictEqual<unknown>(messageIn(value), value)
  })
})
