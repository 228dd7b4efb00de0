/** A root and nodes as fixtures. */
import type { Node, Root } from "../../../src/forest/Node.ts"
import * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"

export const root: Root = { id: NodeId.make("r"), owner: "test", systemPrompt: "Be kind.", createdAt: 0 }

export const node = (id: string, parent: string, fields: Partial<Node> = {}): Node => ({
  id: NodeId.make(id),
  root: root.id,
  parent: NodeId.make(parent),
  message: Message.user(`text of ${id}`),
  source: { type: "user" },
  createdAt: 1_780_000_000_000,
  ...fields,
})

/** A node with this text; with `splitFrom`, the beginning of a message that was divided. */
export const half = (id: string, parent: string, text: string, splitFrom?: string): Node =>
  node(id, parent, {
    message: Message.user(text),
    ...(splitFrom !== undefined && { splitFrom: NodeId.make(splitFrom) }),
  })

export const answered = (id: string, parent: string, content: Message.Assistant["content"]): Node =>
  node(id, parent, {
    message: { role: "assistant", content },
    source: {
      type: "model",
      model: "google/gemini-2.5-flash",
      finish: "stop",
      usage: { inputTokens: 30, outputTokens: 4, cachedTokens: 20, thinkingTokens: 1 },
    },
  })

/** Full ids, and these bookmarks by node. */
export const labels = (titles: Readonly<Record<string, ReadonlyArray<string>>> = {}) => ({
  shortId: (id: NodeId): string => id,
  titles: (id: NodeId): ReadonlyArray<string> => titles[id] ?? [],
})
