/** Sessions of Codex: `~/.codex/sessions/…/rollout-*.jsonl`, in the order of the lines. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject } from "../../../base/Json.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import * as Drafts from "./Drafts.ts"
import * as ImportedConversation from "./ImportedConversation.ts"

const Item = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("message"),
    role: Schema.Literal("user", "assistant", "developer", "system"),
    content: Schema.Unknown,
  }),
  Schema.Struct({
    type: Schema.Literal("reasoning"),
    summary: Schema.Array(Schema.Struct({ text: Schema.String })),
  }),
  Schema.Struct({
    type: Schema.Literal("function_call", "custom_tool_call"),
    call_id: Schema.NonEmptyString,
    name: Schema.NonEmptyString,
    /** JSON for a `function_call`, plain text for a `custom_tool_call`. */
    arguments: Schema.optional(Schema.String),
    input: Schema.optional(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("function_call_output", "custom_tool_call_output"),
    call_id: Schema.NonEmptyString,
    output: Schema.Unknown,
  }),
)
type Item = typeof Item.Type

const Line = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("session_meta"),
    payload: Schema.Struct({ id: Schema.optional(Schema.Unknown), cwd: Schema.optional(Schema.String) }),
  }),
  Schema.Struct({
    type: Schema.Literal("event_msg"),
    payload: Schema.Struct({ type: Schema.Literal("thread_name_updated"), thread_name: Schema.Unknown }),
  }),
  Schema.Struct({ type: Schema.Literal("turn_context"), payload: Schema.Struct({ model: Schema.String }) }),
  Schema.Struct({
    type: Schema.Literal("response_item"),
    timestamp: Schema.optional(Schema.Unknown),
    payload: Item,
  }),
)

export const isCodex = (records: ReadonlyArray<unknown>): boolean =>
  records.some((record) => isObject(record) && record.type === "session_meta" && isObject(record.payload))

export const parse = (records: ReadonlyArray<unknown>): ImportedConversation.ParsedFile => {
  const builder = ImportedConversation.builder()
  const tools = new Map<string, string>()
  let skipped = 0
  let owner = "codex"
  let id: unknown
  let title: unknown
  let model = "unknown"
  let reply: Reply = { blocks: [], time: undefined }
  let count = 0
  const append = (drafts: ReadonlyArray<Draft>, time: unknown) => {
    builder.add(String(count + 1), String(count), drafts, time)
    count++
  }
  const flushReply = () => {
    append(Drafts.assistant({ blocks: reply.blocks, model: `openai/${model}` }), reply.time)
    reply = { blocks: [], time: undefined }
  }
  for (const record of records) {
    const line = Option.getOrUndefined(decode(record))
    if (line?.type !== "response_item") {
      skipped++
      if (line?.type === "session_meta") {
        if (line.payload.cwd !== undefined) owner = `codex:${line.payload.cwd}`
        // The first id counts: a fork also holds the records of the sessions before it.
        id ??= line.payload.id
      }
      if (line?.type === "event_msg") title = line.payload.thread_name
      if (line?.type === "turn_context") model = line.payload.model
      continue
    }
    const { payload: item, timestamp } = line
    if (item.type === "function_call" || item.type === "custom_tool_call") tools.set(item.call_id, item.name)
    const blocks = replyBlocks(item)
    if (blocks === undefined) {
      flushReply()
      append(inputDrafts(item, tools), timestamp)
    } else reply = { blocks: [...reply.blocks, ...blocks], time: reply.time ?? timestamp }
  }
  flushReply()
  return { skipped, conversations: [ImportedConversation.make({ owner, id, title, messages: builder.messages })] }
}

/** The reply that is being collected from adjacent lines, with the time of the first. */
interface Reply {
  readonly blocks: ReadonlyArray<Block.Block>
  readonly time: unknown
}

/** The part of a reply that an item holds; undefined if the item is not the model's. */
const replyBlocks = (item: Item): ReadonlyArray<Block.Block> | undefined => {
  switch (item.type) {
    case "reasoning":
      return item.summary.map(({ text }) => Block.thinking(text))
    case "function_call":
    case "custom_tool_call":
      return [Block.toolUse(item.call_id, item.name, Drafts.toParameters(item.arguments ?? item.input))]
    case "message":
      return item.role === "assistant" ? [Block.text(Drafts.toText(item.content))] : undefined
    default:
      return undefined
  }
}

/** The drafts of an item that the model receives: messages and tool results. */
const inputDrafts = (item: Item, tools: ReadonlyMap<string, string>): ReadonlyArray<Draft> => {
  if (item.type === "message") {
    return item.role === "user"
      ? Drafts.user(Drafts.toUserContent(item.content))
      : Drafts.notice(Drafts.toText(item.content))
  }
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return []
  const tool = tools.get(item.call_id) ?? "unknown"
  return Drafts.toolResult({ call: item.call_id, tool, content: item.output, isError: false })
}

const decode = Schema.decodeUnknownOption(Line)
