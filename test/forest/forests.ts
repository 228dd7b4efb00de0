/** A forest in memory, and what the tests of its operations add to it and expect of it. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import { NotFound } from "../../src/forest/ForestError.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"

/** The store is there to break what the forest would never write. */
export const withForest = Effect.provide(
  Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
)

export const draft = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

export const texts = (nodes: ReadonlyArray<Node>) => nodes.map((node) => Message.text(node.message))

export const notFound = (id: string) => new NotFound({ id: NodeId.make(id) })

export const calling = (block: object): unknown => ({
  message: { role: "assistant", content: [{ type: "tool-use", id: "c", name: "f", parameters: {}, ...block }] },
  source: { type: "notice" },
})

/** A tree of `root → question → answer → more`, and a second answer. */
export const conversation = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.root({ owner: "a", systemPrompt: "" })
  const [question, answer, more] = yield* forest.append(root, [draft("A question"), said("An answer"), draft("More")])
  const [, other] = yield* forest.append(root, [draft("A question"), said("Another answer")])
  if (question === undefined || answer === undefined || more === undefined || other === undefined) assert.fail()
  return { forest, root, question, answer, more, other }
})

export const said = (text: string): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model: "scripted/test", finish: "stop", usage: Usage.none },
})

/** The texts of a path, as one reads them. */
export const reading = (id: NodeId) =>
  Effect.flatMap(Forest.Forest, (forest) => Effect.map(forest.path(id), ({ nodes }) => texts(nodes)))
