/** Sessions of pi: `~/.pi/agent/sessions/…/*.jsonl`, a tree by `id` and `parentId` (from version 2 on). */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject } from "../../../base/Json.ts"
import { Title } from "../../../forest/Bookmark.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import type { FinishReason } from "../../../message/Usage.ts"
import * as Drafts from "./Drafts.ts"
import * as ImportedConversation from "./ImportedConversation.ts"

const Part = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("thinking"), thinking: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("toolCall"),
    id: Schema.NonEmptyString,
    name: Schema.NonEmptyString,
    arguments: Schema.Unknown,
  }),
)

const Message = Schema.Union(
  Schema.Struct({ role: Schema.Literal("user"), content: Schema.Unknown }),
  Schema.Struct({
    role: Schema.Literal("assistant"),
    content: Schema.Array(Schema.Unknown),
    provider: Schema.optional(Schema.String),
    model: Schema.optional(Schema.String),
    stopReason: Schema.optional(Schema.String),
    usage: Schema.optional(
      Schema.Struct({
        input: Drafts.TokenCount,
        output: Drafts.TokenCount,
        cacheRead: Drafts.TokenCount,
        cacheWrite: Drafts.TokenCount,
      }),
    ),
  }),
  Schema.Struct({
    role: Schema.Literal("toolResult"),
    toolCallId: Schema.NonEmptyString,
    toolName: Schema.NonEmptyString,
    content: Schema.Unknown,
    isError: Schema.optional(Schema.Boolean),
  }),
  /** A command that the user has run, with its output. */
  Schema.Struct({
    role: Schema.Literal("bashExecution"),
    command: Schema.String,
    output: Schema.String,
    exitCode: Schema.optionalWith(Schema.Number, { nullable: true }),
    excludeFromContext: Schema.optional(Schema.Literal(false)),
  }),
)
type Message = typeof Message.Type

const Line = Schema.Struct({ type: Schema.Literal("message"), message: Message })

/** Labels the line `targetId`, or removes its label. */
const Label = Schema.Struct({
  type: Schema.Literal("label"),
  targetId: Schema.String,
  label: Schema.optionalWith(Title, { nullable: true }),
})

export const isPi = (records: ReadonlyArray<unknown>): boolean =>
  records.some((record) => isObject(record) && record.type === "session" && "cwd" in record)

export const parse = (records: ReadonlyArray<unknown>): ImportedConversation.ParsedFile => {
  const builder = ImportedConversation.builder()
  const labels = new Map<string, string | undefined>()
  let skipped = 0
  let owner = "pi"
  let session: unknown
  let name: unknown
  /** Files of version 1 have no links: a line follows the one before it. */
  let previous: string | undefined
  records.forEach((record, index) => {
    if (isObject(record) && record.type === "session") {
      if (typeof record.cwd === "string") owner = `pi:${record.cwd}`
      session ??= record.id
      skipped++
      return
    }
    if (isObject(record) && record.type === "session_info") name = record.name
    const label = Option.getOrUndefined(decodeLabel(record))
    if (label !== undefined) labels.set(label.targetId, label.label)
    const { id = `line ${index}`, parentId = previous } = linksOf(record)
    const drafts = Option.match(decode(record), { onNone: () => [], onSome: ({ message }) => toDrafts(message) })
    const time = isObject(record) ? record.timestamp : undefined
    if (!builder.add(id, parentId, drafts, time)) skipped++
    previous = id
  })
  const bookmarks = Array.from(labels).flatMap(([id, title]) => {
    const message = builder.indexOf(id)
    return title === undefined || message === undefined ? [] : [{ title, message }]
  })
  const conversation = ImportedConversation.make({ owner, id: session, title: name, messages: builder.messages })
  return { skipped, conversations: [{ ...conversation, bookmarks }] }
}

/** Reads the links that files have from version 2 on. A `parentId` of null means that the line has no parent. */
const linksOf = (record: unknown): { readonly id?: string; readonly parentId?: string } => {
  if (!isObject(record) || typeof record.id !== "string") return {}
  return { id: record.id, parentId: typeof record.parentId === "string" ? record.parentId : "" }
}

const toDrafts = (message: Message): ReadonlyArray<Draft> => {
  switch (message.role) {
    case "user":
      return Drafts.user(Drafts.toUserContent(message.content))
    case "toolResult":
      return Drafts.toolResult({
        call: message.toolCallId,
        tool: message.toolName,
        content: message.content,
        isError: message.isError ?? false,
      })
    case "bashExecution":
      return Drafts.user([Block.text(commandText(message))])
    case "assistant":
      return Drafts.assistant({
        blocks: message.content.flatMap(toBlocks),
        model: `${message.provider ?? "unknown"}/${message.model ?? "unknown"}`,
        finish: toFinishReason(message.stopReason),
        usage: message.usage && {
          inputTokens: message.usage.input + message.usage.cacheRead + message.usage.cacheWrite,
          outputTokens: message.usage.output,
          cachedTokens: message.usage.cacheRead,
          thinkingTokens: 0,
        },
      })
  }
}

const commandText = ({ command, exitCode = 0, output }: Message & { readonly role: "bashExecution" }): string =>
  `$ ${command}\n${output}`.trimEnd() + (exitCode === 0 ? "" : `\n(exit ${exitCode})`)

const toBlocks = (part: unknown): ReadonlyArray<Block.Block> =>
  Option.match(decodePart(part), {
    onNone: () => [],
    onSome: (part) => {
      switch (part.type) {
        case "text":
          return [Block.text(part.text)]
        case "thinking":
          return [Block.thinking(part.thinking)]
        case "toolCall":
          return [Block.toolUse(part.id, part.name, Drafts.toParameters(part.arguments))]
      }
    },
  })

const toFinishReason = (reason: string | undefined): FinishReason | undefined => {
  switch (reason) {
    case "length":
      return "length"
    case "error":
    case "aborted":
      return "error"
    default:
      return undefined
  }
}

const decode = Schema.decodeUnknownOption(Line)
const decodeLabel = Schema.decodeUnknownOption(Label)
const decodePart = Schema.decodeUnknownOption(Part)
