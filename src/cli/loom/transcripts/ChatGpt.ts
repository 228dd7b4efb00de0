/** The `conversations.json` of a ChatGPT export. Each conversation is a tree of messages by `parent` and `children`. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject } from "../../../base/Json.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import * as Drafts from "./Drafts.ts"
import * as ImportedConversation from "./ImportedConversation.ts"

const Message = Schema.Struct({
  author: Schema.Struct({ role: Schema.Literal("user", "assistant") }),
  content: Schema.Struct({
    content_type: Schema.Literal("text", "multimodal_text"),
    parts: Schema.Array(Schema.Unknown),
  }),
  /** `all` for the user, otherwise the name of a tool. */
  recipient: Schema.optionalWith(Schema.String, { nullable: true }),
  metadata: Schema.optionalWith(Schema.Struct({ model_slug: Schema.optionalWith(Schema.String, { nullable: true }) }), {
    nullable: true,
  }),
})

const Entry = Schema.Struct({
  message: Schema.optional(Schema.Unknown),
  parent: Schema.optionalWith(Schema.String, { nullable: true }),
  children: Schema.Array(Schema.String),
})
type Entry = typeof Entry.Type

const Conversation = Schema.Struct({
  mapping: Schema.Record({ key: Schema.String, value: Entry }),
  title: Schema.optional(Schema.Unknown),
  /** `id` and `conversation_id` are the same; some exports have one of them. */
  id: Schema.optional(Schema.Unknown),
  conversation_id: Schema.optional(Schema.Unknown),
})

/** Returns undefined if the value is not such an export. */
export const parse = (value: unknown): ImportedConversation.ParsedFile | undefined => {
  const conversations = (Array.isArray(value) ? value : [value]).map((each) => Option.getOrUndefined(decode(each)))
  if (conversations.every((conversation) => conversation === undefined)) return undefined
  let skipped = 0
  const imported = conversations.flatMap((conversation) => {
    if (conversation === undefined) {
      skipped++
      return []
    }
    const builder = ImportedConversation.builder()
    for (const [id, { message, parent }] of sortParentsFirst(conversation.mapping)) {
      const isAdded = builder.add(id, parent, toDrafts(message), toTimeMs(message))
      // The topmost entry has no message by design.
      if (!isAdded && message !== undefined && message !== null) skipped++
    }
    const { conversation_id, id, title } = conversation
    return [
      ImportedConversation.make({ owner: "chatgpt", id: conversation_id ?? id, title, messages: builder.messages }),
    ]
  })
  return { skipped, conversations: imported }
}

/** Puts parents before their children. Leaves out entries in a cycle. */
const sortParentsFirst = (
  mapping: Readonly<Record<string, Entry>>,
): ReadonlyArray<readonly [id: string, entry: Entry]> => {
  const isTop = ({ parent }: Entry) => parent === undefined || mapping[parent] === undefined
  const stack = Object.keys(mapping)
    .filter((id) => mapping[id] !== undefined && isTop(mapping[id]))
    .reverse()
  const sorted = new Map<string, Entry>()
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const entry = mapping[id]
    if (entry === undefined || sorted.has(id)) continue
    sorted.set(id, entry)
    for (const child of entry.children.toReversed()) stack.push(child)
  }
  return Array.from(sorted)
}

const toDrafts = (message: unknown): ReadonlyArray<Draft> => {
  const decoded = Option.getOrUndefined(decodeMessage(message))
  if (decoded === undefined || (decoded.recipient !== undefined && decoded.recipient !== "all")) return []
  const { parts } = decoded.content
  return decoded.author.role === "user"
    ? Drafts.user(Drafts.toUserContent(parts))
    : Drafts.assistant({
        blocks: [Block.text(Drafts.toText(parts))],
        model: `openai/${decoded.metadata?.model_slug ?? "unknown"}`,
      })
}

/** The format counts seconds. */
const toTimeMs = (message: unknown): number | undefined =>
  isObject(message) && typeof message.create_time === "number" ? message.create_time * 1000 : undefined

const decode = Schema.decodeUnknownOption(Conversation)
const decodeMessage = Schema.decodeUnknownOption(Message)
