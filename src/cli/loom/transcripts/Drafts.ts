/** Makes messages for the forest from the texts, pictures, calls and results of the transcript formats. Pure. */
import * as Schema from "effect/Schema"
import { isObject, tryParse } from "../../../base/Json.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import type { FinishReason } from "../../../message/Usage.ts"
import * as Usage from "../../../message/Usage.ts"

/** Makes the draft of a user's message; none if it has no content. */
export const user = (content: ReadonlyArray<Block.Text | Block.Image>): ReadonlyArray<Draft> => {
  const [first, ...rest] = content.filter((block) => block.type === "image" || !isBlank(block.text))
  return first === undefined ? [] : [{ message: { role: "user", content: [first, ...rest] }, source: { type: "user" } }]
}

export const notice = (text: string): ReadonlyArray<Draft> => [
  { message: { role: "system", content: [Block.text(text)] }, source: { type: "notice" } },
]

export interface Answer {
  readonly blocks: ReadonlyArray<Block.Block>
  /** The model, as `provider/name`. */
  readonly model: string
  readonly finish?: FinishReason | undefined
  readonly usage?: Usage.Usage | undefined
}

/** Makes the draft of an answer; none if it has no content. */
export const assistant = ({ blocks, finish, model, usage = Usage.none }: Answer): ReadonlyArray<Draft> => {
  const [first, ...rest] = blocks.filter((block) => !("text" in block) || !isBlank(block.text))
  if (first === undefined) return []
  const hasCalls = [first, ...rest].some(Block.isToolUse)
  return [
    {
      message: { role: "assistant", content: [first, ...rest] },
      source: { type: "model", model, finish: finish ?? (hasCalls ? "tool_calls" : "stop"), usage },
    },
  ]
}

interface ToolResult {
  /** The id of the call. */
  readonly call: string
  readonly tool: string
  readonly content: unknown
  readonly isError: boolean
}

export const toolResult = ({ call, content, isError, tool }: ToolResult): ReadonlyArray<Draft> => [
  {
    message: {
      role: "tool",
      tool_call_id: call,
      name: tool,
      ...(isError && { isError }),
      content: [Block.text(toText(content))],
    },
    source: { type: "tool", tool },
  },
]

/** The arguments of a call as an object; anything else becomes its property `input`. */
export const toParameters = (input: unknown): Block.ToolUse["parameters"] => {
  const value = typeof input === "string" ? (tryParse(input) ?? input) : input
  return isObject(value) ? value : value === undefined || value === null ? {} : { input: value }
}

/** A count that a format leaves out is 0. */
export const TokenCount = Schema.optionalWith(Schema.Number, { default: () => 0, nullable: true })

/** Content as text: its text blocks joined, or JSON. A picture is represented by its media type. */
export const toText = (content: unknown): string => {
  if (typeof content === "string") return content
  if (isObject(content) && typeof content.content === "string") return content.content
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content)
  return content.flatMap((block) => placeholder(toImage(block)) ?? textsOf(block)).join("\n")
}

/** Texts and pictures in order. Adjacent texts are joined. */
export const toUserContent = (content: unknown): ReadonlyArray<Block.Text | Block.Image> => {
  if (!Array.isArray(content)) {
    const blocks = toBlocks(content)
    return blocks.length === 0 ? [Block.text(toText(content))] : blocks
  }
  const joined: Array<Block.Text | Block.Image> = []
  for (const block of content.flatMap(toBlocks)) {
    const last = joined.at(-1)
    if (last?.type !== "text" || block.type !== "text") joined.push(block)
    else joined[joined.length - 1] = Block.text(`${last.text}\n${block.text}`)
  }
  return joined
}

const toBlocks = (block: unknown): ReadonlyArray<Block.Text | Block.Image> => {
  const image = toImage(block)
  return image === undefined ? textsOf(block).map((text) => Block.text(text)) : [image]
}

const placeholder = (image: Block.Image | undefined) => image && `[${image.media_type}]`

const textsOf = (block: unknown): ReadonlyArray<string> => {
  if (typeof block === "string") return [block]
  return isObject(block) && typeof block.text === "string" ? [block.text] : []
}

const toImage = (block: unknown): Block.Image | undefined => {
  if (!isObject(block)) return undefined
  const { image_url: url, inlineData, source, type } = block
  // The encodings of Anthropic, pi, OpenAI and Google, in this order.
  if (type === "image" && isObject(source)) return decodeImage(source.media_type, source.data)
  if (type === "image") return decodeImage(block.mimeType, block.data)
  if (type === "input_image" && typeof url === "string") return Block.imageIn(url)
  return isObject(inlineData) ? decodeImage(inlineData.mimeType, inlineData.data) : undefined
}

/** Decodes a picture; undefined if the media type is not an image's, or the data is empty. */
const decodeImage = (media_type: unknown, data: unknown): Block.Image | undefined => {
  const block = { type: "image", media_type, data }
  return isImage(block) ? block : undefined
}

const isImage = Schema.is(Block.Image)

const isBlank = (text: string): boolean => text.trim() === ""
