/** The types that Ollama's server decodes a request into; others are refused. */
import type * as FakeServer from "./FakeServer.ts"
import { bodyOf, type Message } from "./Ollama.ts"

/** The rule that a request breaks, if it does; what is asked of the server besides has none. */
export const broken = (request: FakeServer.Received): string | undefined => {
  if (request.path !== "/api/chat") return undefined
  const { messages, stream, tools = [] } = bodyOf(request)
  if (!stream) return "the answer is not asked for as a stream"
  const strange = tools.find((tool) => !isSchema(tool.function.parameters))
  if (strange !== undefined) return `json: cannot unmarshal the parameters of ${strange.function.name}`
  const names = tools.map((tool) => tool.function.name)
  if (names.some((name) => !/^[a-zA-Z_][\w-]{0,63}$/.test(name))) return "a name of a tool that some model refuses"
  return brokenBy(messages)
}

/**
 * Each call is answered right after its message, in its order; the user is heard at the start and has the last word.
 */
export const brokenBy = (messages: ReadonlyArray<Message>): string | undefined => {
  const heard = messages.filter(({ role }, at) => role !== "system" || at > 0)
  if (heard[0]?.role !== "user") return "no user query found in messages"
  if (heard.at(-1)?.role === "assistant") return "the model has the last word"
  if (heard.some(({ role }) => !["user", "assistant", "tool"].includes(role))) return "a role that is none"
  // A tool may have nothing to say.
  if (heard.some((one) => one.role !== "tool" && one.content === "" && !one.images && !one.tool_calls)) {
    return "a message without content"
  }
  let open: ReadonlyArray<NonNullable<Message["tool_calls"]>[number]> = []
  const ids = new Set<string>()
  for (const { role, tool_call_id, tool_calls = [], tool_name } of heard) {
    if (role === "tool") {
      const [call, ...rest] = open
      if (call === undefined || call.id !== tool_call_id || call.function.name !== tool_name)
        return "an answer to no call"
      open = rest
      continue
    }
    if (open.length > 0) return "a call without an answer"
    if (tool_calls.some(({ id }) => ids.has(id) || !/^[\w-]+$/.test(id))) return "an id that another call has, or none"
    if (tool_calls.some((call) => typeof call.function.arguments !== "object")) return "arguments that are no object"
    for (const { id } of tool_calls) ids.add(id)
    open = tool_calls
  }
  return open.length > 0 ? "a call without an answer" : undefined
}

/** As `api.ToolProperty` reads one. */
const isSchema = (schema: unknown): boolean => {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false
  const {
    anyOf = [],
    description = "",
    enum: listed = [],
    properties = {},
    required = [],
    type = "object",
    ...rest
  } = schema as Record<string, unknown>
  if ("$ref" in rest) return false
  const isText = (value: unknown) => typeof value === "string"
  return (
    isText(description) &&
    (isText(type) || (Array.isArray(type) && type.every(isText))) &&
    Array.isArray(listed) &&
    Array.isArray(required) &&
    required.every(isText) &&
    Array.isArray(anyOf) &&
    anyOf.every(isSchema) &&
    typeof properties === "object" &&
    properties !== null &&
    Object.values(properties).every(isSchema)
  )
}
