/** When two messages say the same: what prefix matching goes by (REQUIREMENTS E-80, decision 6). Pure. */
import { hash } from "node:crypto"
import * as Block from "../../message/Block.ts"
import type { Message } from "../../message/Message.ts"

/**
 * 16 bytes, the same for messages that say the same, and for no others: speaker and blocks, letter for letter, but for
 * blank texts and the order of keys.
 */
export const digest = (message: Message): Buffer =>
  hash("sha256", canonical(message), "buffer").subarray(0, DIGEST_BYTES)

const DIGEST_BYTES = 16

const canonical = (message: Message): string =>
  JSON.stringify([
    message.role,
    message.role === "tool" ? [message.tool_call_id, message.name, message.isError === true] : [],
    message.content.filter((block) => !Block.isBlank(block)).map(canonicalBlock),
  ])

/** What is said most, a text alone, is told apart from all else by being no list. */
const canonicalBlock = (block: Block.Block): unknown =>
  block.type === "text" && block.meta === undefined ? block.text : sortKeys(block)

/** Whether both are the same text alone, as most messages are: then they say the same, and no digest is needed to know. */
export const isSameText = (one: Message, other: Message): boolean => {
  const [text, otherText] = [textAlone(one), textAlone(other)]
  return text !== undefined && text === otherText && one.role === other.role
}

const textAlone = ({ content, role }: Message): string | undefined => {
  const [first] = content
  return role !== "tool" && content.length === 1 && first.type === "text" && first.meta === undefined
    ? first.text
    : undefined
}

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => [key, sortKeys(value)])
}
