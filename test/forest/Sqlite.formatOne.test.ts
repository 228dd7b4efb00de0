import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { newFile, opened, reasonOf, tampered, verified } from "./forestFiles.ts"
import { draft } from "./forests.ts"
import { writeFormatOne } from "./formatOne.ts"

/** All rows of the tables that format 1 has, and of each its columns. */
const rowsOfFormatOne = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = [
    `select id, name, parent, root, hex(digest), role, body, is_json, source, model, detail, created_at, split_from,
       removed from node order by id`,
    "select title, node, created_at, updated_at from bookmark",
    "select id, root, operation, at, changes, undoes from journal order by id",
    "select revision, indexed from state",
  ].map((query) => database.prepare(query).all())
  database.close()
  return rows
}

describe("A forest in a file of format 1", () => {
  const old = Effect.tap(newFile, (file) => Effect.sync(() => writeFormatOne(file)))
  const more = NodeId.make("more")

  it.scopedLive("has all that it had, and goes on", () =>
    Effect.gen(function* () {
      const file = yield* old
      const before = rowsOfFormatOne(file)
      yield* opened(file, () => Effect.void)
      assert.deepStrictEqual(rowsOfFormatOne(file), before)
      assert.deepStrictEqual((yield* verified(Sqlite.layer(file))).problems, [
        { subject: "node robot", what: "holds no message" },
        { subject: "node nan", what: "holds no message" },
      ])
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* forest.bookmarks, [{ title: "here", node: more, createdAt: 11, updatedAt: 11 }])
          const undo = Effect.map(forest.undo(), (undone) => undone.flatMap(({ kinds }) => kinds))
          assert.deepStrictEqual(yield* undo, ["bookmark"])
          assert.deepStrictEqual(yield* undo, ["edit"])
          assert.strictEqual(Message.text((yield* forest.node(more)).message), "less marmalade")
          assert.deepStrictEqual(yield* undo, ["delete"])
          yield* forest.append(more, [draft("and more")])
          const [root] = yield* forest.roots("loom")
          assert.deepStrictEqual(yield* forest.root({ owner: "loom", systemPrompt: "Be kind." }), root)
        }),
      )
      assert.lengthOf((yield* verified(Sqlite.layer(file))).problems, 2)
    }),
  )

  it.scopedLive("is read where it cannot be written, and stays as it is", () =>
    Effect.gen(function* () {
      const file = yield* old
      fs.mkdirSync(`${file}-shm`)
      const before = fs.readFileSync(file)
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        assert.lengthOf((yield* forest.path(more)).nodes, 5)
        assert.strictEqual(yield* reasonOf(forest.append(more, [draft("x")])), "Unwritable")
      }).pipe(Effect.provide(Layer.fresh(Forest.layer.pipe(Layer.provide([Sqlite.layerReadable(file), Ids.layer])))))
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scopedLive("becomes one of this format though more than a thousand rows have to be gone through", () =>
    Effect.gen(function* () {
      const file = yield* old
      yield* tampered(
        file,
        `with recursive n (i) as (select 10 union all select i + 1 from n where i < 1100)
         insert into node select i, 'x' || i, case when i % 2 = 0 then 1 else i - 1 end, 1, null, 'user', 'text ' || i, 0,
           'user', null, null, i, null, 0 from n;
         insert into journal (root, operation, at, changes) values ('root', 'append', 1, '10 1100')`,
      )
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const [root] = yield* forest.roots()
          assert.lengthOf(yield* forest.subtree(root?.id ?? more), 5 + 1091)
          const { nodes } = yield* forest.path(NodeId.make("x1099"))
          assert.deepStrictEqual(
            nodes.map(({ message }) => Message.text(message)),
            ["text 1098", "text 1099"],
          )
        }),
      )
      const { problems } = yield* verified(Sqlite.layer(file))
      assert.deepStrictEqual(
        problems.filter(({ what }) => /written|counted/.test(what)),
        [],
      )
    }),
  )
})
