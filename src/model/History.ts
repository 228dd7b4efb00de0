/** Completes and normalises the messages of a conversation, so that any model accepts them. Pure. */
import type * as Block from "../message/Block.ts"
import { coalesce } from "../message/Coalesce.ts"
import * as Message from "../message/Message.ts"
import { Interrupted, ToolError } from "../tool/ToolError.ts"

/**
 * Gives every tool call exactly one result, right after its message and in the order of the calls. A missing result
 * (the process died, or the run was stopped) becomes an error, and a result without a call is dropped. Blank texts are
 * dropped, and adjacent messages of text alone are joined. Idempotent.
 */
export const repair = (messages: ReadonlyArray<Message.Message>): ReadonlyArray<Message.Message> =>
  coalesce(completeCalls(messages.flatMap(withoutBlanks)))

/** Returns the calls of the last assistant message that have no result yet. */
export const findUnanswered = (messages: ReadonlyArray<Message.Message>): ReadonlyArray<Block.ToolUse> => {
  const asked = messages.findLastIndex(({ role }) => role === "assistant" || role === "user")
  const calls = messages[asked] === undefined ? [] : Message.toolUses(messages[asked])
  const answers = answersAfter(messages, asked)
  return calls.filter((call) => !answers.has(call.id))
}

/** Returns the result of a call whose tool was interrupted. */
export const interruptedResult = (call: Block.ToolUse): string =>
  `Error: ${new ToolError({ tool: call.name, reason: new Interrupted() }).message}`

const completeCalls = (messages: ReadonlyArray<Message.Message>): ReadonlyArray<Message.Message> =>
  messages.flatMap((message, index) => {
    if (message.role === "tool") return []
    const calls = Message.toolUses(message)
    if (calls.length === 0) return [message]
    const answers = answersAfter(messages, index)
    const taken = new Map<string, number>()
    const takeAnswer = ({ id }: Block.ToolUse): Message.Tool | undefined => {
      const nth = taken.get(id) ?? 0
      taken.set(id, nth + 1)
      return answers.get(id)?.[nth]
    }
    return [
      message,
      ...calls.map((call) => takeAnswer(call) ?? Message.toolResult(call, interruptedResult(call), true)),
    ]
  })

/**
 * Returns the tool messages after `index`, by the id of their call, in order: calls may share an id, and the first
 * result is that of the first of them. Notices may stand between the messages.
 */
const answersAfter = (
  messages: ReadonlyArray<Message.Message>,
  index: number,
): ReadonlyMap<string, ReadonlyArray<Message.Tool>> => {
  const answers = new Map<string, Array<Message.Tool>>()
  for (let next = index + 1; next < messages.length; next++) {
    const message = messages[next]
    if (message?.role === "system") continue
    if (message?.role !== "tool") break
    const same = answers.get(message.tool_call_id)
    if (same === undefined) answers.set(message.tool_call_id, [message])
    else same.push(message)
  }
  return answers
}

/** Drops blank texts, and messages without other content. Blocks with provider metadata are kept. */
const withoutBlanks = (message: Message.Message): ReadonlyArray<Message.Message> => {
  switch (message.role) {
    case "tool":
      return [message]
    case "assistant":
      return nonBlankBlocks(message.content).map((content) => ({ ...message, content }))
    case "user":
      return nonBlankBlocks(message.content).map((content) => ({ ...message, content }))
    default:
      return nonBlankBlocks(message.content).map((content) => ({ ...message, content }))
  }
}

/** Returns the blocks that are not blank as one non-empty list, or an empty array if there are none. */
const nonBlankBlocks = <B extends Block.Block>(
  blocks: ReadonlyArray<B>,
): ReadonlyArray<readonly [B, ...ReadonlyArray<B>]> => {
  const [first, ...rest] = blocks.filter(
    (block) => block.type !== "text" || block.meta !== undefined || block.text.trim() !== "",
  )
  return first === undefined ? [] : [[first, ...rest]]
}
