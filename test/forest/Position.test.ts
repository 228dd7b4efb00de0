import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as NodeName from "../../src/forest/NodeName.ts"
import * as Position from "../../src/forest/Position.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"

const said = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const as =
  (person: string, folder = "/work") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.locally(effect, Position.holder, { person, folder })

const here = NodeName.resolve("@")

const inMemory = Effect.provide(Forest.layer.pipe(Layer.provide(Sqlite.layerMemory), Layer.provide(Ids.layerSequence)))

const talk = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.root({ owner: "test", systemPrompt: "" })
  return { forest, root }
})

describe("The position of a program that embeds vibe", () => {
  it.effect("is one for the program, which sets no holder, apart from those of people", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      assert.isUndefined(yield* forest.position)
      const [one, two] = yield* forest.append(root, [said("one"), said("two")])
      assert.isDefined(one)
      assert.isDefined(two)
      assert.strictEqual(yield* forest.position, two.id)
      yield* forest.switchTo(one.id)
      assert.strictEqual(yield* forest.position, one.id)
      assert.isUndefined(yield* as("ann")(forest.position))
      yield* forest.switchTo(undefined)
      assert.isUndefined(yield* forest.position)
    }).pipe(inMemory),
  )

  it.effect("stays where it is if there is no such node", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const [one] = yield* forest.append(root, [said("one")])
      const error = yield* Effect.flip(forest.switchTo(NodeId.make("n-nowhere")))
      assert.strictEqual(error.reason._tag, "NotFound")
      assert.strictEqual(yield* forest.position, one?.id)
    }).pipe(inMemory),
  )

  it.effect("does not exist without a holder", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      yield* Effect.locally(forest.append(root, [said("one")]), Position.holder, undefined)
      yield* Effect.locally(forest.switchTo(root), Position.holder, undefined)
      assert.isUndefined(yield* Effect.locally(forest.position, Position.holder, undefined))
      assert.isUndefined(yield* forest.position)
    }).pipe(inMemory),
  )
})

describe("The position of a person", () => {
  it.effect("is the newest message of all until that person has added one", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      yield* forest.append(root, [said("of a program")])
      assert.strictEqual(yield* as("ann")(here), "n-1")
      yield* as("ann")(forest.append(root, [said("of Ann")]))
      yield* forest.append(root, [said("of a program again")])
      const places = yield* Effect.all([as("ann")(here), as("ann", "/elsewhere")(here), as("bob")(here), here])
      assert.deepStrictEqual(places.map(String), ["n-2", "n-3", "n-3", "n-3"])
    }).pipe(inMemory),
  )

  it.effect("is moved by appending, editing and copying, and by hand", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const [one, two] = yield* forest.append(root, [said("one"), said("two")])
      assert.isDefined(one)
      assert.isDefined(two)
      yield* as("ann")(forest.switchTo(one.id))
      assert.strictEqual(yield* as("ann")(here), one.id)
      const edited = yield* as("ann")(forest.edit(one.id, "other"))
      assert.strictEqual(yield* as("ann")(here), edited.id)
      const { id: other } = yield* as("ann")(forest.root({ owner: "test", systemPrompt: "other" }))
      assert.strictEqual(yield* as("ann")(here), edited.id)
      const copied = yield* as("ann")(forest.copy(two.id, other, "path"))
      assert.strictEqual(yield* as("ann")(here), copied.id)
      yield* as("ann")(forest.bookmark("here", one.id))
      yield* as("ann")(forest.switchTo(undefined))
      assert.strictEqual(yield* as("ann")(here), copied.id)
    }).pipe(inMemory),
  )

  it.effect("is above what was removed, and back where it is restored; where a tree was, in the tree before", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const [one, two] = yield* as("ann")(forest.append(root, [said("one"), said("two")]))
      assert.isDefined(one)
      assert.isDefined(two)
      yield* forest.remove(two.id, "cascade")
      assert.strictEqual(yield* as("ann")(here), one.id)
      yield* forest.undo()
      assert.strictEqual(yield* as("ann")(here), two.id)
      const copy = Effect.flatMap(forest.root({ owner: "test", systemPrompt: "other" }), ({ id }) =>
        forest.copy(two.id, id, "path"),
      )
      yield* as("ann")(forest.operation(copy))
      yield* forest.undo()
      yield* forest.append(root, [said("of a program")])
      assert.strictEqual(yield* as("ann")(here), two.id)
      yield* forest.purge(one.id)
      assert.strictEqual(yield* as("ann")(here), "n-6")
    }).pipe(inMemory),
  )

  it.scopedLive("is kept in the file", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      const opened = <A, E>(effect: Effect.Effect<A, E, Forest.Forest>) =>
        Effect.provide(
          effect,
          Layer.fresh(Forest.layer.pipe(Layer.provide(Sqlite.layer(file)), Layer.provide(Ids.layer))),
        )
      const node = yield* opened(
        Effect.flatMap(talk, ({ forest, root }) => as("ann")(forest.append(root, [said("one")]))),
      )
      yield* opened(Effect.flatMap(talk, ({ forest, root }) => forest.append(root, [said("two")])))
      assert.strictEqual(yield* opened(as("ann")(here)), node[0]?.id)
    }),
  )
})
