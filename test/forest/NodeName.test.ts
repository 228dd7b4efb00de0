import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import * as NodeName from "../../src/forest/NodeName.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"

const withForest = Effect.provide(
  Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
)

/** A root, n-0, and under it `n-1` to `n-<count>`, one after the other. */
const path = (count: number) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { id } = yield* forest.root({ owner: "test", systemPrompt: "Be kind." })
    const texts = Array.from({ length: count }, (_, at) => `message ${at + 1}`)
    yield* forest.append(
      id,
      texts.map((text) => ({ message: Message.user(text), source: { type: "user" } })),
    )
    return forest
  })

describe("NodeName.parse", () => {
  it.each([
    ["@", "@", 0],
    ["@^", "@", 1],
    ["@~3", "@", 3],
    ["draft^^~2^", "draft", 5],
    ["01jx~", "01jx", 1],
    ["01jx~0", "01jx", 0],
    ["a^b", "a^b", 0],
    ["^", "", 1],
  ])("reads %s", (name, base, up) => {
    assert.deepStrictEqual(NodeName.parse(name), { base, up })
  })
})

describe("NodeName.resolve", () => {
  it.effect("resolves @ to the newest node, and goes up to the root", () =>
    Effect.gen(function* () {
      yield* path(3)
      const names = ["@", "@^", "@~2", "@~3", "n-3^", "n-0"]
      const found = yield* Effect.forEach(names, NodeName.resolve)
      assert.deepStrictEqual(
        found,
        ["n-3", "n-2", "n-1", "n-0", "n-2", "n-0"].map((id) => NodeId.make(id)),
      )
    }).pipe(withForest),
  )

  it.effect("takes the root for the newest where nothing was said yet", () =>
    Effect.gen(function* () {
      yield* path(0)
      assert.strictEqual(yield* NodeName.resolve("@"), "n-0")
    }).pipe(withForest),
  )

  it.effect("takes a whole id, though others begin with it, and a bookmark before all", () =>
    Effect.gen(function* () {
      const forest = yield* path(12)
      assert.strictEqual(yield* NodeName.resolve("n-1"), "n-1")
      yield* forest.bookmark("n-1", NodeId.make("n-7"))
      yield* forest.bookmark("a^", NodeId.make("n-9"))
      const found = yield* Effect.forEach(["n-1", "n-1^", "a^"], NodeName.resolve)
      assert.deepStrictEqual(
        found,
        ["n-7", "n-6", "n-9"].map((id) => NodeId.make(id)),
      )
    }).pipe(withForest),
  )

  it.effect("lists what may be meant, and no more than that helps", () =>
    Effect.gen(function* () {
      yield* path(12)
      const few = yield* Effect.flip(NodeName.resolve("n-1".slice(0, 2)))
      assert.strictEqual(few._tag, "AmbiguousName")
      assert.match(few.message, /^'n-' may be n-0 \(root "Be kind\."\), n-1 \(user "message 1"\), .* and others$/)
      assert.lengthOf(few.message.split("), "), 5)
    }).pipe(withForest),
  )

  it.effect("says in short what exists, if nothing has the name or the path is too short", () =>
    Effect.gen(function* () {
      yield* path(2)
      for (const name of ["zz", "zz^", "@~4", "^"]) {
        const error = yield* Effect.flip(NodeName.resolve(name))
        assert.strictEqual(error.message, `there is no node '${name}'; the forest has 1 tree`)
      }
      const forest = yield* Forest.Forest
      for (let count = 0; count < 7; count++) yield* forest.bookmark(`b${count}`, yield* NodeName.resolve("@"))
      const { message } = yield* Effect.flip(NodeName.resolve("zz"))
      assert.strictEqual(
        message,
        "there is no node 'zz'; the forest has 1 tree and the bookmarks b0, b1, b2, b3, b4, …",
      )
      const guess = yield* Effect.flip(NodeName.resolve("@99"))
      assert.strictEqual(guess.message, "there is no node '@99'; did you mean '@~99'?")
    }).pipe(withForest),
  )

  it.effect("fails in an empty forest", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(NodeName.resolve("@"))
      assert.strictEqual(error.message, "there is no node '@': the forest is empty")
    }).pipe(withForest),
  )
})

describe("NodeName.short", () => {
  it.effect("cuts ids as short as they still name one node", () =>
    Effect.gen(function* () {
      const store = yield* ForestStore.ForestStore
      const ids = ["aaaaaaaaaaaa11", "aaaaaaaaaaaa22", "bbbbbbbbbbbbbb"].map((id) => NodeId.make(id))
      yield* store.write((rows) => {
        for (const id of ids) rows.insertRoot({ id, owner: "test", systemPrompt: id, createdAt: 0 })
      })
      const short = yield* NodeName.shortNames(ids)
      assert.deepStrictEqual(ids.map(short), ["aaaaaaaaaaaa1", "aaaaaaaaaaaa2", "bbbbbbbbbb"])
      for (const id of ids) assert.strictEqual(yield* NodeName.resolve(short(id)), id)
    }).pipe(withForest),
  )
})
