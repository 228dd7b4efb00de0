/** A request to a model. */
import type { JsonObject } from "../base/Json.ts"
import type { Message } from "../message/Message.ts"
import type { Tool } from "../tool/Tool.ts"
import type { ToolChoice } from "../tool/ToolChoice.ts"
import type { Thinking } from "./Thinking.ts"

export interface Request {
  /** The system prompt. It is empty if there is none. */
  readonly system: string
  /** The messages, oldest first. Every tool call has its result before the next user or assistant message. */
  readonly messages: ReadonlyArray<Message>
  readonly tools: ReadonlyArray<Tool>
  /** The default is `auto`. A request that is rejected because it requires a tool is repeated with `auto`. */
  readonly toolChoice?: ToolChoice | undefined
  /**
   * The JSON Schema of the answer. Providers that support it enforce it, unless tools are offered; others ignore it. So
   * the prompt has to state it too, and the caller has to validate the answer.
   */
  readonly answerSchema?: JsonObject | undefined
  readonly maxOutputTokens?: number | undefined
  /** The least output that makes an answer useful. A budget that leaves less refuses the request (`RunBudget`). */
  readonly minOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  /**
   * The default is that of the provider. It is encoded if the provider has a parameter for it. A request that is
   * rejected for it is repeated without it.
   */
  readonly thinking?: Thinking | undefined
}

/** Returns whether the last message contains an image. Images in earlier messages do not count. */
export const hasImage = ({ messages }: Request): boolean =>
  messages.at(-1)?.content.some(({ type }) => type === "image") === true

/** Returns the declarations of tools to the model as one text, for estimates of tokens. */
export const declarations = (tools: ReadonlyArray<Tool>): string =>
  tools.map(({ description, name, parameters }) => JSON.stringify({ name, description, parameters })).join("")
