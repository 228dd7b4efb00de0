/** Sessions of Claude Code: `~/.claude/projects/…/*.jsonl`, a tree by `uuid` and `parentUuid`. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject } from "../../../base/Json.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import type { FinishReason } from "../../../message/Usage.ts"
import * as Drafts from "./Drafts.ts"
import * as ImportedConversation from "./ImportedConversation.ts"

const Part = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("thinking"),
    thinking: Schema.String,
    signature: Schema.optional(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("tool_use"),
    id: Schema.NonEmptyString,
    name: Schema.NonEmptyString,
    input: Schema.Unknown,
  }),
  Schema.Struct({
    type: Schema.Literal("tool_result"),
    tool_use_id: Schema.NonEmptyString,
    content: Schema.optional(Schema.Unknown),
    is_error: Schema.optionalWith(Schema.Boolean, { nullable: true }),
  }),
)
type Part = typeof Part.Type

const Line = Schema.Struct({
  type: Schema.Literal("user", "assistant"),
  uuid: Schema.NonEmptyString,
  parentUuid: Schema.optionalWith(Schema.String, { nullable: true }),
  cwd: Schema.optional(Schema.String),
  timestamp: Schema.optional(Schema.Unknown),
  message: Schema.Struct({
    /** The same on all lines of a reply: a line holds one block. */
    id: Schema.optional(Schema.String),
    content: Schema.Union(Schema.String, Schema.Array(Schema.Unknown)),
    model: Schema.optional(Schema.String),
    stop_reason: Schema.optionalWith(Schema.String, { nullable: true }),
    usage: Schema.optionalWith(
      Schema.Struct({
        input_tokens: Drafts.TokenCount,
        output_tokens: Drafts.TokenCount,
        cache_creation_input_tokens: Drafts.TokenCount,
        cache_read_input_tokens: Drafts.TokenCount,
      }),
      { nullable: true },
    ),
  }),
})
type Line = typeof Line.Type

/** Lines with the title of a session. */
const TitleLine = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("summary"),
    summary: Schema.String,
    /** The last message of the session. */
    leafUuid: Schema.optionalWith(Schema.String, { nullable: true }),
  }),
  Schema.Struct({ type: Schema.Literal("ai-title"), aiTitle: Schema.String }),
  Schema.Struct({ type: Schema.Literal("custom-title"), customTitle: Schema.String }),
)

export const isClaudeCode = (records: ReadonlyArray<unknown>): boolean =>
  records.some((record) => isObject(record) && "parentUuid" in record && "sessionId" in record)

export const parse = (records: ReadonlyArray<unknown>): ImportedConversation.ParsedFile => {
  const builder = ImportedConversation.builder()
  const tools = new Map<string, string>()
  let skipped = 0
  let owner = "claude-code"
  for (const group of groupByReply(records)) {
    if (group.line === undefined) {
      // A line without a message still links those around it.
      if (group.uuid !== undefined) builder.add(group.uuid, group.parentUuid, [])
      skipped++
      continue
    }
    const { cwd, parentUuid, timestamp, uuid } = group.line
    if (cwd !== undefined) owner = `claude-code:${cwd}`
    const parts = partsOf(group.lines)
    for (const part of parts) if (part.type === "tool_use") tools.set(part.id, part.name)
    // Only the last line of a reply has its final usage and finish reason.
    const last = group.lines.at(-1) ?? group.line
    const drafts = group.line.type === "user" ? userDrafts(group.lines, tools) : assistantDrafts(last, parts)
    if (!builder.add(uuid, group.parent ?? parentUuid, drafts, timestamp)) skipped++
    for (const line of group.lines) if (line.uuid !== uuid) builder.add(line.uuid, uuid, [])
  }
  const conversation = ImportedConversation.make({
    owner,
    id: idOf(records),
    title: titleOf(records),
    messages: builder.messages,
  })
  return { skipped, conversations: [conversation] }
}

/**
 * The id of the session; a subagent's file has the id of the agent as well. A session that continues another one may
 * begin with copies of its lines, so the last line counts.
 */
const idOf = (records: ReadonlyArray<unknown>): string | undefined => {
  const last = records.findLast(
    (record) => isObject(record) && "uuid" in record && typeof record.sessionId === "string",
  )
  if (!isObject(last)) return undefined
  return typeof last.agentId === "string" ? `${last.sessionId}/${last.agentId}` : String(last.sessionId)
}

/** The name that the user has given the session, or else its last summary. */
const titleOf = (records: ReadonlyArray<unknown>): string | undefined => {
  const titles = records.flatMap((record) => Option.toArray(decodeTitle(record)))
  const named = titles.flatMap((line) => (line.type === "custom-title" ? [line.customTitle] : [])).at(-1)
  if (named !== undefined) return named
  const messages = new Set(records.flatMap((record) => (isObject(record) && "uuid" in record ? [record.uuid] : [])))
  const summaries = titles.flatMap((line) =>
    line.type === "custom-title"
      ? []
      : line.type === "ai-title"
        ? [{ text: line.aiTitle, isOfFile: true }]
        : [{ text: line.summary, isOfFile: line.leafUuid === undefined || messages.has(line.leafUuid) }],
  )
  // A file may also hold summaries of other sessions, which end with messages that are not in it.
  const own = summaries.findLast(({ isOfFile }) => isOfFile)
  return own?.text ?? (summaries.length === 1 ? summaries[0]?.text : undefined)
}

interface Group {
  /** The first of `lines`; undefined for a line without a message. */
  readonly line: Line | undefined
  readonly lines: Array<Line>
  /** Overrides the `parentUuid` of the line. */
  readonly parent?: string | undefined
  readonly uuid?: string | undefined
  readonly parentUuid?: string | undefined
}

/** One group for each reply and for each other line. The tool results of a reply follow one another. */
const groupByReply = (records: ReadonlyArray<unknown>): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  const replies = new Map<string, Group>()
  /** The `uuid` of the latest tool result of each reply. */
  const lastResults = new Map<Group, string>()
  const replyOf = new Map<string, Group>()
  for (const record of records) {
    const decoded = decode(record)
    if (Option.isNone(decoded)) {
      groups.push({ line: undefined, lines: [], ...linksOf(record) })
      continue
    }
    const line = decoded.value
    const reply = line.message.id === undefined ? undefined : replies.get(line.message.id)
    if (line.type === "assistant" && reply !== undefined) {
      reply.lines.push(line)
      replyOf.set(line.uuid, reply)
      continue
    }
    const answeredReply = line.parentUuid === undefined ? undefined : replyOf.get(line.parentUuid)
    const isResult = line.type === "user" && partsOf([line]).some(({ type }) => type === "tool_result")
    const group = {
      line,
      lines: [line],
      parent: answeredReply !== undefined && isResult ? lastResults.get(answeredReply) : undefined,
    }
    if (answeredReply !== undefined && isResult) lastResults.set(answeredReply, line.uuid)
    if (line.type === "assistant") {
      if (line.message.id !== undefined) replies.set(line.message.id, group)
      replyOf.set(line.uuid, group)
    }
    groups.push(group)
  }
  return groups
}

const linksOf = (record: unknown) => {
  if (!isObject(record)) return {}
  const { parentUuid, uuid } = record
  return {
    ...(typeof uuid === "string" && { uuid }),
    ...(typeof parentUuid === "string" && { parentUuid }),
  }
}

const partsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Part> =>
  lines.flatMap(({ message }) =>
    typeof message.content === "string"
      ? [{ type: "text" as const, text: message.content }]
      : message.content.flatMap((part) => Option.toArray(decodePart(part))),
  )

const userDrafts = (lines: ReadonlyArray<Line>, tools: ReadonlyMap<string, string>): ReadonlyArray<Draft> => [
  ...partsOf(lines).flatMap((part) =>
    part.type === "tool_result"
      ? Drafts.toolResult({
          call: part.tool_use_id,
          tool: tools.get(part.tool_use_id) ?? "unknown",
          content: part.content,
          isError: part.is_error ?? false,
        })
      : [],
  ),
  ...Drafts.user(lines.flatMap(({ message }) => Drafts.toUserContent(message.content))),
]

const assistantDrafts = ({ message }: Line, parts: ReadonlyArray<Part>): ReadonlyArray<Draft> =>
  Drafts.assistant({
    blocks: parts.flatMap(toBlocks),
    model: `anthropic/${message.model ?? "unknown"}`,
    finish: toFinishReason(message.stop_reason),
    usage: message.usage && {
      inputTokens:
        message.usage.input_tokens + message.usage.cache_creation_input_tokens + message.usage.cache_read_input_tokens,
      outputTokens: message.usage.output_tokens,
      cachedTokens: message.usage.cache_read_input_tokens,
      thinkingTokens: 0,
    },
  })

const toBlocks = (part: Part): ReadonlyArray<Block.Block> => {
  switch (part.type) {
    case "text":
      return [Block.text(part.text)]
    case "thinking":
      return [
        Block.thinking(
          part.thinking,
          part.signature === undefined ? undefined : { anthropic: { signature: part.signature } },
        ),
      ]
    case "tool_use":
      return [Block.toolUse(part.id, part.name, Drafts.toParameters(part.input))]
    case "tool_result":
      return []
  }
}

const toFinishReason = (reason: string | undefined): FinishReason | undefined => {
  switch (reason) {
    case "max_tokens":
      return "length"
    case "refusal":
      return "content_filter"
    default:
      return undefined
  }
}

const decode = Schema.decodeUnknownOption(Line)
const decodeTitle = Schema.decodeUnknownOption(TitleLine)
const decodePart = Schema.decodeUnknownOption(Part)
