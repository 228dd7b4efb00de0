/** What the store of drafts keeps, for each conversation, session and request. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Block from "../../../src/message/Block.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Sqlite from "../../../src/server/DraftStore/Sqlite.ts"
import * as DraftStore from "../../../src/server/DraftStore.ts"

const [one, two] = [NodeId.make("one"), NodeId.make("two")]

const using = <A, E>(use: (store: DraftStore.Service) => Effect.Effect<A, E>) =>
  Effect.flatMap(DraftStore.DraftStore, use).pipe(Effect.provide(Sqlite.layerMemory))

const day = 24 * 60 * 60 * 1000

describe("the store of drafts", () => {
  it.effect("saves a text over the version that it was made from alone, for each conversation", () =>
    using((store) =>
      Effect.gen(function* () {
        const draft = (version: number) => ({ text: `text ${version}`, known: `known ${version}`, version })
        assert.deepStrictEqual(yield* store.draft(one), Option.none())
        assert.isFalse(yield* store.save(one, draft(1), 1))
        assert.isTrue(yield* store.save(one, draft(1), 0))
        assert.isFalse(yield* store.save(one, draft(2), 0))
        assert.isTrue(yield* store.save(one, draft(3), 1))
        assert.deepStrictEqual(yield* store.draft(one), Option.some(draft(3)))
        assert.deepStrictEqual(yield* store.draft(two), Option.none())
      }),
    ),
  )

  it.effect("has the message at which a conversation was left last", () =>
    using((store) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* store.leaf(one), Option.none())
        for (const leaf of ["a", "b"]) yield* store.leave(one, NodeId.make(leaf))
        assert.deepStrictEqual(yield* store.leaf(one), Option.some(NodeId.make("b")))
        assert.deepStrictEqual(yield* store.leaf(two), Option.none())
      }),
    ),
  )

  it.effect("has the conversation that a session has visited last in each folder", () =>
    using((store) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* store.visited("s", "/a"), Option.none())
        yield* store.visit("s", "/a", two)
        yield* store.visit("s", "/a", one)
        yield* store.visit("s", "/b", two)
        const visited = [
          yield* store.visited("s", "/a"),
          yield* store.visited("s", "/b"),
          yield* store.visited("other", "/a"),
        ]
        assert.deepStrictEqual(visited, [Option.some(one), Option.some(two), Option.none()])
      }),
    ),
  )

  it.effect("has the messages of a conversation that wait in their order, each as it was stored", () =>
    using((store) =>
      Effect.gen(function* () {
        const plain = { id: "z", text: "first", parent: undefined, models: [] }
        const full = {
          id: "a",
          text: "second",
          parent: two,
          models: ["p/m", "p/n"],
          pictures: [Block.image("image/png", "AAAA")],
        }
        yield* store.wait(one, plain)
        yield* store.wait(one, full)
        yield* store.wait(two, { ...plain, id: "other" })
        assert.deepStrictEqual(yield* store.waiting(one), [plain, full])
        assert.isFalse(yield* store.unwait(two, "z"))
        assert.isTrue(yield* store.unwait(one, "z"))
        assert.isFalse(yield* store.unwait(one, "z"))
        assert.deepStrictEqual(yield* store.waiting(one), [full])
        assert.lengthOf(yield* store.waiting(two), 1)
      }),
    ),
  )

  it.effect("remembers a request and its result for a day", () =>
    using((store) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* store.begin("key", 5), Option.none())
        assert.deepStrictEqual(yield* store.begin("key", 9), Option.some({ at: 5, result: undefined }))
        yield* store.finish("key", "n-1")
        assert.deepStrictEqual(yield* store.begin("key", 9), Option.some({ at: 5, result: "n-1" }))
        // A new request forgets those of more than a day before it.
        yield* store.begin("other", 5 + day)
        assert.deepStrictEqual(yield* store.begin("key", 5 + day), Option.some({ at: 5, result: "n-1" }))
        yield* store.begin("a third", 6 + day)
        assert.deepStrictEqual(yield* store.begin("key", 6 + day), Option.none())
        assert.deepStrictEqual(yield* store.begin("other", 6 + day), Option.some({ at: 5 + day, result: undefined }))
      }),
    ),
  )
})
