/**
 * Does to a forest whatever can be done to it, over and over, until it is killed. What it does it tells in a log that
 * several such processes share: within each transaction what it is about to keep, so that the log has the order in
 * which it was kept, and once that is kept, so. After its first operation it writes a line to stdout.
 */
import * as fs from "node:fs"
import { Effect, Layer, Random } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft, Node, Root } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { Told } from "./killed.ts"

const [file = "", log = "", name = "", seed = ""] = process.argv.slice(2)

const written = fs.openSync(log, "a")

/** One write each: the lines of several processes stay whole. */
const tell = (told: Told) => fs.writeSync(written, `${JSON.stringify(told)}\n`)

/** A store that reports each write before and after it. */
const telling = (store: ForestStore.Service): ForestStore.Service => {
  let count = 0
  let isFirst = true
  return {
    ...store,
    write: (body) =>
      Effect.suspend(() => {
        const operation = `${name} ${count++}`
        let isTold = false
        return Effect.tap(
          store.write((rows) => {
            const planted: Array<Root> = []
            const inserted: Array<Node> = []
            return body({
              ...rows,
              insertRoot: (root) => {
                planted.push(root)
                rows.insertRoot(root)
              },
              insert: (node) => {
                inserted.push(node)
                rows.insert(node)
              },
              appendEntry: (entry) => {
                rows.appendEntry(entry)
                tell({ type: "about to keep", operation, planted, inserted, changes: entry.changes })
                isTold = true
              },
            })
          }),
          () =>
            Effect.sync(() => {
              if (!isTold) return
              tell({ type: "kept", operation })
              if (isFirst) fs.writeSync(1, "kept\n")
              isFirst = false
            }),
        )
      }),
  }
}

const between = (min: number, max: number) => Random.nextIntBetween(min, max + 1)

/** Words that meet, and letters of more than one byte. */
const words = ["so", "it", "goes", "on", "😀", "é", "漢"]

const text = Effect.flatMap(between(1, 40), (length) =>
  Effect.map(
    Effect.replicateEffect(
      Effect.map(between(0, words.length - 1), (at) => words[at]),
      length,
    ),
    (words) => words.join(" "),
  ),
)

const drafts = Effect.gen(function* () {
  const said = yield* Effect.replicateEffect(text, yield* between(1, 3))
  const spoken = said.map((text, n): Draft => ({ message: Message.user(`${text} ${n}`), source: { type: "user" } }))
  if ((yield* between(0, 4)) > 0) return spoken
  const call = Block.toolUse(`call_${yield* between(1, 1_000_000)}`, "look", { at: "it" })
  const calling: Draft = { message: { role: "assistant", content: [call] }, source: { type: "user" } }
  const answer: Draft = {
    message: Message.toolResult(call, "it is there", false),
    source: { type: "tool", tool: "look" },
  }
  return [...spoken, calling, answer]
})

/** Refusals that concurrent writers must expect: another has deleted a node, or a bookmark is on it. */
const refused = new Set<ForestError["reason"]["_tag"]>([
  "NotFound",
  "NotText",
  "Answering",
  "BadPosition",
  "Bookmarked",
  "NoBookmark",
  "NothingToUndo",
  "Changed",
  // Another tree has moved a bookmark since: they belong to all.
  "Conflict",
  "NotUndoable",
  "OpenCall",
])

/** One operation on a tree of its own, or on the one that all share. */
const operation = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const owner = (yield* Random.nextBoolean) ? name : "everybody"
  const { id: root } = yield* forest.root({ owner, systemPrompt: "" })
  const nodes = yield* forest.subtree(root)
  const node = nodes[yield* between(0, Math.max(0, nodes.length - 1))]
  const parent = (yield* between(0, 3)) === 0 ? root : (node?.id ?? root)
  const adding = Effect.flatMap(drafts, (drafts) => forest.append(parent, drafts))
  if (node === undefined) return yield* adding
  const { id } = node
  const title = `bookmark ${yield* between(1, 4)}`
  const chance = yield* between(1, 20)
  if (chance <= 7) return yield* adding
  if (chance <= 10) return yield* Effect.flatMap(text, (text) => forest.edit(id, text))
  if (chance <= 12) return yield* forest.edit(id, `${Message.text(node.message)} and on`)
  if (chance <= 14) return yield* Effect.flatMap(between(1, 20), (position) => forest.split(id, position))
  if (chance <= 15) return yield* forest.remove(id, "reparent", { bookmarks: yield* Random.nextBoolean })
  // A tree that has grown is cut down again.
  if (chance <= 16 && nodes.length > 20) return yield* forest.remove(id, "cascade", { bookmarks: true })
  if (chance <= 18) return yield* forest.undo((yield* Random.nextBoolean) ? root : undefined)
  if (chance <= 19) return yield* forest.bookmark(title, id)
  return yield* forest.unbookmark(title)
}).pipe(
  Effect.catchIf(
    (error) => refused.has(error.reason._tag),
    () => Effect.void,
  ),
)

const store = Layer.effect(ForestStore.ForestStore, Effect.map(ForestStore.ForestStore, telling))

await Effect.runPromise(
  Effect.forever(operation).pipe(
    Effect.withRandom(Random.make(seed)),
    Effect.provide(Forest.layer.pipe(Layer.provide([store, Ids.layer]), Layer.provide(Sqlite.layer(file)))),
  ),
)
