/** Sessions of Codex: `~/.codex/sessions/…/rollout-*.jsonl`, one line after the other. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import { isObject } from "../../../message/Json.ts"
import * as Content from "./Content.ts"
import * as Sapling from "./Sapling.ts"

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
    /** JSON of a `function_call`, text of a `custom_tool_call`. */
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
    payload: Schema.Struct({ cwd: Schema.optional(Schema.String) }),
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

export const read = (records: ReadonlyArray<unknown>): Sapling.Reading => {
  const bed = Sapling.bed()
  const tools = new Map<string, string>()
  let skipped = 0
  let owner = "codex"
  let model = "unknown"
  let reply: Reply = { blocks: [], at: undefined }
  let turns = 0
  const follow = (drafts: ReadonlyArray<Draft>, at: unknown) => {
    bed.add(String(turns + 1), String(turns), drafts, at)
    turns++
  }
  const answered = () => {
    follow(Sapling.assistant({ blocks: reply.blocks, model: `openai/${model}` }), reply.at)
    reply = { blocks: [], at: undefined }
  }
  for (const record of records) {
    const line = Option.getOrUndefined(decode(record))
    if (line?.type !== "response_item") {
      skipped++
      if (line?.type === "session_meta" && line.payload.cwd !== undefined) owner = `codex:${line.payload.cwd}`
      if (line?.type === "turn_context") model = line.payload.model
      continue
    }
    const { payload: item, timestamp } = line
    if (item.type === "function_call" || item.type === "custom_tool_call") tools.set(item.call_id, item.name)
    const blocks = said(item)
    if (blocks === undefined) {
      answered()
      follow(heard(item, tools), timestamp)
    } else reply = { blocks: [...reply.blocks, ...blocks], at: reply.at ?? timestamp }
  }
  answered()
  return { skipped, saplings: [{ owner, systemPrompt: "", seedlings: bed.seedlings, bookmarks: [] }] }
}

/** Of several lines, said when the first of them was. */
interface Reply {
  readonly blocks: ReadonlyArray<Block.Block>
  readonly at: unknown
}

/** By the model: several lines make one reply. */
const said = (item: Item): ReadonlyArray<Block.Block> | undefined => {
  switch (item.type) {
    case "reasoning":
      return item.summary.map(({ text }) => Block.thinking(text))
    case "function_call":
    case "custom_tool_call":
      return [Block.toolUse(item.call_id, item.name, Sapling.parameters(item.arguments ?? item.input))]
    case "message":
      return item.role === "assistant" ? [Block.text(Content.text(item.content))] : undefined
    default:
      return undefined
  }
}

/** By the model, from others. */
const heard = (item: Item, tools: ReadonlyMap<string, string>): ReadonlyArray<Draft> => {
  if (item.type === "message") {
    return item.role === "user"
      ? Sapling.user(Content.spoken(item.content))
      : Sapling.notice(Content.text(item.content))
  }
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return []
  const tool = tools.get(item.call_id) ?? "unknown"
  return Sapling.result({ call: item.call_id, tool, content: item.output, isError: false })
}

const decode = Schema.decodeUnknownOption(Line)
