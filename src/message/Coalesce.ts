/** Joins adjacent messages of one role, for providers that require alternating roles. */
import type * as Block from "./Block.ts"
import type { Message } from "./Message.ts"

/**
 * Joins two user messages, or two assistant messages, if both hold text alone. Tool calls, tool results, notices and
 * blocks with a provider's metadata are not joined. A blank line separates the texts, which were said one after the
 * other. The parts of one message that was divided are joined earlier, see `forest/MessageParts`.
 */
export const coalesce = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const joined: Array<Message> = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last !== undefined && isPlain(last) && isPlain(message) && last.role === message.role) {
      joined[joined.length - 1] = {
        role: last.role,
        content: [{ type: "text", text: `${plainText(last)}\n\n${plainText(message)}` }],
      }
    } else joined.push(message)
  }
  return joined
}

type Plain = { readonly role: "user" | "assistant"; readonly content: ReadonlyArray<Block.Text> }

const isPlain = (message: Message): message is Message & Plain =>
  (message.role === "user" || message.role === "assistant") &&
  message.content.every((block) => block.type === "text" && block.meta === undefined)

const plainText = (message: Plain): string => message.content.map((block) => block.text).join("\n")
