/** A forest of which a byte is not what was written: nothing in it is read as if it were. */
import * as fs from "node:fs"
import * as path from "node:path"
import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, TestClock } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { cases } from "../thoroughness.ts"

/** The same numbers in each run, below `limit`. */
const numbers = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const opened = (file: string) =>
  Layer.fresh(Forest.layer.pipe(Layer.provideMerge(Sqlite.layer(file)), Layer.provide(Ids.layerSequence)))

const words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do".split(" ")

/** Trees of some two thousand nodes in all, branched, edited, cut, bookmarked and partly taken back. */
const grown = (next: (limit: number) => number) =>
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
    for (let tree = 0; tree < 8; tree++) {
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

interface Reading {
  readonly name: string
  readonly read: Effect.Effect<unknown, ForestError, Forest.Forest | ForestStore.ForestStore>
}

/** Everything that reads, one by one: so that no failure of one hides what another reads wrong. */
const readings = ({ leaves, roots }: Grown): ReadonlyArray<Reading> => {
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

const allRead = (all: ReadonlyArray<Reading>) =>
  Effect.forEach(all, ({ name, read }) => Effect.map(Effect.exit(read), (exit) => ({ name, exit })))

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "message" in value

/** Only unreadable nodes may replace others. */
const isTrue = (truth: unknown, read: unknown): boolean => {
  if (Array.isArray(truth) && Array.isArray(read)) {
    return truth.length === read.length && truth.every((one, at) => isTrue(one, read[at]))
  }
  if (isNode(truth) && isNode(read) && read.source.type === "unreadable") {
    return read.id === truth.id && read.parent === truth.parent
  }
  if (typeof truth === "object" && truth !== null && "nodes" in truth && "root" in truth) {
    return (
      typeof read === "object" &&
      read !== null &&
      "nodes" in read &&
      "root" in read &&
      isDeepStrictEqual(truth.root, read.root) &&
      isTrue(truth.nodes, read.nodes)
    )
  }
  return isDeepStrictEqual(truth, read)
}

/** Lets vitest hear from its worker, which it gives up after a minute of silence, on a machine that is busy. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** So many bytes are changed, one at a time: of five, one alone is seen. */
const FLIPS = Math.max(10, cases(100))

describe("A forest in a file, of which one byte is another", () => {
  it.scoped(
    `fails to be opened or read, or says which node cannot be read, or is read as it was written: ${FLIPS} times`,
    () =>
      Effect.gen(function* () {
        const next = numbers(14)
        const folder = yield* temporaryFolder
        const [file, copy] = [path.join(folder, "forest.db"), path.join(folder, "copy.db")]
        const forest = yield* Effect.provide(grown(next), opened(file))
        const all = readings(forest)
        const truths = yield* Effect.provide(allRead(all), opened(file))
        const bytes = fs.readFileSync(file)
        const counts = { refused: 0, failed: 0, unreadable: 0, equal: 0 }
        for (let flip = 0; flip < FLIPS; flip++) {
          yield* turn
          const [at, by] = [next(bytes.length), 1 + next(255)]
          const flipped = Buffer.from(bytes)
          flipped[at] = (flipped[at] ?? 0) ^ by
          fs.writeFileSync(copy, flipped)
          for (const end of ["-wal", "-shm"]) fs.rmSync(`${copy}${end}`, { force: true })
          const read = yield* Effect.either(Effect.provide(allRead(all), opened(copy)))
          if (read._tag === "Left") {
            counts.refused++
            continue
          }
          let isFailed = false
          for (const [place, { exit, name }] of read.right.entries()) {
            const truth = truths[place]?.exit
            if (truth === undefined || Exit.isFailure(truth)) assert.fail(`${name} could not be read before`)
            if (Exit.isFailure(exit)) {
              assert.strictEqual(exit.cause._tag, "Fail", `${name}, with byte ${at} changed by ${by}: ${exit.cause}`)
              isFailed = true
            } else assert.isTrue(isTrue(truth.value, exit.value), `${name}, with byte ${at} changed by ${by}`)
          }
          const isShown = JSON.stringify(read.right).includes('"type":"unreadable"')
          if (isFailed) counts.failed++
          else if (isShown) counts.unreadable++
          else counts.equal++
        }
        // Not the free space of the file alone was hit.
        assert.isAbove(counts.unreadable + counts.failed + counts.refused, FLIPS * 0.2, JSON.stringify(counts))
      }),
    300_000,
  )
})
