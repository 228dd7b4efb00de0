/** What a `ChatEngine` tells, and the messages it tells of. */
import type { Node } from "../forest/Node.ts"
import type { GenerateError } from "../loom/GenerateError.ts"
import * as Message from "../message/Message.ts"

export interface ChatMessage {
  readonly role: "user" | "assistant" | "system"
  /** Without white space around it, where a model said it. */
  readonly content: string
  readonly timestamp: Date
  /** `node`: its id in the forest; `model`: who said it. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * - `idle`: ready for what the person says
 * - `processing`: a model is asked
 * - `error`: the last message was not answered, or not to the end; it can be sent again
 * - `completed`: the last answer holds a PRD; the conversation can go on all the same
 */
export type ChatStatus = "idle" | "processing" | "error" | "completed"

/**
 * A message that is answered: `message:sent`, `status:changed`, `message:received`, `status:changed`, and `prd:detected`
 * where there is one. One that is not: `message:sent`, `status:changed`, `status:changed`, `error:occurred`.
 */
export type ChatEvent =
  | (Told & { readonly type: "message:sent"; readonly message: ChatMessage })
  | (Told & { readonly type: "message:received"; readonly message: ChatMessage; readonly durationMs: number })
  | (Told & { readonly type: "status:changed"; readonly previousStatus: ChatStatus; readonly newStatus: ChatStatus })
  | (Told & {
      readonly type: "error:occurred"
      /** In words, without the name of the model. */
      readonly error: string
      readonly cause: GenerateError
      readonly durationMs: number
    })
  | (Told & { readonly type: "prd:detected"; readonly prdContent: string; readonly featureName: string })

interface Told {
  readonly timestamp: Date
}

/** What a node says, as a message of a chat; none for calls of tools, their results, and what is told the model alone. */
export const messageOf = ({ createdAt, id, message, source }: Node): ChatMessage | undefined => {
  const timestamp = new Date(createdAt)
  const content = Message.text(message)
  if (message.role === "user") return { role: "user", content, timestamp, metadata: { node: id } }
  if (message.role !== "assistant" || Message.toolUses(message).length > 0) return undefined
  const metadata = source.type === "model" ? { node: id, model: source.model } : { node: id }
  return { role: "assistant", content: content.trim(), timestamp, metadata }
}
