/** Compares messages, to match prefixes of paths. Pure. */
import { hash } from "node:crypto"
import * as Block from "../../message/Block.ts"
import type { Message } from "../../message/Message.ts"

/**
 * Returns 16 bytes that are the same for equal messages: those with the same role and blocks, apart from blank texts
 * and the order of keys.
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

/** Returns a string for a text alone, the most frequent block, and a list for every other block. */
const canonicalBlock = (block: Block.Block): unknown =>
  block.type === "text" && block.meta === undefined ? block.text : sortKeys(block)

/** Returns whether both messages are the same single text, as most are. It needs no digest. */
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
