/** The law of a purge, over random operations: no text of what it removes is left. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import { isThorough } from "../thoroughness.ts"

const place = FastCheck.nat({ max: 11 })

const operation = FastCheck.record({
  type: FastCheck.oneof(
    { weight: 2, arbitrary: FastCheck.constantFrom("append", "edit", "split", "join", "undo") },
    { weight: 1, arbitrary: FastCheck.constantFrom("deleteAll", "deleteOne", "move", "redo") },
  ),
  place,
  /** Another place, or a position in the text. */
  other: place,
  isLonger: FastCheck.boolean(),
})

/** Operations, and the place that is purged after them. */
const round = FastCheck.record({
  operations: FastCheck.array(operation, { minLength: 3, maxLength: 14 }),
  purged: place,
})

type Value<A> = A extends FastCheck.Arbitrary<infer Value> ? Value : never

const charactersOf = (nodes: ReadonlyArray<Node>) => nodes.flatMap(({ message }) => Array.from(Message.text(message)))

/** Writes characters that no text has had before, so that a character shows from which message it comes. */
const makeWriter = () => {
  let next = 0x4e00
  const write = (length: number) => Array.from({ length }, () => String.fromCharCode(next++)).join("")
  const draft = (): Draft => ({ message: Message.user(write(4)), source: { type: "user" } })
  return { write, draft }
}

const perform = (
  forest: Forest.Service,
  root: NodeId,
  { isLonger, other, place, type }: Value<typeof operation>,
  { draft, write }: ReturnType<typeof makeWriter>,
): Effect.Effect<unknown, unknown> =>
  Effect.gen(function* () {
    const nodes = yield* forest.subtree(root)
    const places = [root, ...nodes.map(({ id }) => id)]
    const at = places[place % places.length] ?? root
    const text = charactersOf(nodes.filter(({ id }) => id === at))
    const start = text.slice(0, other % (text.length + 1)).join("")
    switch (type) {
      case "append":
        return yield* forest.append(at, isLonger ? [draft(), draft()] : [draft()])
      case "edit":
        return yield* forest.edit(at, isLonger ? start + write(2) : start)
      case "split":
        return yield* forest.split(at, start.length)
      case "join":
        return yield* forest.join(at)
      case "deleteAll":
        return yield* forest.remove(at, "cascade")
      case "deleteOne":
        return yield* forest.remove(at, "reparent")
      case "move":
        return yield* forest.move(at, places[other % places.length] ?? root)
      case "undo":
        return yield* forest.undo(root)
      case "redo":
        return yield* forest.redo()
    }
  })

/** Everything that is stored of nodes and in the journal, removed or not. */
const storedTexts = Effect.flatMap(ForestStore.ForestStore, ({ read }) =>
  read((rows) => {
    const { entries, messageOf, nodes } = rows.inventory()
    return [...Array.from(nodes, ({ id }) => messageOf(id)), ...entries].map((stored) => JSON.stringify(stored))
  }),
)

/** Purges after each round, and looks at what is left. */
const leavesNothing = (rounds: ReadonlyArray<Value<typeof round>>) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { verify } = yield* ForestStore.ForestStore
    const writer = makeWriter()
    const { id: root } = yield* forest.root({ owner: "test", systemPrompt: "" })
    for (const { operations, purged } of rounds) {
      yield* forest.append(root, [writer.draft(), writer.draft()])
      for (const operation of operations) {
        yield* Effect.either(perform(forest, root, operation, writer))
        // An undo may have taken the tree away.
        if ((yield* forest.roots("test")).length === 0) return
      }
      const before = yield* forest.subtree(root)
      const target = before[purged % Math.max(1, before.length)]?.id
      if (target === undefined) return
      const gone = yield* forest.subtree(target)
      yield* forest.purge(target)
      assert.deepStrictEqual((yield* verify).problems, [])
      const kept = new Set(charactersOf(yield* forest.subtree(root)))
      const erased = charactersOf(gone).filter((character) => !kept.has(character))
      const left = (yield* storedTexts).filter((text) => erased.some((character) => text?.includes(character)))
      assert.deepStrictEqual(left, [])
    }
    for (;;) {
      const undone = yield* Effect.either(forest.undo(root))
      assert.deepStrictEqual((yield* verify).problems, [])
      if (Either.isLeft(undone)) return
    }
  })

describe("Forest.purge, by its law", () => {
  it.scopedLive(
    "leaves no text of what it removes, neither in deleted messages nor in the journal",
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(round, { minLength: 1, maxLength: 2 }), (rounds) =>
            // Each case has a forest of its own, so that a counterexample can be shrunk.
            Effect.runPromise(
              Effect.provide(
                leavesNothing(rounds),
                Layer.fresh(
                  Forest.layer.pipe(Layer.provideMerge(Sqlite.layerMemory), Layer.provide(Ids.layerSequence)),
                ),
              ),
            ),
          ),
          { numRuns: isThorough ? 300 : 6 },
        ),
      ),
    240_000,
  )
})
