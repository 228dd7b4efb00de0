/** Sessions of gemini-cli: `~/.gemini/tmp/…/chats/session-*.json`, one object with all messages. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import { isObject } from "../../../message/Json.ts"
import * as Content from "./Content.ts"
import * as Sapling from "./Sapling.ts"

const File = Schema.Struct({
  sessionId: Schema.String,
  projectHash: Schema.String,
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
        input: Sapling.Count,
        output: Sapling.Count,
        cached: Sapling.Count,
        thoughts: Sapling.Count,
      }),
      { nullable: true },
    ),
  }),
)
type Message = typeof Message.Type

/** None for what is no such session. */
export const read = (value: unknown): Sapling.Reading | undefined => {
  const file = Option.getOrUndefined(decodeFile(value))
  if (file === undefined) return undefined
  const bed = Sapling.bed()
  let skipped = 0
  file.messages.forEach((message, at) => {
    const drafts = Option.match(decode(message), { onNone: () => [], onSome: draftsOf })
    const time = isObject(message) ? message.timestamp : undefined
    if (!bed.add(String(at), String(at - 1), drafts, time)) skipped++
  })
  const owner = `gemini-cli:${file.projectHash}`
  return { skipped, saplings: [{ owner, systemPrompt: "", seedlings: bed.seedlings, bookmarks: [] }] }
}

const draftsOf = (message: Message): ReadonlyArray<Draft> => {
  if (message.type === "user") return Sapling.user(Content.spoken(message.content))
  const { model = "unknown", thoughts = [], tokens, toolCalls = [] } = message
  const answer = Sapling.assistant({
    blocks: [
      ...thoughts.map(({ description, subject }) => Block.thinking(`${subject}\n${description}`.trim())),
      Block.text(Content.text(message.content)),
      ...toolCalls.map((call) => Block.toolUse(call.id, call.name, Sapling.parameters(call.args))),
    ],
    model: `google/${model}`,
    usage: tokens && {
      inputTokens: tokens.input,
      outputTokens: tokens.output + tokens.thoughts,
      cachedTokens: tokens.cached,
      thinkingTokens: tokens.thoughts,
    },
  })
  return [...answer, ...toolCalls.flatMap(resultOf)]
}

/** A call that was never answered has no result. */
const resultOf = ({ id, name, result, status }: Call): ReadonlyArray<Draft> => {
  if (result === undefined || result === null) return []
  const parts: ReadonlyArray<unknown> = Array.isArray(result) ? result : [result]
  const text = parts.map(responseOf).join("\n")
  return Sapling.result({ call: id, tool: name, content: text, isError: status === "error" || status === "cancelled" })
}

const responseOf = (part: unknown): string => {
  const response = isObject(part) && isObject(part.functionResponse) ? part.functionResponse.response : undefined
  if (!isObject(response)) return Content.text([part])
  return typeof response.output === "string" ? response.output : JSON.stringify(response)
}

const decodeFile = Schema.decodeUnknownOption(File)
const decode = Schema.decodeUnknownOption(Message)
