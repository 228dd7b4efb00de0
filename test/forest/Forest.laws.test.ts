/** The laws of the forest, over random operations: it agrees with a naive model, whatever keeps it. */
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Either, FastCheck, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { cases, isThorough } from "../thoroughness.ts"
import * as Model from "./Forest.model.ts"
import { draftOf, operation, perform, place, placesOf } from "./randomOperations.ts"

/** A tree as the model draws it, and what is needed to draw it. */
const drawn = (forest: Forest.Service, root: NodeId) =>
  Effect.gen(function* () {
    const nodes = yield* forest.subtree(root)
    const bookmarks = (yield* forest.bookmarks).filter(({ node }) => nodes.some(({ id }) => id === node))
    return {
      nodes,
      bookmarks,
      drawing: Model.draw(
        nodes.map((node) => ({
          id: node.id,
          parent: node.parent,
          role: node.message.role,
          text: Message.text(node.message),
        })),
        bookmarks.map(({ node, title }) => [title, node] as const),
        root,
      ),
    }
  })

const reading = (forest: Forest.Service, id: NodeId) =>
  Effect.map(forest.path(id), ({ nodes }) => nodes.map(({ message }) => Message.text(message)).join(""))

/** After each operation: the tree is the model's, whole, and nothing in it hangs loose. `forests` take turns at it. */
const lawful = (forests: ReadonlyArray<Forest.Service>, operations: ReadonlyArray<Model.Operation>, tree: number) =>
  Effect.gen(function* () {
    let forest = forests[0] ?? assert.fail("there is no forest")
    const { id: root } = yield* forest.root({ owner: `tree ${tree}`, systemPrompt: "" })
    for (const { title } of yield* forest.bookmarks) yield* forest.unbookmark(title)
    const model = Model.make()
    for (const [turn, operation] of operations.entries()) {
      forest = forests[turn % forests.length] ?? forest
      const before = yield* drawn(forest, root)
      const [at] = "place" in operation ? yield* placesOf(forest, root, operation) : [root]
      const expected = model.perform(operation)
      // What there is none of in this tree there may be in others, or be what made the tree.
      if (!expected && (operation.type === "undo" || operation.type === "redo")) continue
      const outcome = yield* Effect.either(perform(forest, root, operation))
      forest = forests[(turn + 1) % forests.length] ?? forest
      assert.strictEqual(Either.isRight(outcome), expected, JSON.stringify(operation))
      const after = yield* drawn(forest, root)
      assert.strictEqual(after.drawing, model.drawing())

      for (const node of after.nodes) {
        const way = yield* forest.path(node.id)
        assert.strictEqual(way.root.id, root)
        assert.strictEqual(way.nodes.at(-1)?.id, node.id)
        const last = tree % 5
        const end = { ...way, nodes: last === 0 ? [] : way.nodes.slice(-last) }
        assert.deepStrictEqual(yield* forest.path(node.id, { last }), end)
      }
      if (Either.isLeft(outcome) && operation.type !== "several") {
        assert.deepStrictEqual(after, before)
        continue
      }
      if (operation.type === "edit" && Either.isRight(outcome)) {
        const parent = before.nodes.find(({ id }) => id === at)?.parent ?? root
        const start = Model.isThere(after.nodes, parent, root) ? yield* reading(forest, parent) : ""
        const [edited] = outcome.right
        assert.strictEqual(yield* reading(forest, edited?.id ?? root), start + operation.text)
      }
      if (operation.type === "split" && Either.isRight(outcome)) {
        const [left, right] = outcome.right
        const joined = yield* forest.join(left?.id ?? root)
        assert.strictEqual(joined.id, right?.id)
        assert.strictEqual((yield* drawn(forest, root)).drawing, before.drawing)
        yield* forest.undo(root)
        assert.deepStrictEqual(yield* drawn(forest, root), after)
      }
      if (operation.type === "append" && !operation.distinct && Either.isRight(outcome)) {
        const again = yield* forest.append(at, operation.said.map(draftOf))
        assert.deepStrictEqual(again, outcome.right)
        assert.deepStrictEqual(yield* drawn(forest, root), after)
      }
      if (operation.type !== "undo" && operation.type !== "redo" && after.drawing !== before.drawing) {
        yield* forest.undo(root)
        assert.deepStrictEqual(yield* drawn(forest, root), before)
        yield* forest.redo()
        assert.deepStrictEqual(yield* drawn(forest, root), after)
        yield* forest.undo(root)
        assert.deepStrictEqual(yield* drawn(forest, root), before)
        // The same once more is the same, but for the ids.
        yield* Effect.either(perform(forest, root, operation))
        assert.strictEqual((yield* drawn(forest, root)).drawing, after.drawing)
      }
    }
  })

const SEQUENCES = isThorough ? 600 : 15

/** Lets vitest hear from its worker, which it gives up after a minute of silence, on a machine that is busy. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

describe("Forest, by its laws", () => {
  it.scopedLive(
    "agrees with a naive model after every operation, and undo and redo restore what they should, in memory, in a file, and with two connections to one",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const ids = yield* Layer.build(Ids.layerSequence)
        const file = Sqlite.layer(path.join(folder, "forest.db"))
        const shared = Sqlite.layer(path.join(folder, "shared.db"))
        const contexts = yield* Effect.forEach([Sqlite.layerMemory, file, shared, shared], (store) =>
          Layer.build(
            Layer.fresh(Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Layer.succeedContext(ids)))),
          ),
        )
        const [memory, alone, one, other] = contexts.map((context) => Context.get(context, Forest.Forest))
        const forests = [[memory], [alone], [one, other]].map((each) => each.flatMap((forest) => forest ?? []))
        let tree = 0
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(FastCheck.array(operation, { maxLength: 10 }), (operations) =>
              Effect.runPromise(
                Effect.gen(function* () {
                  yield* turn
                  tree += 1
                  // Each sequence in one of them: all are the same code over SQLite.
                  yield* lawful(forests[tree % forests.length] ?? [], operations, tree)
                }),
              ),
            ),
            { numRuns: SEQUENCES },
          ),
        )
        const looks = yield* Effect.forEach(contexts, (context) => Context.get(context, ForestStore.ForestStore).verify)
        for (const { problems } of looks) assert.deepStrictEqual(problems, [])
      }),
    300_000,
  )
})

/** Where one is purged, after what was done before. */
const purged = FastCheck.tuple(
  FastCheck.array(operation, { maxLength: 8 }),
  place,
  FastCheck.constantFrom("a node", "what was deleted", "the tree"),
)

describe("Forest, with purges between its operations", () => {
  it.scopedLive(
    "verifies after each, keeps the rest, and undoes what the journal still has, in memory and in a file",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        let count = 0
        const lived = (rounds: ReadonlyArray<FastCheckValue<typeof purged>>) =>
          Effect.gen(function* () {
            const forest = yield* Forest.Forest
            const { verify } = yield* ForestStore.ForestStore
            const { id: other } = yield* forest.root({ owner: "other", systemPrompt: "" })
            const kept = yield* forest.append(other, [draftOf({ role: "user", text: "a" })])
            const { id: root } = yield* forest.root({ owner: "purged", systemPrompt: "" })
            const look = Effect.gen(function* () {
              assert.deepStrictEqual((yield* verify).problems, [])
              assert.deepStrictEqual(yield* forest.subtree(other), kept)
              return (yield* forest.roots("purged")).length > 0
            })
            for (const [operations, place, what] of rounds) {
              for (const operation of operations) {
                yield* Effect.either(perform(forest, root, operation))
              }
              // An undo may have taken the tree away.
              if (!(yield* look)) return
              const before = yield* forest.subtree(root)
              const at = before[place % Math.max(1, before.length)]?.id ?? root
              const target = what === "a node" ? at : what === "the tree" ? root : "removed"
              const gone = new Set(
                target === "removed" ? [] : (yield* forest.subtree(target)).map(({ id }): string => id),
              )
              const { nodes } = yield* forest.purge(target, { bookmarks: true })
              assert.isAtLeast(nodes, gone.size)
              assert.deepStrictEqual(
                target === root ? [] : (yield* forest.subtree(root)).map(({ id }) => id),
                target === root ? [] : before.map(({ id }) => id).filter((id) => !gone.has(id)),
              )
              if (!(yield* look)) return
            }
            for (;;) {
              const undone = yield* Effect.either(forest.undo(root))
              if (!(yield* look) || Either.isLeft(undone)) return
            }
          })
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(FastCheck.array(purged, { minLength: 1, maxLength: 3 }), (rounds) =>
              Effect.runPromise(
                Effect.gen(function* () {
                  yield* turn
                  count += 1
                  // Each has a forest of its own. In one for all, a counterexample would be shrunk to nothing, since
                  // every case after the first that fails would find its problems.
                  const store = count % 2 === 0 ? Sqlite.layer(path.join(folder, `${count}.db`)) : Sqlite.layerMemory
                  const layer = Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layerSequence))
                  yield* Effect.provide(lived(rounds), Layer.fresh(layer))
                }),
              ),
            ),
            { numRuns: cases(100) },
          ),
        )
      }),
    240_000,
  )
})

type FastCheckValue<A> = A extends FastCheck.Arbitrary<infer Value> ? Value : never
