/** Sessions of Claude Code: `~/.claude/projects/…/*.jsonl`, a tree by `uuid` and `parentUuid`. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import type { FinishReason } from "../../../message/FinishReason.ts"
import { isObject } from "../../../message/Json.ts"
import * as Content from "./Content.ts"
import * as Sapling from "./Sapling.ts"

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
    /** The same on all lines that a reply is cut into, a block a line. */
    id: Schema.optional(Schema.String),
    content: Schema.Union(Schema.String, Schema.Array(Schema.Unknown)),
    model: Schema.optional(Schema.String),
    stop_reason: Schema.optionalWith(Schema.String, { nullable: true }),
    usage: Schema.optionalWith(
      Schema.Struct({
        input_tokens: Sapling.Count,
        output_tokens: Sapling.Count,
        cache_creation_input_tokens: Sapling.Count,
        cache_read_input_tokens: Sapling.Count,
      }),
      { nullable: true },
    ),
  }),
})
type Line = typeof Line.Type

export const isClaudeCode = (records: ReadonlyArray<unknown>): boolean =>
  records.some((record) => isObject(record) && "parentUuid" in record && "sessionId" in record)

export const read = (records: ReadonlyArray<unknown>): Sapling.Reading => {
  const bed = Sapling.bed()
  const tools = new Map<string, string>()
  let skipped = 0
  let owner = "claude-code"
  for (const group of joined(records)) {
    if (group.line === undefined) {
      // What is no message still leads from one to the next.
      if (group.uuid !== undefined) bed.add(group.uuid, group.parentUuid, [])
      skipped++
      continue
    }
    const { cwd, parentUuid, timestamp, uuid } = group.line
    if (cwd !== undefined) owner = `claude-code:${cwd}`
    const parts = partsOf(group.lines)
    for (const part of parts) if (part.type === "tool_use") tools.set(part.id, part.name)
    // What a reply has used, and why it ended, only its last line tells.
    const last = group.lines.at(-1) ?? group.line
    const drafts = group.line.type === "user" ? spoken(group.lines, tools) : answered(last, parts)
    if (!bed.add(uuid, group.parent ?? parentUuid, drafts, timestamp)) skipped++
    for (const line of group.lines) if (line.uuid !== uuid) bed.add(line.uuid, uuid, [])
  }
  return { skipped, saplings: [{ owner, systemPrompt: "", seedlings: bed.seedlings, bookmarks: [] }] }
}

interface Group {
  /** The first of `lines`; none for what is no message. */
  readonly line: Line | undefined
  readonly lines: Array<Line>
  /** Where it belongs, if not where the line says. */
  readonly parent?: string | undefined
  readonly uuid?: string | undefined
  readonly parentUuid?: string | undefined
}

/** The lines of one reply as one, and answers to calls of one reply one after the other. */
const joined = (records: ReadonlyArray<unknown>): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  const replies = new Map<string, Group>()
  /** By the reply that they answer: the latest of them. */
  const answers = new Map<Group, string>()
  const replyOf = new Map<string, Group>()
  for (const record of records) {
    const decoded = decode(record)
    if (Option.isNone(decoded)) {
      groups.push({ line: undefined, lines: [], ...links(record) })
      continue
    }
    const line = decoded.value
    const reply = line.message.id === undefined ? undefined : replies.get(line.message.id)
    if (line.type === "assistant" && reply !== undefined) {
      reply.lines.push(line)
      replyOf.set(line.uuid, reply)
      continue
    }
    const answered = line.parentUuid === undefined ? undefined : replyOf.get(line.parentUuid)
    const isResult = line.type === "user" && partsOf([line]).some(({ type }) => type === "tool_result")
    const group = {
      line,
      lines: [line],
      parent: answered !== undefined && isResult ? answers.get(answered) : undefined,
    }
    if (answered !== undefined && isResult) answers.set(answered, line.uuid)
    if (line.type === "assistant") {
      if (line.message.id !== undefined) replies.set(line.message.id, group)
      replyOf.set(line.uuid, group)
    }
    groups.push(group)
  }
  return groups
}

const links = (record: unknown) => {
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

const spoken = (lines: ReadonlyArray<Line>, tools: ReadonlyMap<string, string>): ReadonlyArray<Draft> => [
  ...partsOf(lines).flatMap((part) =>
    part.type === "tool_result"
      ? Sapling.result({
          call: part.tool_use_id,
          tool: tools.get(part.tool_use_id) ?? "unknown",
          content: part.content,
          isError: part.is_error ?? false,
        })
      : [],
  ),
  ...Sapling.user(lines.flatMap(({ message }) => Content.spoken(message.content))),
]

const answered = ({ message }: Line, parts: ReadonlyArray<Part>): ReadonlyArray<Draft> =>
  Sapling.assistant({
    blocks: parts.flatMap(blocks),
    model: `anthropic/${message.model ?? "unknown"}`,
    finish: finish(message.stop_reason),
    usage: message.usage && {
      inputTokens:
        message.usage.input_tokens + message.usage.cache_creation_input_tokens + message.usage.cache_read_input_tokens,
      outputTokens: message.usage.output_tokens,
      cachedTokens: message.usage.cache_read_input_tokens,
      thinkingTokens: 0,
    },
  })

const blocks = (part: Part): ReadonlyArray<Block.Block> => {
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
      return [Block.toolUse(part.id, part.name, Sapling.parameters(part.input))]
    case "tool_result":
      return []
  }
}

const finish = (reason: string | undefined): FinishReason | undefined => {
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
const decodePart = Schema.decodeUnknownOption(Part)
