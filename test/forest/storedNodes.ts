import { Effect } from "effect"
import type { Bookmark } from "../../src/forest/Bookmark.ts"
import { BlankText, ForestError } from "../../src/forest/ForestError.ts"
import type * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Node, Root } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"

export const id = NodeId.make

export const root = (name: string, owner = "test", createdAt = 1): Root => ({
  id: id(name),
  owner,
  systemPrompt: `You are ${name}.\nSay "yes".`,
  createdAt,
})

export const node = (name: string, parent: string, fields: Partial<Node> = {}): Node => ({
  id: id(name),
  root: id("r"),
  parent: id(parent),
  message: Message.user(`text of ${name}\nsecond line \0 😀`),
  source: { type: "user" },
  createdAt: 1,
  ...fields,
})

/** A turn with everything that a node can hold. */
export const turn: ReadonlyArray<Node> = [
  node("user", "r"),
  node("assistant", "user", {
    message: {
      role: "assistant",
      content: [
        Block.thinking("hm", { anthropic: { signature: "s1" } }),
        Block.text("I look.", { google: { thoughtSignature: "s2" } }),
        Block.toolUse("c1", "read_file", { path: "a.ts", lines: [1, 2.5], deep: { no: null } }),
      ],
    },
    source: {
      type: "model",
      model: "google/gemini-2.5-flash",
      finish: "tool_calls",
      usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 1, thinkingTokens: 0 },
    },
    createdAt: 1_780_000_000_000,
  }),
  node("tool", "assistant", {
    message: Message.toolResult(Block.toolUse("c1", "read_file", {}), "no such file", true),
    source: { type: "tool", tool: "read_file", filesWritten: ["b.md"] },
  }),
  node("notice", "tool", {
    message: { role: "system", content: [Block.text("[user edited prompt]")] },
    source: { type: "notice" },
  }),
  node("half", "notice", { message: Message.user("two "), splitFrom: id("user") }),
  node("blank", "half", { message: { role: "assistant", content: [Block.text("a"), Block.text("")] } }),
]

export const names = (all: ReadonlyArray<{ readonly id: NodeId }>) => all.map(({ id }): string => id)

export const mark = (title: string, name: string): Bookmark => ({ title, node: id(name), createdAt: 1, updatedAt: 2 })

export const planted = (nodes: ReadonlyArray<Node>) => (rows: ForestStore.Writer) => {
  rows.insertRoot(root("r"))
  nodes.forEach(rows.insert)
}

/** A step that fails: a store with a cache has to read again. */
export const failing = (store: ForestStore.Service) =>
  Effect.flip(
    store.write(() => {
      throw new ForestError({ reason: new BlankText() })
    }),
  )

/** Makes a test, which is given a store of its own. */
export type Specify = <A, E>(sentence: string, test: (store: ForestStore.Service) => Effect.Effect<A, E>) => void
