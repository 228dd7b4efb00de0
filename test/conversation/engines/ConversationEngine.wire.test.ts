/** An interview as Anthropic receives it: the kernel's messages in that provider's own form. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as ConversationEngine from "../../../src/conversation/engines/ConversationEngine.ts"
import * as SessionComplete from "../../../src/conversation/engines/SessionComplete.ts"
import * as Anthropic from "../../../src/provider/anthropic/Anthropic.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { block, events, fine, messageStart, messageStop, options } from "../../utils/Anthropic.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { withScript } from "../../utils/Looms.ts"

const look = Tool.make({
  name: "look",
  description: "Looks.",
  parameters: Schema.Struct({ path: Schema.String, deep: Schema.optional(Schema.Boolean) }),
  readOnly: true,
  run: ({ path }) => Effect.succeed(`saw ${path}`),
})

const json = (partial_json: string) => ({ type: "input_json_delta", partial_json })

/** Words and two calls in one answer. */
const mixed: FakeServer.Answer = {
  body: events(
    messageStart,
    ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "Let me look." }),
    ...block(1, { type: "tool_use", id: "toolu_1", name: "look", input: {} }, json('{"path":"a"}')),
    ...block(2, { type: "tool_use", id: "toolu_2", name: "look", input: {} }, json('{"path":"b"}')),
    ...messageStop("tool_use"),
  ),
}

/** A call without words. */
const silent: FakeServer.Answer = {
  body: events(
    messageStart,
    ...block(0, { type: "tool_use", id: "toolu_3", name: "session_complete", input: {} }, json("")),
    ...messageStop("tool_use"),
  ),
}

const Sent = Schema.Struct({
  system: Schema.Array(Schema.Struct({ text: Schema.String })),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.Array(Schema.Unknown) })),
  tools: Schema.Array(Schema.Struct({ name: Schema.String, input_schema: Schema.Unknown })),
})

/** Leaves out the marks of what Anthropic may cache: they are no part of the conversation. */
const uncached = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, value: unknown) => (key === "cache_control" ? undefined : value)))

describe("ConversationEngine over Anthropic", () => {
  it.scoped("sends the system prompt apart, all results of a turn in one user message, and no empty text", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([mixed, silent, fine])
      const { start } = yield* ConversationEngine.make({
        model: Anthropic.make(options(url)),
        tools: ToolRegistry.make([look, SessionComplete.make]),
        systemPrompt: "You are an interviewer.",
        codebasePath: "/code",
      })
      assert.deepStrictEqual(yield* start("Hi"), { text: "fine", done: true })
      const sent = Schema.decodeUnknownSync(Sent)(uncached(requests[2]?.body))
      assert.deepStrictEqual(sent.system, [{ text: "You are an interviewer." }])
      const call = (id: string, path: string) => ({ type: "tool_use", id, name: "look", input: { path } })
      const result = (tool_use_id: string, content: string) => ({ type: "tool_result", tool_use_id, content })
      assert.deepStrictEqual(sent.messages, [
        { role: "user", content: [{ type: "text", text: "Hi" }] },
        {
          role: "assistant",
          content: [{ type: "text", text: "Let me look." }, call("toolu_1", "a"), call("toolu_2", "b")],
        },
        { role: "user", content: [result("toolu_1", "saw a"), result("toolu_2", "saw b")] },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_3", name: "session_complete", input: {} }] },
        { role: "user", content: [result("toolu_3", "Session complete.")] },
      ])
    }).pipe(withScript([])),
  )

  it.scoped("offers tools with their required parameters", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      const { start } = yield* ConversationEngine.make({
        model: Anthropic.make(options(url)),
        tools: ToolRegistry.make([look, SessionComplete.make]),
        systemPrompt: "",
        codebasePath: "/code",
      })
      yield* start("Hi")
      const Offered = Schema.Struct({ tools: Sent.fields.tools })
      const { tools } = Schema.decodeUnknownSync(Offered)(uncached(requests[0]?.body))
      const required = Schema.decodeUnknownSync(Schema.Struct({ required: Schema.optional(Schema.Unknown) }))
      assert.deepStrictEqual(
        tools.map(({ input_schema, name }) => [name, required(input_schema).required ?? []]),
        [
          ["look", ["path"]],
          ["session_complete", []],
        ],
      )
    }).pipe(withScript([])),
  )
})
