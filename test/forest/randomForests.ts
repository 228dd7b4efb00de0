/** Forests that are grown by a seed, and everything that can be read of one. */
import { assert } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"

/** The same numbers in each run, below `limit`. */
export const numbers = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export const opened = (file: string) =>
  Layer.fresh(Forest.layer.pipe(Layer.provideMerge(Sqlite.layer(file)), Layer.provide(Ids.layerSequence)))

const words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do".split(" ")

/** Trees of some 250 nodes each, branched, edited, cut, bookmarked and partly taken back. */
export const grown = (next: (limit: number) => number, trees = 8) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const text = () => Array.from({ length: 5 + next(40) }, () => words[next(words.length)]).join(" ")
    const draft = (n: number): Draft =>
      n % 2 === 0
        ? { message: Message.user(text()), source: { type: "user" } }
        : {
            message: {
              role: "assistant",
              content: [Block.text(text()), ...(n % 6 === 1 ? [Block.toolUse(`c${n}`, "f", { x: text() })] : [])],
            },
            source: {
              type: "model",
              model: "test/model",
              finish: "stop",
              usage: { inputTokens: next(900), outputTokens: next(900), cachedTokens: 0, thinkingTokens: 0 },
            },
          }
    for (let tree = 0; tree < trees; tree++) {
      const { id } = yield* forest.root({ owner: `owner ${tree % 3}`, systemPrompt: text() })
      let at: NodeId = id
      for (let step = 0; step < 12; step++) {
        yield* TestClock.adjust(1 + next(100_000))
        const nodes = yield* forest.append(
          at,
          Array.from({ length: 2 + next(40) }, (_, n) => draft(n)),
        )
        const [some, other] = [nodes[next(nodes.length)], nodes[next(nodes.length)]]
        if (some === undefined || other === undefined) assert.fail()
        at = step % 4 === 0 ? id : some.id
        if (step % 5 === 1) yield* forest.bookmark(`mark ${tree} ${step}`, other.id)
        if (step % 4 === 2) yield* Effect.either(forest.edit(other.id, text()))
        if (step % 6 === 3) yield* Effect.either(forest.split(some.id, 9))
        if (step % 6 === 4) yield* Effect.either(forest.remove(other.id, "cascade", { bookmarks: true }))
        if (step % 6 === 5) yield* Effect.either(forest.remove(other.id, "reparent", { bookmarks: true }))
        if (step === 7) yield* forest.undo(id)
        if ((yield* forest.subtree(id)).every((node) => node.id !== at)) at = id
      }
    }
    return { roots: yield* forest.roots(), leaves: yield* forest.leaves(40) }
  })

type Grown = Effect.Effect.Success<ReturnType<typeof grown>>

export interface Reading {
  readonly name: string
  readonly read: Effect.Effect<unknown, ForestError, Forest.Forest | ForestStore.ForestStore>
}

/** Everything that reads, one by one: so that no failure of one hides what another reads wrong. */
export const readings = ({ leaves, roots }: Grown): ReadonlyArray<Reading> => {
  const reading = (name: string, read: (forest: Forest.Service) => Effect.Effect<unknown, ForestError>) => ({
    name,
    read: Effect.flatMap(Forest.Forest, read),
  })
  return [
    reading("roots", (forest) => forest.roots()),
    reading("bookmarks", (forest) => forest.bookmarks),
    reading("leaves", (forest) => forest.leaves(40)),
    ...roots.flatMap(({ id, owner }, at) => [
      reading(`the roots of ${owner}`, (forest) => forest.roots(owner)),
      reading(`tree ${at}`, (forest) => forest.subtree(id)),
      reading(`the leaves of tree ${at}`, (forest) => forest.leaves(5, id)),
      {
        name: `the latest entry of tree ${at}`,
        read: Effect.flatMap(ForestStore.ForestStore, ({ read }) => read((rows) => rows.latest({ root: id }))),
      },
    ]),
    ...leaves.slice(0, 20).map(({ id }, at) => reading(`path ${at}`, (forest) => forest.path(id))),
  ]
}
