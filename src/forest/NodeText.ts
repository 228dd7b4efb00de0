/** Roots and nodes as text: a label of one line, and the whole message. Pure. */
import type { Block, Image } from "../message/Block.ts"
import type { Message } from "../message/Message.ts"
import { plural } from "../message/Plural.ts"
import { sanitize, sanitizeLine } from "../message/Sanitize.ts"
import { isReadable, type Node } from "./Node.ts"
import type { Root } from "./Root.ts"

export type Place = Node | Root

export const isRoot = (place: Place): place is Root => "systemPrompt" in place

export const role = (place: Place): string =>
  isRoot(place) ? "root" : isReadable(place) ? place.message.role : "unreadable"

/** `2 nodes that cannot be read (n-3, n-7)` */
export const unreadable = (nodes: ReadonlyArray<Node>): string =>
  sanitizeLine(`${plural(nodes.length, "node")} that cannot be read (${nodes.map(({ id }) => id).join(", ")})`)

/** `assistant "The first line is…"` */
export const line = (place: Place): string => `${role(place)} "${firstWords(place)}"`

/** A message as text. Blocks other than text are marked as such. */
export const body = (place: Place): string => words(place).trimEnd()

/** The same with its trailing white space, after which another message may continue. */
export const words = (place: Place): string => sanitize(isRoot(place) ? place.systemPrompt : messageText(place.message))

/** UTC, to the second. */
export const time = (milliseconds: number): string =>
  Number.isNaN(new Date(milliseconds).getTime())
    ? String(milliseconds)
    : new Date(milliseconds).toISOString().replace("T", " ").replace(/\.\d+/, "")

/** The owner of a root, the model of a reply, the tool of a result; else empty. */
export const maker = (place: Place): string => {
  if (isRoot(place)) return place.owner
  switch (place.source.type) {
    case "model":
      return place.source.model
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

/** `[image/png, 12 kB]`, since not every terminal can show pictures. */
export const picture = ({ data, media_type }: Image): string =>
  `[${media_type}, ${Math.ceil((data.length * 0.75) / 1000)} kB]`

/** The beginning of the text, on one line. */
export const firstWords = (place: Place, width = WIDTH): string =>
  cut(sanitizeLine(body(place)).replaceAll(/\s+/g, " ").trim(), width)

/** At most `width` characters, the last an ellipsis where the text was longer. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1).replace(/[\ud800-\udbff]$/, "")}…`

/** Characters of a message in a list. */
export const WIDTH = 60
