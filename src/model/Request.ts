/** A request to a model, and the tools that it may call in its reply. */
import type { JsonObject } from "../base/Json.ts"
import type { Message } from "../message/Message.ts"
import type { Tool } from "../tool/Tool.ts"
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

/**
 * The offered tools that a model may call in its next reply: any, none, or one that it must call. An adapter offers
 * that tool alone if its protocol cannot require one.
 */
export type ToolChoice = "auto" | "none" | { readonly tool: string }

/** Returns true if a provider has rejected a request because it required a tool, judging by its message. */
export const isToolChoiceRefusal = (message: string): boolean =>
  /tool[ _-]?(?:choice|config)|function[ _-]?call|forc(?:e|es|ed|ing)\b.{0,20}\btools?\b|too many states/i.test(message)
