/** The events of a chat, and its messages. */
import * as Duration from "effect/Duration"
import type { GenerateError } from "../../agent/GenerateError.ts"
import type { TurnEvent } from "../../agent/TurnEvent.ts"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"

export interface ChatMessage {
  readonly role: "user" | "assistant" | "system"
  /** The text of the message. A reply has no surrounding white space. */
  readonly content: string
  readonly timestamp: Date
  /** `node` is the id of the message in the forest; `model` is the model that wrote a reply. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * - `idle`: ready for the user's next message
 * - `processing`: an answer is in progress
 * - `error`: the last message has no answer, or an incomplete one; it can be sent again
 * - `completed`: the last answer contains a PRD; the chat can continue all the same
 */
export type ChatStatus = "idle" | "processing" | "error" | "completed"

/**
 * The events of a chat. For an answered message they are `message:sent`, `status:changed`, `message:received`,
 * `status:changed`, and `prd:detected` if the answer contains a PRD. For one that failed they are `message:sent`,
 * `status:changed`, `status:changed`, `error:occurred`.
 */
export type ChatEvent =
  | (Timed & { readonly type: "message:sent"; readonly message: ChatMessage })
  | (Timed & { readonly type: "message:received"; readonly message: ChatMessage; readonly durationMs: number })
  | (Timed & { readonly type: "status:changed"; readonly previousStatus: ChatStatus; readonly newStatus: ChatStatus })
  | (Timed & {
      readonly type: "error:occurred"
      /** The message for the user, without the name of the model. */
      readonly error: string
      readonly cause: GenerateError
      readonly durationMs: number
    })
  | (Timed & { readonly type: "prd:detected"; readonly prdContent: string; readonly featureName: string })

export interface Timed {
  readonly timestamp: Date
}

/** Turns a node into a message of a chat. Undefined for tool calls, their results, and notices to the model. */
export const messageOf = ({ createdAt, id, message, source }: Node): ChatMessage | undefined => {
  const timestamp = new Date(createdAt)
  const content = Message.text(message)
  if (message.role === "user") return { role: "user", content, timestamp, metadata: { node: id } }
  if (message.role !== "assistant" || Message.toolUses(message).length > 0) return undefined
  const metadata = source.type === "model" ? { node: id, model: source.model } : { node: id }
  return { role: "assistant", content: content.trim(), timestamp, metadata }
}

/** Names the activity that an event begins, for a status line. Undefined if it begins none. */
export const statusText = (event: ChatEvent | TurnEvent): string | undefined => {
  if ("type" in event) {
    const isStart = event.type === "status:changed" && event.newStatus === "processing"
    return isStart ? "Sending to agent..." : undefined
  }
  switch (event._tag) {
    case "RetryScheduled":
      return `Asking again in ${Duration.format(event.delay)}: ${event.error.reason.message}`
    case "ToolStarted":
      return `Running ${event.call.name}...`
    case "AgentReported":
      return event.isDiagnostic ? undefined : event.text
    default:
      return undefined
  }
}

/** Returns the text that an event adds to the displayed answer. For an agent it is all output of its program. */
export const chunkText = (event: TurnEvent, isAgent: boolean): string | undefined => {
  if (event._tag === "AgentOutput") {
    const { output } = event
    return output._tag === "Stdout" || output._tag === "Stderr" ? output.text : undefined
  }
  return event._tag === "PartReceived" && event.part._tag === "Text" && !isAgent ? event.part.text : undefined
}
