/** Roots and nodes as text: a label of one line, and the whole message. Pure. */

import * as DisplayWidth from "../base/DisplayWidth.ts"
import { plural } from "../base/Prose.ts"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import type { Block, Image } from "../message/Block.ts"
import type { Message } from "../message/Message.ts"
import * as PromptText from "../message/PromptText.ts"
import { isReadable, type Node, type Root } from "./Node.ts"

export type Place = Node | Root

export const isRoot = (place: Place): place is Root => "systemPrompt" in place

export const role = (place: Place): string =>
  isRoot(place) ? "root" : isReadable(place) ? place.message.role : "unreadable"

/** Returns a text such as `2 nodes that cannot be read (n-3, n-7)`. */
export const unreadable = (nodes: ReadonlyArray<Node>): string =>
  sanitizeLine(`${plural(nodes.length, "node")} that cannot be read (${nodes.map(({ id }) => id).join(", ")})`)

/** Returns a line such as `assistant "The first line is…"`; `width` is the width of the words. */
export const line = (place: Place, width?: number): string => `${role(place)} ${quote(place, width)}`

/** Returns whether a place is the root of a tree without a system prompt. */
export const isBlankRoot = (place: Place): boolean => isRoot(place) && body(place).trim() === ""

export const NO_SYSTEM_PROMPT = "(no system prompt)"

/** Returns the first words in quotation marks; `width` is the width of the words. */
export const quote = (place: Place, width?: number): string =>
  isBlankRoot(place) ? DisplayWidth.cut(NO_SYSTEM_PROMPT, (width ?? WIDTH) + 2) : `"${firstWords(place, width)}"`

/** Returns a message as text. Blocks other than text are marked as such. */
export const body = (place: Place): string => words(place).trimEnd()

/** Returns the same with its trailing white space, after which another message may continue. */
export const words = (place: Place): string => sanitize(isRoot(place) ? place.systemPrompt : messageText(place.message))

/** Returns the owner of a root, the model of a reply, or the tool of a result; empty for other places. */
export const maker = (place: Place): string => {
  if (isRoot(place)) return place.owner
  switch (place.source.type) {
    case "model":
      return place.source.model
    case "summary":
      return `summary of ${plural(place.source.messages, "message")}`
    case "tool":
      return place.source.tool
    default:
      return ""
  }
}

const messageText = (message: Message): string =>
  message.role === "tool"
    ? `[${message.isError === true ? "error of" : "result of"} ${message.name}]\n${message.content.map(blockText).join("\n")}`
    : message.content.map(blockText).join("\n")

const blockText = (block: Block): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
      return picture(block)
    case "thinking":
      return `[thinking] ${block.text}`
    case "tool-use":
      return `[calls ${block.name}] ${JSON.stringify(block.parameters)}`
  }
}

/** Returns a label such as `[image/png, 12 kB]`, since not every terminal can show pictures. */
export const picture = ({ data, media_type }: Image): string =>
  `[${media_type}, ${Math.ceil((data.length * 0.75) / 1000)} kB]`

/** Returns the beginning of the text on one line of `width` columns; files that precede a question are left out. */
export const firstWords = (place: Place, width = WIDTH): string =>
  DisplayWidth.cut(sanitizeLine(withoutContext(place)).replaceAll(/\s+/g, " ").trim(), width)

const withoutContext = (place: Place): string =>
  isRoot(place) || place.message.role !== "user"
    ? body(place)
    : place.message.content
        .map((block) => (block.type === "text" ? PromptText.withoutContext(block.text) : blockText(block)))
        .join("\n")

/** The columns of a message in a list if the width of the terminal is not known. */
export const WIDTH = 60
