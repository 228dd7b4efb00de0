/** Sessions of gemini-cli: `~/.gemini/tmp/…/chats/session-*.json`, one object with all messages. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject } from "../../../base/Json.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import * as Drafts from "./Drafts.ts"
import * as ImportedConversation from "./ImportedConversation.ts"

const File = Schema.Struct({
  sessionId: Schema.String,
  projectHash: Schema.String,
  summary: Schema.optional(Schema.Unknown),
  messages: Schema.Array(Schema.Unknown),
})

const Call = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  args: Schema.Unknown,
  result: Schema.optional(Schema.Unknown),
  status: Schema.optional(Schema.String),
})
type Call = typeof Call.Type

const Message = Schema.Union(
  Schema.Struct({ type: Schema.Literal("user"), content: Schema.Unknown }),
  Schema.Struct({
    type: Schema.Literal("gemini"),
    content: Schema.Unknown,
    model: Schema.optionalWith(Schema.String, { nullable: true }),
    thoughts: Schema.optionalWith(Schema.Array(Schema.Struct({ subject: Schema.String, description: Schema.String })), {
      nullable: true,
    }),
    toolCalls: Schema.optionalWith(Schema.Array(Call), { nullable: true }),
    tokens: Schema.optionalWith(
      Schema.Struct({
        input: Drafts.TokenCount,
        output: Drafts.TokenCount,
        cached: Drafts.TokenCount,
        thoughts: Drafts.TokenCount,
      }),
      { nullable: true },
    ),
  }),
)
type Message = typeof Message.Type

/** Returns undefined if the value is not such a session. */
export const parse = (value: unknown): ImportedConversation.ParsedFile | undefined => {
  const file = Option.getOrUndefined(decodeFile(value))
  if (file === undefined) return undefined
  const builder = ImportedConversation.builder()
  let skipped = 0
  file.messages.forEach((message, index) => {
    const drafts = Option.match(decode(message), { onNone: () => [], onSome: toDrafts })
    const time = isObject(message) ? message.timestamp : undefined
    if (!builder.add(String(index), String(index - 1), drafts, time)) skipped++
  })
  const owner = `gemini-cli:${file.projectHash}`
  const { sessionId: id, summary: title } = file
  return { skipped, conversations: [ImportedConversation.make({ owner, id, title, messages: builder.messages })] }
}

const toDrafts = (message: Message): ReadonlyArray<Draft> => {
  if (message.type === "user") return Drafts.user(Drafts.toUserContent(message.content))
  const { model = "unknown", thoughts = [], tokens, toolCalls = [] } = message
  const answer = Drafts.assistant({
    blocks: [
      ...thoughts.map(({ description, subject }) => Block.thinking(`${subject}\n${description}`.trim())),
      Block.text(Drafts.toText(message.content)),
      ...toolCalls.map((call) => Block.toolUse(call.id, call.name, Drafts.toParameters(call.args))),
    ],
    model: `google/${model}`,
    usage: tokens && {
      inputTokens: tokens.input,
      outputTokens: tokens.output + tokens.thoughts,
      cachedTokens: tokens.cached,
      thinkingTokens: tokens.thoughts,
    },
  })
  return [...answer, ...toolCalls.flatMap(resultDrafts)]
}

/** Makes the draft of a call's result; empty if the call has none. */
const resultDrafts = ({ id, name, result, status }: Call): ReadonlyArray<Draft> => {
  if (result === undefined || result === null) return []
  const parts: ReadonlyArray<unknown> = Array.isArray(result) ? result : [result]
  const text = parts.map(responseText).join("\n")
  return Drafts.toolResult({
    call: id,
    tool: name,
    content: text,
    isError: status === "error" || status === "cancelled",
  })
}

const responseText = (part: unknown): string => {
  const response = isObject(part) && isObject(part.functionResponse) ? part.functionResponse.response : undefined
  if (!isObject(response)) return Drafts.toText([part])
  return typeof response.output === "string" ? response.output : JSON.stringify(response)
}

const decodeFile = Schema.decodeUnknownOption(File)
const decode = Schema.decodeUnknownOption(Message)
