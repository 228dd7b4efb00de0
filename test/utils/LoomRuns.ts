/** Tools and checks for runs of the agent loop. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as History from "../../src/model/History.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

export const echo = Tool.make({
  name: "echo",
  description: "Says it again.",
  parameters: Schema.Struct({ text: Schema.String }),
  readOnly: true,
  run: ({ text }) => Effect.succeed(JSON.stringify({ echo: text })),
})

export const throwing = Tool.make({
  name: "throwing",
  description: "Throws.",
  parameters: Schema.Struct({}),
  run: () => {
    throw new Error("disk full")
  },
})

export const tools = ToolRegistry.make([echo, throwing])

export const stored = (id: NodeId) =>
  Effect.map(
    Effect.flatMap(Forest.Forest, (forest) => forest.path(id)),
    ({ nodes }) => nodes.map((node) => node.message),
  )

export const finalNode = (events: ReadonlyArray<GenerateEvent>) => {
  const last = events.at(-1)
  return last?.type === "done" && last.final[0] !== undefined ? last.final[0] : assert.fail(`ended in ${last?.type}`)
}

export const finalError = (events: ReadonlyArray<GenerateEvent>) => {
  const last = events.at(-1)
  return last?.type === "error" ? last.error : assert.fail(`ended in ${last?.type}`)
}

/** Every call on the path is answered once, before any other message. */
export const assertWhole = (messages: ReadonlyArray<Message.Message>) =>
  assert.deepStrictEqual(
    History.repair(messages).map((message) => message.role),
    messages.map((message) => message.role),
  )

export const nowhere = NodeId.make("nowhere")

export const none = { nodes: [], trailing: [] }
