import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { newFile, opened, whyOf } from "./forestFiles.ts"
import { draft } from "./forests.ts"
import { writeFormatOne } from "./formatOne.ts"

/** The rows of nodes as they are stored, but for their parents. */
const stored = (file: string, ...names: ReadonlyArray<string>) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare("select role, body, is_json, source, model, detail, created_at from node where name = ?")
  const rows = names.map((name) => row.get(name))
  database.close()
  return rows
}

describe("A forest in a file, with nodes that cannot be read", () => {
  const poisoned = Effect.tap(newFile, (file) => Effect.sync(() => writeFormatOne(file)))
  const id = NodeId.make
  const [robot, answer, nan, more] = [id("robot"), id("answer"), id("nan"), id("more")]

  const kinds = (nodes: ReadonlyArray<Node>) => nodes.map(({ id, source }) => `${id} ${source.type}`)
  const whole = ["hello user", "robot unreadable", "answer model", "nan unreadable", "more user"]

  it.scopedLive("reads nodes above and below unreadable ones, which have the reason", () =>
    Effect.gen(function* () {
      const file = yield* poisoned
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const { nodes, root } = yield* forest.path(more)
          assert.deepStrictEqual(kinds(nodes), whole)
          assert.deepStrictEqual(kinds(yield* forest.subtree(root.id)), whole)
          assert.deepStrictEqual(kinds(yield* forest.children(robot)), ["answer model"])
          assert.deepStrictEqual(kinds(yield* forest.leaves(9)), ["more user"])
          const read = yield* forest.node(robot)
          assert.deepStrictEqual(read, {
            id: robot,
            root: root.id,
            parent: id("hello"),
            message: { role: "system", content: [Block.text(`[This message cannot be read: ${whyOf(read)}]`)] },
            source: {
              type: "unreadable",
              why: 'role: Expected "user" | "assistant" | "tool" | "system", actual "robot"',
            },
            createdAt: 3,
          })
          assert.strictEqual(whyOf(yield* forest.node(nan)), "usage.inputTokens: Expected number, actual null")
        }),
      )
    }),
  )

  it.scopedLive("searches the others, and lists those that it could not look at where that is asked for", () =>
    Effect.gen(function* () {
      const file = yield* poisoned
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const found = (query: object) => Effect.map(forest.search({ text: "marmalade", ...query }), kinds)
          for (const when of ["waiting for the index", "indexed"]) {
            assert.deepStrictEqual(yield* found({}), ["more user", "hello user"], when)
            yield* forest.append(
              more,
              Array.from({ length: 250 }, (_, n) => draft(`filling ${n}`)),
            )
          }
        }),
      )
      const fresh = yield* poisoned
      const listed = yield* opened(fresh, (forest) => forest.search({ text: "marmalade", limit: 1, unreadable: true }))
      assert.deepStrictEqual(kinds(listed), ["more user", "nan unreadable", "robot unreadable"])
    }),
  )

  it.scopedLive("deletes them, with what is below or without, and brings them back as they were", () =>
    Effect.gen(function* () {
      const file = yield* poisoned
      const before = stored(file, "robot", "nan")
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const path = Effect.map(forest.path(more), ({ nodes }) => kinds(nodes))
          yield* forest.remove(robot, "reparent")
          assert.deepStrictEqual(yield* path, ["hello user", "answer model", "nan unreadable", "more user"])
          // What moves up to the parent is itself one that cannot be read.
          yield* forest.remove(answer, "reparent")
          assert.deepStrictEqual(yield* path, ["hello user", "nan unreadable", "more user"])
          yield* forest.undo()
          yield* forest.undo()
          assert.deepStrictEqual(yield* path, whole)
          yield* forest.remove(robot, "cascade", { bookmarks: true })
          assert.deepStrictEqual(kinds(yield* forest.leaves(9)), ["hello user"])
          yield* forest.undo()
          assert.deepStrictEqual(yield* path, whole)
        }),
      )
      assert.deepStrictEqual(stored(file, "robot", "nan"), before)
    }),
  )

  it.scopedLive("changes none of them, and takes none for what is said again", () =>
    Effect.gen(function* () {
      const file = yield* poisoned
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const refused = [yield* Effect.flip(forest.edit(robot, "x")), yield* Effect.flip(forest.split(robot, 3))]
          assert.deepStrictEqual(
            refused.map(({ message }) => message),
            ["edit", "split"].map((what) => `Cannot ${what} robot: it holds nothing that can be read`),
          )
          const [hello] = (yield* forest.path(more)).nodes
          const [again] = yield* forest.append(hello?.id ?? more, [draft("marmalade of a robot")])
          assert.notStrictEqual(again?.id, robot)
        }),
      )
    }),
  )
})
