import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, TestClock } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import { NotFound } from "../../src/forest/ForestError.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"

/** The store is there to break what the forest would never write. */
const withForest = Effect.provide(
  Forest.layer.pipe(Layer.provideMerge(ForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
)

const draft = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const texts = (nodes: Forest.Path["nodes"]) => nodes.map((node) => Message.text(node.message))

const notFound = (id: string) => new NotFound({ id: NodeId.make(id) })

/** Gives others a chance between a look and the change that follows from it, as a disk would. */
const leisurely = Layer.effect(
  ForestStore.ForestStore,
  Effect.map(ForestStore.makeMemory, (store) =>
    ForestStore.ForestStore.of({
      ...store,
      rootsOf: (owner) => Effect.zipLeft(store.rootsOf(owner), Effect.yieldNow()),
    }),
  ),
)

describe("Forest.root", () => {
  it.effect("opens the same tree for the same owner and prompt, and keeps when it was made", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      yield* TestClock.setTime(1000)
      const first = yield* forest.root({ owner: "a", systemPrompt: "Be kind." })
      yield* TestClock.setTime(2000)
      assert.deepStrictEqual(yield* forest.root({ owner: "a", systemPrompt: "Be kind." }), first)
      assert.deepStrictEqual(first, {
        id: NodeId.make("n-0"),
        owner: "a",
        systemPrompt: "Be kind.",
        createdAt: 1000,
      })
    }).pipe(withForest),
  )

  it.effect("opens another for another owner, and for another prompt", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const trees = yield* Effect.forEach(
        [
          { owner: "a", systemPrompt: "Be kind." },
          { owner: "b", systemPrompt: "Be kind." },
          { owner: "a", systemPrompt: "Be kind. " },
          { owner: "a", systemPrompt: "" },
        ],
        forest.root,
      )
      assert.strictEqual(new Set(trees.map((tree) => tree.id)).size, 4)
    }).pipe(withForest),
  )

  it.effect("opens one tree for a hundred who ask at once", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const store = yield* ForestStore.ForestStore
      const asked = Array.from({ length: 100 }, () => ({ owner: "a", systemPrompt: "Be kind." }))
      const trees = yield* Effect.forEach(asked, forest.root, { concurrency: "unbounded" })
      assert.strictEqual(new Set(trees.map((tree) => tree.id)).size, 1)
      assert.lengthOf(yield* store.rootsOf("a"), 1)
    }).pipe(Effect.provide(Forest.layer.pipe(Layer.provideMerge(leisurely), Layer.provide(Ids.layerSequence)))),
  )
})

describe("Forest.append", () => {
  it.effect("puts each message under the one before", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      yield* TestClock.setTime(1000)
      const [first, second] = yield* forest.append(root.id, [draft("1"), draft("2")])
      const [third] = yield* forest.append(second?.id ?? root.id, [draft("3")])
      const common = { root: root.id, source: { type: "user" as const }, createdAt: 1000 }
      assert.deepStrictEqual(
        [first, second, third],
        [
          { ...common, id: NodeId.make("n-1"), parent: NodeId.make("n-0"), message: Message.user("1") },
          { ...common, id: NodeId.make("n-2"), parent: NodeId.make("n-1"), message: Message.user("2") },
          { ...common, id: NodeId.make("n-3"), parent: NodeId.make("n-2"), message: Message.user("3") },
        ],
      )
    }).pipe(withForest),
  )

  it.effect("branches where something was said already, though it be the same", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      yield* forest.append(id, [draft("same"), draft("under it")])
      yield* forest.append(id, [draft("same")])
      yield* forest.append(id, [])
      const children = yield* forest.children(id)
      assert.deepStrictEqual(texts(children), ["same", "same"])
      assert.strictEqual(new Set(children.map((node) => node.id)).size, 2)
    }).pipe(withForest),
  )

  it.effect("says which parent is missing, and adds nothing", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const nowhere = NodeId.make("nowhere")
      const error = yield* Effect.flip(forest.append(nowhere, [draft("1")]))
      assert.deepStrictEqual(error.reason, notFound("nowhere"))
      assert.strictEqual(error.message, "Node not found: nowhere")
      assert.deepStrictEqual(yield* forest.children(nowhere), [])
    }).pipe(withForest),
  )
})

describe("Forest.path", () => {
  it.effect("of a root is the root alone", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      yield* forest.append(root.id, [draft("1")])
      assert.deepStrictEqual(yield* forest.path(root.id), { root, nodes: [] })
    }).pipe(withForest),
  )

  it.effect("holds what led to a node, and nothing beside or after it", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [first, second] = yield* forest.append(root.id, [draft("1"), draft("2"), draft("3")])
      yield* forest.append(first?.id ?? root.id, [draft("beside")])
      const path = yield* forest.path(second?.id ?? root.id)
      assert.deepStrictEqual(path.root, root)
      assert.deepStrictEqual(texts(path.nodes), ["1", "2"])
    }).pipe(withForest),
  )

  it.effect("says which node is missing", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const error = yield* Effect.flip(forest.path(NodeId.make("nowhere")))
      assert.deepStrictEqual(error.reason, notFound("nowhere"))
    }).pipe(withForest),
  )

  it.effect("says where its chain is broken, instead of giving half of it", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const store = yield* ForestStore.ForestStore
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const orphan = { ...draft("orphan"), id: NodeId.make("orphan"), root: id, createdAt: 0 }
      yield* store.addNodes([{ ...orphan, parent: NodeId.make("lost") }])
      const [under] = yield* forest.append(orphan.id, [draft("under it")])
      const error = yield* Effect.flip(forest.path(under?.id ?? id))
      assert.deepStrictEqual(error.reason, notFound("lost"))
    }).pipe(withForest),
  )

  it.effect("says that its chain has no end, instead of following it for ever", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const store = yield* ForestStore.ForestStore
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [a, b] = [NodeId.make("a"), NodeId.make("b")]
      const node = { ...draft("round"), root: id, createdAt: 0 }
      yield* store.addNodes([
        { ...node, id: a, parent: b },
        { ...node, id: b, parent: a },
      ])
      const [under] = yield* forest.append(a, [draft("under it")])
      const error = yield* Effect.flip(forest.path(under?.id ?? id))
      assert.strictEqual(error.reason._tag, "Unreadable")
      assert.include(String(error.reason._tag === "Unreadable" && error.reason.cause), "the path of a leads back to it")
    }).pipe(withForest),
  )

  it.effect.prop(
    "ends in its node, and each node answers the one before, whatever was appended where",
    [FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.nat({ max: 3 })), { maxLength: 12 })],
    ([appends]) =>
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.root({ owner: "a", systemPrompt: "" })
        const known = [root.id]
        for (const [place, count] of appends) {
          const parent = known[place % known.length] ?? root.id
          const added = yield* forest.append(
            parent,
            Array.from({ length: count }, () => draft("")),
          )
          assert.lengthOf(added, count)
          known.push(...added.map((node) => node.id))
        }
        for (const id of known) {
          const path = yield* forest.path(id)
          const line = [root.id, ...path.nodes.map((node) => node.id)]
          assert.strictEqual(line.at(-1), id)
          assert.deepStrictEqual(
            path.nodes.map((node) => node.parent),
            line.slice(0, -1),
          )
        }
      }).pipe(withForest),
  )
})
