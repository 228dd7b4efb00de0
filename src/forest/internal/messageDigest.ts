/** When two messages are equal, for matching prefixes of paths. Pure. */
import { hash } from "node:crypto"
import * as Block from "../../message/Block.ts"
import type { Message } from "../../message/Message.ts"

/** 16 bytes, equal for equal messages: role and blocks, without blank texts, and whatever the order of keys. */
export const digest = (message: Message): Buffer =>
  hash("sha256", canonical(message), "buffer").subarray(0, DIGEST_BYTES)

const DIGEST_BYTES = 16

const canonical = (message: Message): string =>
  JSON.stringify([
    message.role,
    message.role === "tool" ? [message.tool_call_id, message.name, message.isError === true] : [],
    message.content.filter((block) => !Block.isBlank(block)).map(canonicalBlock),
  ])

/** A text alone, the most frequent block, is a string; all other blocks are lists. */
const canonicalBlock = (block: Block.Block): unknown =>
  block.type === "text" && block.meta === undefined ? block.text : sortKeys(block)

/** Whether both messages are the same single text, as most are: a comparison without a digest. */
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
