/** When two messages say the same: what prefix matching goes by (REQUIREMENTS E-80, decision 6). Pure. */
import { createHash } from "node:crypto"
import type * as Block from "../../message/Block.ts"
import type { Message } from "../../message/Message.ts"

/**
 * The same for messages that say the same, and for no others: speaker and blocks, letter for letter, but for blank
 * texts and the order of keys.
 */
export const canonical = (message: Message): string =>
  JSON.stringify([
    message.role,
    message.role === "tool" ? [message.tool_call_id, message.name, message.isError === true] : [],
    message.content.filter((block) => !isBlank(block)).map(sorted),
  ])

/** 16 bytes that stand for `canonical`. */
export const digest = (message: Message): Uint8Array =>
  createHash("sha256").update(canonical(message)).digest().subarray(0, 16)

/** Whether it says nothing at all: such messages are not kept. The answer to a call is one, whatever it says. */
export const isEmpty = (message: Message): boolean => message.role !== "tool" && message.content.every(isBlank)

const isBlank = (block: Block.Block): boolean =>
  block.type === "text" && block.meta === undefined && block.text.trim() === ""

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => [key, sorted(value)])
}
