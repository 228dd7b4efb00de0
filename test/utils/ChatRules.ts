/** What OpenAI-compatible servers reject in a request, by server. */
import type { CompatibleServer } from "../../src/provider/openai-chat/OpenAiCompatible.ts"
import type { Received } from "./FakeServer.ts"
import * as OpenAiTools from "./OpenAiTools.ts"

export interface Part {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

export interface Call {
  readonly id: string
  readonly type: string
  readonly function: { readonly name: string; readonly arguments: string }
  readonly extra_content?: unknown
}

export interface Message {
  readonly role: string
  readonly content: string | ReadonlyArray<Part> | null
  readonly tool_calls?: ReadonlyArray<Call>
  readonly tool_call_id?: string
  readonly reasoning?: string
  readonly reasoning_content?: string
  readonly reasoning_details?: ReadonlyArray<unknown>
}

export interface Body {
  readonly model: string
  readonly stream: boolean
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<{ readonly type: string; readonly function: OpenAiTools.Declared }>
  readonly temperature?: number
  readonly response_format?: { readonly type: string; readonly json_schema: OpenAiTools.Format }
}

// What the adapter has just sent, in the shape of this wire.
export const bodyOf = ({ body }: Received): Body => body as Body

/** The rule that a request breaks, if it does. */
export const broken = (server: CompatibleServer, body: Body): string | undefined => {
  const { messages, model, response_format, stream, temperature, tools = [] } = body
  if (!stream) return "it is to be streamed"
  if (server.reasons?.(model) === true && ("max_tokens" in body || temperature !== undefined)) {
    return "Unsupported parameter"
  }
  const [first, ...others] = messages
  const isSystem = first?.role === "system" || first?.role === "developer"
  return (
    OpenAiTools.broken(tools.map((tool) => tool.function)) ??
    OpenAiTools.brokenFormat(response_format?.json_schema) ??
    wrongOrder(isSystem ? others : messages) ??
    wrongIds(server, messages) ??
    messages.map((message) => wrongMessage(server, message)).find((rule) => rule !== undefined)
  )
}

const wrongOrder = (messages: ReadonlyArray<Message>): string | undefined => {
  if (messages[0]?.role !== "user") return "the first word is the user's"
  if (!["user", "tool"].includes(messages.at(-1)?.role ?? "")) return "Expected last role User or Tool"
  for (const [at, { role, tool_calls = [] }] of messages.entries()) {
    const before = messages[at - 1]
    if (!["user", "assistant", "tool"].includes(role)) return `a message of ${role} in mid-conversation`
    if (role === "assistant" && before?.role === "assistant") return "two messages of the assistant in a row"
    if (role === "tool" && before?.role !== "assistant" && before?.role !== "tool") {
      return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
    }
    const next = messages.slice(at + 1)
    const answers = next
      .slice(0, next.findIndex(({ role }) => role !== "tool") >>> 0)
      .map((message) => message.tool_call_id)
    if (role === "assistant" && answers.join() !== tool_calls.map(({ id }) => id).join()) {
      return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
    }
  }
  return undefined
}

const wrongIds = ({ callId }: CompatibleServer, messages: ReadonlyArray<Message>): string | undefined => {
  const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
  if (new Set(ids).size < ids.length) return "Duplicate tool call id"
  return ids.every((id) => callId.test(id)) ? undefined : "Tool call id was not as expected"
}

const wrongMessage = (server: CompatibleServer, message: Message): string | undefined => {
  const { content, role, tool_calls } = message
  if (role === "assistant") return wrongAssistant(server, message)
  if (tool_calls !== undefined || "reasoning_content" in message) return "that is the assistant's"
  if (content === null) return "content is missing"
  if (typeof content === "string") return content.trim() === "" && role === "user" ? "an empty message" : undefined
  if (role !== "user") return "content in parts"
  if (!server.takesParts) return "invalid type: sequence, expected a string"
  return content.some(({ text, type }) => type === "text" && text?.trim() === "") ? "an empty part" : undefined
}

const wrongAssistant = (server: CompatibleServer, message: Message): string | undefined => {
  const { content, reasoning_content, tool_calls = [] } = message
  if (!content && tool_calls.length === 0) return "Assistant message must have either content or tool_calls"
  if ("tool_calls" in message && tool_calls.length === 0) return "tool_calls is too short"
  if (tool_calls.some((call) => !isObject(call.function.arguments))) return "arguments are no object"
  if (server.missesThinking === true && tool_calls.length > 0 && reasoning_content === undefined) {
    return "The `reasoning_content` in the thinking mode must be passed back to the API."
  }
  const parts = typeof content === "string" || content === null ? [] : content
  if (parts.some(({ type }) => type === "thinking") && server.thinking !== "parts") return "unknown part"
  if (reasoning_content !== undefined && server.thinking !== "field")
    return "property 'reasoning_content' is unsupported"
  return "reasoning_details" in message && server.thinking !== "details"
    ? "property 'reasoning_details' is unsupported"
    : undefined
}

const isObject = (json: string): boolean => {
  const value: unknown = JSON.parse(json)
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
