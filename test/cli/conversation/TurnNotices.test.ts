import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import * as TurnNotices from "../../../src/cli/conversation/TurnNotices.ts"
import * as Block from "../../../src/message/Block.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import type * as Reply from "../../../src/model/Reply.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as ToolResult from "../../../src/tool/ToolResult.ts"

const call = Block.toolUse("c1", "web_get", { url: "http://a" })

describe("TurnNotices.lineOf", () => {
  it("says what a model calls, with arguments as far as they fit", () => {
    const started = (parameters: Record<string, unknown>) =>
      TurnNotices.lineOf(TurnEvent.ToolStarted({ call: Block.toolUse("c1", "web_get", parameters) }))
    assert.strictEqual(started({}), "calls web_get")
    assert.strictEqual(started({ url: "http://a" }), 'calls web_get {"url":"http://a"}')
    assert.match(started({ url: "x".repeat(1000) }) ?? "", /^calls web_get \{"url":"x{51}…$/)
  })

  it.effect("says that a call has failed, and why", () =>
    Effect.gen(function* () {
      const finished = (result: ToolResult.ToolResult) => TurnNotices.lineOf(TurnEvent.ToolFinished({ call, result }))
      assert.isUndefined(finished(ToolResult.text("ok")))
      assert.strictEqual(finished(ToolResult.error("no network\nat all")), "web_get failed: no network")
      const context = { node: NodeId.make("n-1"), callId: "c1", model: new ModelId({ provider: "test", name: "one" }) }
      const unknown = yield* ToolRegistry.make([]).execute(call, context)
      assert.strictEqual(finished(unknown), "web_get failed: no such tool")
    }),
  )

  it("says that a model has written a call as text, which is not run", () => {
    const said = (...blocks: Reply.Reply["blocks"]) => {
      const reply: Reply.Reply = {
        blocks,
        finish: "stop",
        usage: Usage.none,
        model: new ModelId({ provider: "test", name: "one" }),
      }
      return TurnNotices.lineOf(TurnEvent.ReplyReceived({ reply, cost: 0 }))
    }
    const written = '[TOOL_CALLS][{"name":"rm","arguments":{}}]'
    assert.strictEqual(said(Block.text(written)), "the model wrote a call of rm as text, which is not run")
    assert.isUndefined(said(Block.text(written), call))
    assert.isUndefined(said(Block.text(`Mistral writes \`${written}\``)))
  })
})
