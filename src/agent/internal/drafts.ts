/** The messages that a run adds to its path, as they are stored. Pure. */
import type { Draft } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as Usage from "../../message/Usage.ts"
import * as History from "../../model/History.ts"
import type { Reply } from "../../model/Reply.ts"
import type * as ToolResult from "../../tool/ToolResult.ts"

export const userMessage = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

/**
 * Makes the draft of a reply that took `took` milliseconds. A call with the id of an earlier call of the path gets
 * another id.
 */
export const reply = (
  { blocks, finish, model, usage }: Reply,
  took: number,
  uniqueId: (id: string) => string,
): Draft => {
  const rename = (block: Block.Block): Block.Block =>
    block.type === "tool-use" ? { ...block, id: uniqueId(block.id) } : block
  const [first, ...rest] = blocks
  return {
    message: { role: "assistant", content: [rename(first), ...rest.map(rename)] },
    source: { type: "model", model: String(model), finish, usage, ...(took > 0 && { took }) },
  }
}

/** Makes the draft of a reply that was interrupted after `took` milliseconds. Its usage is unknown. */
export const unfinishedReply = (model: ModelId, text: string, took: number): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model: String(model), finish: "interrupted", usage: Usage.none, ...(took > 0 && { took }) },
})

/** Makes the draft of a call's result. Without a result it is a notice that the call was interrupted. */
export const toolResult = (call: Block.ToolUse, result: ToolResult.ToolResult | undefined): Draft => ({
  message:
    result === undefined
      ? Message.toolResult(call, History.interruptedResult(call), true)
      : Message.toolResult(call, result.text, result.isError ?? false),
  source: { type: "tool", tool: call.name, filesWritten: result?.filesWritten },
})

/** Makes a function that returns the id itself if no earlier call has it, else the id with a number appended. */
export const makeUniqueIds = (seen: Iterable<string>): ((id: string) => string) => {
  const taken = new Set(seen)
  // This has the last number of each id: if a provider sends no ids, every reply has the same ones.
  const counts = new Map<string, number>()
  return (id) => {
    let count = counts.get(id) ?? 1
    let distinct = id
    while (taken.has(distinct)) distinct = `${id}_${++count}`
    counts.set(id, count)
    taken.add(distinct)
    return distinct
  }
}
