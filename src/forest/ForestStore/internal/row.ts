/** A node as a row of the table. A message of one text, the most frequent kind, is stored without JSON. */
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaIssues from "../../../base/SchemaIssues.ts"
import * as Block from "../../../message/Block.ts"
import { Message } from "../../../message/Message.ts"
import { NodeId } from "../../../message/NodeId.ts"
import { type Node, ReadableSource, type Root, Source } from "../../Node.ts"

export type Row = Readonly<Record<string, unknown>>

interface Columns {
  readonly role: string
  readonly body: string
  readonly isJson: number
  readonly source: string
  readonly model: string | null
  readonly detail: string | null
}

export const columns = ({ message, source }: Pick<Node, "message" | "source">): Columns => {
  const [first, ...rest] = message.content
  const isPlain =
    message.role !== "tool" &&
    rest.length === 0 &&
    first.type === "text" &&
    first.meta === undefined &&
    isStorable(first.text)
  const { type, ...detail } = source
  return {
    role: message.role,
    body: isPlain ? first.text : encodeMessage(message),
    isJson: Number(!isPlain),
    source: type,
    model: source.type === "model" ? source.model : null,
    detail: Object.keys(detail).length === 0 ? null : encodeSource(source),
  }
}

/** Returns the columns of a system prompt: the text, and whether it is JSON. */
export const prompt = (text: string): Pick<Columns, "body" | "isJson"> =>
  isStorable(text) ? { body: text, isJson: 0 } : { body: encodeText(text), isJson: 1 }

const promptOf = (row: Row): string => (row.is_json === 1 ? decodeText(row.body) : String(row.body))

/** Node before 24 reads a text up to its first NUL, and every Node replaces lone surrogates. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

export const root = (row: Row): Root => ({
  id: NodeId.make(String(row.name)),
  owner: String(row.source),
  systemPrompt: promptOf(row),
  createdAt: Number(row.created_at),
  ...(row.model !== null && { key: String(row.model) }),
})

/** Returns whether the system prompt of the row can be read. */
export const isRoot = (row: Row): boolean => {
  try {
    promptOf(row)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the node, or an unreadable one with the reason. `parent` and `root` are the ids for the numbers in the row.
 */
export const read = (row: Row, id: NodeId, parent: NodeId, root: NodeId): Node => {
  try {
    return node(row, id, parent, root)
  } catch (cause) {
    if (!ParseResult.isParseError(cause)) throw cause
    return unreadable(row, id, parent, root, SchemaIssues.brief(cause).join("; "))
  }
}

/** Returns a node of which only the place is known. */
export const unreadable = (row: Row, id: NodeId, parent: NodeId, root: NodeId, why: string): Node => ({
  id,
  root,
  parent,
  message: { role: "system", content: [Block.text(`[This message cannot be read: ${why}]`)] },
  source: { type: "unreadable", why },
  createdAt: Number(row.created_at),
})

/** Decodes a row, and throws if that fails. */
const node = (row: Row, id: NodeId, parent: NodeId, root: NodeId): Node => ({
  id,
  root,
  parent,
  message: messageOf(row),
  source: sourceOf(row),
  createdAt: Number(row.created_at),
  ...(row.split_from !== null && { splitFrom: NodeId.make(String(row.split_from)) }),
})

/** Decodes a row, and returns undefined if that fails. `parent` and `root` are the ids as above, if they are known. */
export const tryDecode = (row: Row, parent?: NodeId, root?: NodeId): Node | undefined => {
  const id = NodeId.make(String(row.name))
  try {
    return node(row, id, parent ?? id, root ?? id)
  } catch {
    return undefined
  }
}

const messageOf = (row: Row): Message => {
  if (row.is_json === 1) return decodeMessage(row.body)
  const content = [{ type: "text", text: String(row.body) }] as const
  switch (row.role) {
    case "user":
    case "assistant":
    case "system":
      return { role: row.role, content }
    default:
      return decodeContent({ role: row.role, content })
  }
}

const sourceOf = (row: Row): Source =>
  row.detail === null && (row.source === "user" || row.source === "notice")
    ? { type: row.source }
    : decodeSource(row.detail)

const MessageJson = Schema.parseJson(Message)
const TextJson = Schema.parseJson(Schema.String)
const encodeText = Schema.encodeSync(TextJson)
const decodeText = Schema.decodeUnknownSync(TextJson)
const encodeMessage = Schema.encodeSync(MessageJson)
const decodeContent = Schema.decodeUnknownSync(Message)
const decodeMessage = Schema.decodeUnknownSync(MessageJson)
const encodeSource = Schema.encodeSync(Schema.parseJson(Source))
const decodeSource = Schema.decodeUnknownSync(Schema.parseJson(ReadableSource))
