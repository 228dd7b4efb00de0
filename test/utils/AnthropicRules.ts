/** Anthropic's rules for a request, with the errors of its API. */
import { isObject, type Json } from "../../src/base/Json.ts"
import type * as FakeServer from "./FakeServer.ts"

/** As far as it is looked at. */
export interface Content {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly data?: string
  readonly source?: { readonly media_type: string; readonly data: string }
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly content?: string
  readonly cache_control?: object
}

export interface WireMessage {
  readonly role: "user" | "assistant"
  readonly content: ReadonlyArray<Content>
}

export interface Body {
  readonly model: string
  readonly stream: boolean
  readonly max_tokens?: number
  readonly temperature?: number
  readonly system?: ReadonlyArray<Content>
  readonly messages: ReadonlyArray<WireMessage>
  readonly tools?: ReadonlyArray<{
    readonly name: string
    readonly description?: string
    readonly input_schema: Json
    readonly cache_control?: object
  }>
  readonly tool_choice?: { readonly type: string }
  readonly output_config?: { readonly format: { readonly type: string; readonly schema: Json } }
}

/** What the adapter has just sent, in the wire shape of Anthropic's API. */
export const read = (body: FakeServer.Received["body"]): Body => body as Body

/** The rule that a request breaks, if it does. */
export const broken = (body: Body): string | undefined => {
  const { max_tokens, messages, system = [], tools = [] } = body
  const contents = messages.flatMap(({ content }) => content)
  if (max_tokens === undefined || max_tokens < 1) return "max_tokens: Field required"
  if (messages[0]?.role !== "user") return "messages: first message must use the user role"
  if (messages.at(-1)?.role !== "user") return "the conversation must end with a user message"
  if (messages.some(({ role }, at) => role !== (at % 2 === 0 ? "user" : "assistant"))) {
    return "messages: roles must alternate"
  }
  if (messages.some(({ content }) => content.length === 0)) return "messages: content must be non-empty"
  if ([...system, ...contents].some(({ text, type }) => type === "text" && (text ?? "").trim() === "")) {
    return "messages: text content blocks must contain non-whitespace text"
  }
  const marks = [...system, ...contents, ...tools].filter(({ cache_control }) => cache_control !== undefined)
  if (marks.length > 4) return "A maximum of 4 blocks with cache_control may be provided."
  if (marks.some((block) => "type" in block && /thinking/.test(block.type))) {
    return "cache_control cannot be set for thinking blocks"
  }
  return (
    firstOf(messages, (message, at) => brokenIn(message, messages[at - 1])) ??
    brokenCalls(contents, body) ??
    firstOf(tools, ({ input_schema, name }) =>
      /^[a-zA-Z0-9_-]{1,64}$/.test(name) ? brokenSchema(input_schema) : "tools.0.custom.name: should match pattern",
    )
  )
}

const brokenIn = ({ content, role }: WireMessage, before: WireMessage | undefined): string | undefined => {
  const types = content.map(({ type }) => type)
  const call = types.indexOf("tool_use")
  if (role === "assistant") {
    if (types.some((type) => !["text", "thinking", "redacted_thinking", "tool_use"].includes(type))) {
      return `messages: unexpected ${types} for the assistant`
    }
    if (call !== -1 && types.indexOf("text", call) !== -1) return "messages: text after `tool_use` blocks"
    if (content.some(({ signature, type }) => type === "thinking" && !/^[\w+/]+=*$/.test(signature ?? ""))) {
      return "messages.1.content.0: Invalid `signature` in `thinking` block"
    }
    return undefined
  }
  if (types.some((type) => !["text", "image", "tool_result"].includes(type))) {
    return `messages: unexpected ${types} for the user`
  }
  const results = content.filter(({ type }) => type === "tool_result")
  if (content.slice(0, results.length).some(({ type }) => type !== "tool_result")) {
    return "messages: tool_result blocks must come first"
  }
  const asked = before?.content.flatMap(({ id, type }) => (type === "tool_use" ? [id] : [])) ?? []
  if (asked.length !== results.length || results.some(({ tool_use_id }) => !asked.includes(tool_use_id))) {
    return "`tool_use` ids were found without `tool_result` blocks immediately after"
  }
  return content.some(({ source }) => source !== undefined && !/^image\/(png|jpeg|gif|webp)$/.test(source.media_type))
    ? "messages: image media_type is not supported"
    : undefined
}

const brokenCalls = (contents: ReadonlyArray<Content>, { tools = [] }: Body): string | undefined => {
  const calls = contents.filter(({ type }) => type === "tool_use")
  if (calls.length > 0 && tools.length === 0) {
    return "Requests which include `tool_use` or `tool_result` blocks must define tools"
  }
  if (calls.some(({ id }) => !/^[a-zA-Z0-9_-]+$/.test(id ?? ""))) return "messages: tool_use.id should match pattern"
  if (new Set(calls.map(({ id }) => id)).size < calls.length) return "messages: `tool_use` ids must be unique"
  return calls.some(({ input, name }) => typeof input !== "object" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name ?? ""))
    ? "messages: tool_use.name should match pattern"
    : undefined
}

/** Draft 2020-12, of an object, without alternatives at its top. */
const brokenSchema = (schema: Json): string | undefined => {
  if (!isObject(schema) || schema.type !== "object") return "tools.0.custom.input_schema.type: Field required"
  if ("oneOf" in schema || "allOf" in schema || "anyOf" in schema) {
    return "input_schema does not support oneOf, allOf, or anyOf at the top level"
  }
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  if (names.some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))) {
    return "tools.0.custom.input_schema.properties: Property keys should match pattern"
  }
  const old = (value: Json): boolean =>
    Array.isArray(value)
      ? value.some(old)
      : isObject(value) &&
        (Array.isArray(value.items) ||
          typeof value.exclusiveMinimum === "boolean" ||
          typeof value.exclusiveMaximum === "boolean" ||
          /draft-0/.test(String(value.$schema)) ||
          Object.values(value).some(old))
  return old(schema) ? "JSON schema is invalid. It must match JSON Schema draft 2020-12" : undefined
}

const firstOf = <A>(all: ReadonlyArray<A>, rule: (one: A, at: number) => string | undefined): string | undefined =>
  all.map(rule).find((broken) => broken !== undefined)
