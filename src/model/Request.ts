/** What is asked of a model. */
import type { JsonObject } from "../message/Json.ts"
import type { Message } from "../message/Message.ts"
import type { Tool } from "../tool/Tool.ts"
import type { ToolChoice } from "../tool/ToolChoice.ts"

export interface Request {
  /** The system prompt; empty for none. */
  readonly system: string
  /** Oldest first. Every tool use is answered before the next user or assistant message. */
  readonly messages: ReadonlyArray<Message>
  readonly tools: ReadonlyArray<Tool>
  /** `auto` by default. */
  readonly toolChoice?: ToolChoice | undefined
  /**
   * JSON Schema that the answer is to be JSON by. A provider that can holds its model to it, where no tools are offered.
   * Others take no notice: it is to be said in words as well, and the answer to be checked.
   */
  readonly answerSchema?: JsonObject | undefined
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
}

/** Whether it asks about a picture: one that was shown before is history. */
export const hasImage = ({ messages }: Request): boolean =>
  messages.at(-1)?.content.some(({ type }) => type === "image") === true
