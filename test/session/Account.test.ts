import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import * as Account from "../../src/session/Account.ts"

/** A conversation of a hundred messages under a root. */
const talk = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.root({ owner: "test", systemPrompt: "" })
  const drafts = Array.from({ length: 100 }, (_, n) => ({
    message: Message.user(`${n}`),
    source: { type: "user" } as const,
  }))
  const nodes = yield* forest.append(root, drafts)
  return { forest, root, nodes, ids: [root, ...nodes.map(({ id }) => id)] }
})

const layer = Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence))

describe("Account.nodesBetween", () => {
  it.effect("returns the nodes of a turn, however many there are", () =>
    Effect.gen(function* () {
      const { forest, ids, nodes, root } = yield* talk
      const last = ids[100] ?? root
      for (const turn of [0, 1, 2, 9, 10, 11, 60, 99]) {
        const between = yield* Account.nodesBetween(forest, ids[100 - turn], last)
        assert.deepStrictEqual(between, nodes.slice(100 - turn))
      }
      assert.deepStrictEqual(yield* Account.nodesBetween(forest, undefined, last), nodes)
    }).pipe(Effect.provide(layer)),
  )

  it.effect("returns none where the first node is no ancestor of the second", () =>
    Effect.gen(function* () {
      const { forest, ids, root } = yield* talk
      const beside = yield* forest.append(root, [{ message: Message.user("beside"), source: { type: "user" } }])
      assert.deepStrictEqual(yield* Account.nodesBetween(forest, beside[0]?.id, ids[100] ?? root), [])
    }).pipe(Effect.provide(layer)),
  )
})
