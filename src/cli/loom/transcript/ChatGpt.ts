/** The `conversations.json` of a ChatGPT export: for each conversation a tree of messages by `parent` and `children`. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import { isObject } from "../../../message/Json.ts"
import * as Content from "./Content.ts"
import * as Sapling from "./Sapling.ts"

const Message = Schema.Struct({
  author: Schema.Struct({ role: Schema.Literal("user", "assistant") }),
  content: Schema.Struct({
    content_type: Schema.Literal("text", "multimodal_text"),
    parts: Schema.Array(Schema.Unknown),
  }),
  /** A tool, where it is not the user. */
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

const Conversation = Schema.Struct({ mapping: Schema.Record({ key: Schema.String, value: Entry }) })

/** None for what is no such export. */
export const read = (value: unknown): Sapling.Reading | undefined => {
  const conversations = (Array.isArray(value) ? value : [value]).map((one) => Option.getOrUndefined(decode(one)))
  if (conversations.every((conversation) => conversation === undefined)) return undefined
  let skipped = 0
  const saplings = conversations.flatMap((conversation) => {
    if (conversation === undefined) {
      skipped++
      return []
    }
    const bed = Sapling.bed()
    for (const [name, { message, parent }] of inOrder(conversation.mapping)) {
      const isSaid = bed.add(name, parent, draftsOf(message), saidAt(message))
      // The entry on top has no message by design.
      if (!isSaid && message !== undefined && message !== null) skipped++
    }
    return [{ owner: "chatgpt", systemPrompt: "", seedlings: bed.seedlings, bookmarks: [] }]
  })
  return { skipped, saplings }
}

/** Parents before their children; what stands in a circle is left out. */
const inOrder = (mapping: Readonly<Record<string, Entry>>): ReadonlyArray<readonly [name: string, entry: Entry]> => {
  const isTop = ({ parent }: Entry) => parent === undefined || mapping[parent] === undefined
  const ahead = Object.keys(mapping)
    .filter((name) => mapping[name] !== undefined && isTop(mapping[name]))
    .reverse()
  const found = new Map<string, Entry>()
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    const entry = mapping[name]
    if (entry === undefined || found.has(name)) continue
    found.set(name, entry)
    for (const child of entry.children.toReversed()) ahead.push(child)
  }
  return Array.from(found)
}

const draftsOf = (message: unknown): ReadonlyArray<Draft> => {
  const known = Option.getOrUndefined(decodeMessage(message))
  if (known === undefined || (known.recipient !== undefined && known.recipient !== "all")) return []
  const { parts } = known.content
  return known.author.role === "user"
    ? Sapling.user(Content.spoken(parts))
    : Sapling.assistant({
        blocks: [Block.text(Content.text(parts))],
        model: `openai/${known.metadata?.model_slug ?? "unknown"}`,
      })
}

/** It counts seconds. */
const saidAt = (message: unknown): number | undefined =>
  isObject(message) && typeof message.create_time === "number" ? message.create_time * 1000 : undefined

const decode = Schema.decodeUnknownOption(Conversation)
const decodeMessage = Schema.decodeUnknownOption(Message)
