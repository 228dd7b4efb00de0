/** What a run adds to its path, as it is stored. Pure. */
import type { Draft } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as Usage from "../../message/Usage.ts"
import * as History from "../../model/History.ts"
import type { Reply } from "../../model/Reply.ts"
import type * as ToolResult from "../../tool/ToolResult.ts"

/** What the user says. */
export const said = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

/** The reply as a message. A call whose id the path has seen already gets another: an id names one call. */
export const reply = ({ blocks, finish, model, usage }: Reply, distinct: (id: string) => string): Draft => {
  const rename = (block: Block.Block): Block.Block =>
    block.type === "tool-use" ? { ...block, id: distinct(block.id) } : block
  const [first, ...rest] = blocks
  return {
    message: { role: "assistant", content: [rename(first), ...rest.map(rename)] },
    source: { type: "model", model: String(model), finish, usage },
  }
}

/** What was heard of a reply, and by whom it was asked for; what it cost is not known. */
export const unfinished = (model: ModelId, text: string): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model: String(model), finish: "interrupted", usage: Usage.none },
})

/** What a tool said; where it did not come to its end, that it was interrupted. */
export const answer = (call: Block.ToolUse, result: ToolResult.ToolResult | undefined): Draft => ({
  message:
    result === undefined
      ? Message.toolResult(call, History.interruptedResult(call), true)
      : Message.toolResult(call, result.text, result.isError ?? false),
  source: { type: "tool", tool: call.name, filesWritten: result?.filesWritten },
})
