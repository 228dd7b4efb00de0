/** What a message of any of these programs holds: texts and pictures, each written in its provider's way. */
import * as Schema from "effect/Schema"
import * as Block from "../../../message/Block.ts"
import { isObject } from "../../../message/Json.ts"

/** A text, the texts of all blocks that have one, or else JSON. Of a picture, which has no place there, its type. */
export const text = (content: unknown): string => {
  if (typeof content === "string") return content
  if (isObject(content) && typeof content.content === "string") return content.content
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content)
  return content.flatMap((block) => named(pictureOf(block)) ?? textOf(block)).join("\n")
}

/** Texts and pictures in their order; texts in a row are one. */
export const spoken = (content: unknown): ReadonlyArray<Block.Text | Block.Image> => {
  if (!Array.isArray(content)) {
    const known = blocksOf(content)
    return known.length === 0 ? [Block.text(text(content))] : known
  }
  const said: Array<Block.Text | Block.Image> = []
  for (const block of content.flatMap(blocksOf)) {
    const last = said.at(-1)
    if (last?.type !== "text" || block.type !== "text") said.push(block)
    else said[said.length - 1] = Block.text(`${last.text}\n${block.text}`)
  }
  return said
}

const blocksOf = (block: unknown): ReadonlyArray<Block.Text | Block.Image> => {
  const picture = pictureOf(block)
  return picture === undefined ? textOf(block).map((text) => Block.text(text)) : [picture]
}

const named = (picture: Block.Image | undefined) => picture && `[${picture.media_type}]`

const textOf = (block: unknown): ReadonlyArray<string> => {
  if (typeof block === "string") return [block]
  return isObject(block) && typeof block.text === "string" ? [block.text] : []
}

const pictureOf = (block: unknown): Block.Image | undefined => {
  if (!isObject(block)) return undefined
  const { image_url: url, inlineData, source, type } = block
  // Anthropic's, pi's, OpenAI's and Google's.
  if (type === "image" && isObject(source)) return picture(source.media_type, source.data)
  if (type === "image") return picture(block.mimeType, block.data)
  if (type === "input_image" && typeof url === "string") return Block.imageIn(url)
  return isObject(inlineData) ? picture(inlineData.mimeType, inlineData.data) : undefined
}

/** None where the type is no picture's, or there is nothing in it. */
const picture = (media_type: unknown, data: unknown): Block.Image | undefined => {
  const block = { type: "image", media_type, data }
  return isImage(block) ? block : undefined
}

const isImage = Schema.is(Block.Image)
