/** A piece of a message: text, a picture, a tool call, or thinking. */
import * as Schema from "effect/Schema"

/**
 * Data that a provider expects back with the block, by the name of the provider: a Gemini thought signature, a call id.
 * Only the adapter of that provider reads it.
 */
export const Meta = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type Meta = typeof Meta.Type

export const Text = Schema.Struct({
  type: Schema.Literal("text"),
  text: Schema.String,
  meta: Schema.optional(Meta),
})
export type Text = typeof Text.Type

/** A picture from a user, or drawn by a model. */
export const Image = Schema.Struct({
  type: Schema.Literal("image"),
  /** A MIME type, such as `image/png`. */
  media_type: Schema.String.pipe(Schema.pattern(/^image\/[\w.+-]+$/)),
  /** Base64. */
  data: Schema.NonEmptyString,
  meta: Schema.optional(Meta),
})
export type Image = typeof Image.Type

export const ToolUse = Schema.Struct({
  type: Schema.Literal("tool-use"),
  /** The id is unique on its path. The message with the result repeats it. */
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  parameters: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  meta: Schema.optional(Meta),
})
export type ToolUse = typeof ToolUse.Type

export const Thinking = Schema.Struct({
  type: Schema.Literal("thinking"),
  text: Schema.String,
  meta: Schema.optional(Meta),
})
export type Thinking = typeof Thinking.Type

export const Block = Schema.Union(Text, Image, ToolUse, Thinking)
export type Block = typeof Block.Type

export const text = (text: string, meta?: Meta): Text => ({ type: "text", text, ...(meta && { meta }) })

export const image = (media_type: string, data: string, meta?: Meta): Image => ({
  type: "image",
  media_type,
  data,
  ...(meta && { meta }),
})

/** Returns the image of a `data:` URL; undefined if it holds none, or not in base64. */
export const imageIn = (url: string): Image | undefined => {
  const [, media_type, data] = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(url) ?? []
  return media_type === undefined || data === undefined ? undefined : image(media_type, data)
}

export const thinking = (text: string, meta?: Meta): Thinking => ({ type: "thinking", text, ...(meta && { meta }) })

export const toolUse = (id: string, name: string, parameters: ToolUse["parameters"], meta?: Meta): ToolUse => ({
  type: "tool-use",
  id,
  name,
  parameters,
  ...(meta && { meta }),
})

/** Returns whether it is a text of white space alone. */
export const isBlank = (block: Block): boolean =>
  block.type === "text" && block.meta === undefined && block.text.trim() === ""

export const isText = (block: Block): block is Text => block.type === "text"

export const isToolUse = (block: Block): block is ToolUse => block.type === "tool-use"
