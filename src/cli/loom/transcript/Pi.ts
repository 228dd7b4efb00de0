/** Sessions of pi: `~/.pi/agent/sessions/…/*.jsonl`, a tree by `id` and `parentId` (from version 2 on). */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Title } from "../../../forest/Bookmark.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import type { FinishReason } from "../../../message/FinishReason.ts"
import { isObject } from "../../../message/Json.ts"
import * as Content from "./Content.ts"
import * as Sapling from "./Sapling.ts"

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
        input: Sapling.Count,
        output: Sapling.Count,
        cacheRead: Sapling.Count,
        cacheWrite: Sapling.Count,
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
  /** What the user has run, for the model to read. */
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

/** A name for what another line says; without one the name is taken away. */
const Label = Schema.Struct({
  type: Schema.Literal("label"),
  targetId: Schema.String,
  label: Schema.optionalWith(Title, { nullable: true }),
})

export const isPi = (records: ReadonlyArray<unknown>): boolean =>
  records.some((record) => isObject(record) && record.type === "session" && "cwd" in record)

export const read = (records: ReadonlyArray<unknown>): Sapling.Reading => {
  const bed = Sapling.bed()
  const labels = new Map<string, string | undefined>()
  let skipped = 0
  let owner = "pi"
  /** In version 1 a line follows the one before. */
  let before: string | undefined
  records.forEach((record, at) => {
    if (isObject(record) && record.type === "session") {
      if (typeof record.cwd === "string") owner = `pi:${record.cwd}`
      skipped++
      return
    }
    const label = Option.getOrUndefined(decodeLabel(record))
    if (label !== undefined) labels.set(label.targetId, label.label)
    const { id = `line ${at}`, parentId = before } = links(record)
    const drafts = Option.match(decode(record), { onNone: () => [], onSome: ({ message }) => draftsOf(message) })
    const time = isObject(record) ? record.timestamp : undefined
    if (!bed.add(id, parentId, drafts, time)) skipped++
    before = id
  })
  const bookmarks = Array.from(labels).flatMap(([id, title]) => {
    const seedling = bed.place(id)
    return title === undefined || seedling === undefined ? [] : [{ title, seedling }]
  })
  return { skipped, saplings: [{ owner, systemPrompt: "", seedlings: bed.seedlings, bookmarks }] }
}

/** Of version 2 and later; a `parentId` of null is a beginning. */
const links = (record: unknown): { readonly id?: string; readonly parentId?: string } => {
  if (!isObject(record) || typeof record.id !== "string") return {}
  return { id: record.id, parentId: typeof record.parentId === "string" ? record.parentId : "" }
}

const draftsOf = (message: Message): ReadonlyArray<Draft> => {
  switch (message.role) {
    case "user":
      return Sapling.user(Content.spoken(message.content))
    case "toolResult":
      return Sapling.result({
        call: message.toolCallId,
        tool: message.toolName,
        content: message.content,
        isError: message.isError ?? false,
      })
    case "bashExecution":
      return Sapling.user([Block.text(ran(message))])
    case "assistant":
      return Sapling.assistant({
        blocks: message.content.flatMap(blocks),
        model: `${message.provider ?? "unknown"}/${message.model ?? "unknown"}`,
        finish: finish(message.stopReason),
        usage: message.usage && {
          inputTokens: message.usage.input + message.usage.cacheRead + message.usage.cacheWrite,
          outputTokens: message.usage.output,
          cachedTokens: message.usage.cacheRead,
          thinkingTokens: 0,
        },
      })
  }
}

const ran = ({ command, exitCode = 0, output }: Message & { readonly role: "bashExecution" }): string =>
  `$ ${command}\n${output}`.trimEnd() + (exitCode === 0 ? "" : `\n(exit ${exitCode})`)

const blocks = (part: unknown): ReadonlyArray<Block.Block> =>
  Option.match(decodePart(part), {
    onNone: () => [],
    onSome: (part) => {
      switch (part.type) {
        case "text":
          return [Block.text(part.text)]
        case "thinking":
          return [Block.thinking(part.thinking)]
        case "toolCall":
          return [Block.toolUse(part.id, part.name, Sapling.parameters(part.arguments))]
      }
    },
  })

const finish = (reason: string | undefined): FinishReason | undefined => {
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
