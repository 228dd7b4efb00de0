import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import { readTail } from "../../src/forest/ForestService.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import type { Node } from "../../src/forest/Node.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"

/** Reads the end of a path of a hundred messages back to one of them, and returns what was read each time. */
const readBackTo = (text: string, last: number) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { id } = yield* forest.root({ owner: "test", systemPrompt: "" })
    const nodes = yield* forest.append(
      id,
      Array.from({ length: 100 }, (_, n) => ({ message: Message.user(`${n}`), source: { type: "user" } as const })),
    )
    const read: Array<number> = []
    const { nodes: end, root } = yield* readTail(forest, nodes.at(-1)?.id ?? id, last, (nodes: ReadonlyArray<Node>) => {
      read.push(nodes.length)
      return nodes.some(({ message }) => Message.text(message) === text)
    })
    assert.strictEqual(root.id, id)
    assert.deepStrictEqual(end, nodes.slice(-end.length))
    return { read, length: end.length }
  }).pipe(
    Effect.provide(
      Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
    ),
  )

describe("tail", () => {
  it.effect("reads no more than `last` nodes where that is enough", () =>
    Effect.map(readBackTo("99", 3), (outcome) => assert.deepStrictEqual(outcome, { read: [3], length: 3 })),
  )

  it.effect("goes back in growing steps until there is enough", () =>
    Effect.map(readBackTo("80", 2), (outcome) => assert.deepStrictEqual(outcome, { read: [2, 8, 32], length: 32 })),
  )

  it.effect("ends where the path begins", () =>
    Effect.map(readBackTo("never said", 20), (outcome) =>
      assert.deepStrictEqual(outcome, { read: [20, 80], length: 100 }),
    ),
  )
})
