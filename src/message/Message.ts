/** One message of a conversation, as it is stored. */
import * as Schema from "effect/Schema"
import * as Block from "./Block.ts"

export const User = Schema.Struct({
  role: Schema.Literal("user"),
  content: Schema.NonEmptyArray(Schema.Union(Block.Text, Block.Image)),
})
export type User = typeof User.Type

export const Assistant = Schema.Struct({
  role: Schema.Literal("assistant"),
  content: Schema.NonEmptyArray(Block.Block),
})
export type Assistant = typeof Assistant.Type

/** The result of one tool call. */
export const Tool = Schema.Struct({
  role: Schema.Literal("tool"),
  tool_call_id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  isError: Schema.optional(Schema.Boolean),
  content: Schema.NonEmptyArray(Block.Text),
})
export type Tool = typeof Tool.Type

/** An instruction to the model within a conversation. The initial system prompt is in the root, never a message. */
export const Notice = Schema.Struct({
  role: Schema.Literal("system"),
  content: Schema.NonEmptyArray(Block.Text),
})
export type Notice = typeof Notice.Type

export const Message = Schema.Union(User, Assistant, Tool, Notice)
export type Message = typeof Message.Type

export const user = (text: string): User => ({ role: "user", content: [Block.text(text)] })

export const toolResult = (call: Block.ToolUse, text: string, isError: boolean): Tool => ({
  role: "tool",
  tool_call_id: call.id,
  name: call.name,
  ...(isError && { isError }),
  content: [Block.text(text)],
})

/** Returns the text blocks, joined by line breaks. */
export const text = (message: Message): string =>
  message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")

/** Returns whether it has no content: the forest does not store such a message. A tool result is never empty. */
export const isEmpty = (message: Message): boolean => message.role !== "tool" && message.content.every(Block.isBlank)

export const toolUses = (message: Message): ReadonlyArray<Block.ToolUse> =>
  message.role === "assistant" ? message.content.filter(Block.isToolUse) : []
