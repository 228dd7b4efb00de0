/** The messages of a conversation as any model can be told them. Pure. */
import type * as Block from "../message/Block.ts"
import { coalesce } from "../message/Coalesce.ts"
import * as Message from "../message/Message.ts"
import { Interrupted, ToolError } from "../tool/ToolError.ts"

/**
 * Every tool use is answered once, right after its message and in the order of the calls: an answer that is missing
 * (the process died, the run was stopped) is made up as an error, one that answers nothing is dropped. Blank texts
 * are dropped, and neighbours that hold text alone are joined. Doing it twice changes nothing.
 */
export const repair = (messages: ReadonlyArray<Message.Message>): ReadonlyArray<Message.Message> =>
  coalesce(answered(messages.flatMap(withoutBlanks)))

/** The results that a path lacks, as it ends with an assistant's message and some of its answers. */
export const unanswered = (messages: ReadonlyArray<Message.Message>): ReadonlyArray<Block.ToolUse> => {
  const asked = messages.findLastIndex(({ role }) => role === "assistant" || role === "user")
  const calls = messages[asked] === undefined ? [] : Message.toolUses(messages[asked])
  const answers = answersAfter(messages, asked)
  return calls.filter((call) => !answers.has(call.id))
}

/** What the model is told of a call whose tool did not come to its end. */
export const interruptedResult = (call: Block.ToolUse): string =>
  `Error: ${new ToolError({ tool: call.name, reason: new Interrupted() }).message}`

const answered = (messages: ReadonlyArray<Message.Message>): ReadonlyArray<Message.Message> =>
  messages.flatMap((message, index) => {
    if (message.role === "tool") return []
    const calls = Message.toolUses(message)
    if (calls.length === 0) return [message]
    const answers = answersAfter(messages, index)
    return [
      message,
      ...calls.map((call) => answers.get(call.id) ?? Message.toolResult(call, interruptedResult(call), true)),
    ]
  })

/** The tool messages that follow `index`, by the call they answer; the first answer counts. Notices may stand between. */
const answersAfter = (messages: ReadonlyArray<Message.Message>, index: number): ReadonlyMap<string, Message.Tool> => {
  const answers = new Map<string, Message.Tool>()
  for (let next = index + 1; next < messages.length; next++) {
    const message = messages[next]
    if (message?.role === "system") continue
    if (message?.role !== "tool") break
    if (!answers.has(message.tool_call_id)) answers.set(message.tool_call_id, message)
  }
  return answers
}

/** Blank texts are left out, and a message that has nothing else; what a provider wants back stays. */
const withoutBlanks = (message: Message.Message): ReadonlyArray<Message.Message> => {
  switch (message.role) {
    case "tool":
      return [message]
    case "assistant":
      return said(message.content).map((content) => ({ ...message, content }))
    case "user":
      return said(message.content).map((content) => ({ ...message, content }))
    default:
      return said(message.content).map((content) => ({ ...message, content }))
  }
}

/** The blocks that are not blank, as one list, or none. */
const said = <B extends Block.Block>(blocks: ReadonlyArray<B>): ReadonlyArray<readonly [B, ...ReadonlyArray<B>]> => {
  const [first, ...rest] = blocks.filter(
    (block) => block.type !== "text" || block.meta !== undefined || block.text.trim() !== "",
  )
  return first === undefined ? [] : [[first, ...rest]]
}
