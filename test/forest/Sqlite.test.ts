/** What only a forest in a file can do, or suffer. */
import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { writeFormatOne } from "./formatOne.ts"

const newFile = Effect.map(temporaryFolder, (folder) => path.join(folder, "state", "forest.db"))

/** As a process of its own would open it: nothing is remembered from before. */
const opened = <A, E>(file: string, use: (forest: Forest.Service) => Effect.Effect<A, E>) =>
  Effect.flatMap(Forest.Forest, use).pipe(
    Effect.provide(Layer.fresh(Forest.layer.pipe(Layer.provide([Sqlite.layer(file), Ids.layer])))),
  )

const draft = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const planted = (file: string, ...texts: ReadonlyArray<string>) =>
  opened(file, (forest) =>
    Effect.gen(function* () {
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const nodes = yield* forest.append(id, texts.map(draft))
      return { root: id, ids: nodes.map(({ id }) => id) }
    }),
  )

/** Writes by hand what vibe would not. */
const tampered = (file: string, statement: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(file)
    database.exec(`pragma foreign_keys = off; ${statement}`)
    database.close()
  })

/** A forest that was closed; most of its pages are messages. */
const filled = Effect.tap(newFile, (file) =>
  planted(file, ...Array.from({ length: 300 }, (_, n) => `message ${n} ${"x".repeat(500)}`)),
)

/** A copy of it as a process leaves it that is killed when it has added to it. */
const left = (file: string) =>
  Effect.flatMap(newFile, (copy) =>
    opened(file, (forest) =>
      Effect.gen(function* () {
        const [root] = yield* forest.roots()
        yield* forest.append(root?.id ?? NodeId.make("x"), [draft("the last word")])
        fs.mkdirSync(path.dirname(copy))
        for (const end of ["", "-wal", "-shm"]) fs.copyFileSync(`${file}${end}`, `${copy}${end}`)
        return copy
      }),
    ),
  )

/** Destroys one of its pages of 4096 bytes, one with messages. */
const destroyed = (file: string) => {
  const bytes = fs.readFileSync(file)
  const page = Math.floor(bytes.indexOf("message 150 ") / 4096)
  bytes.fill(7, 4096 * page, 4096 * (page + 1))
  fs.writeFileSync(file, bytes)
}

const readable = (file: string) =>
  Effect.provide(Effect.asVoid(Forest.Forest), Layer.provide(Forest.layer, [Sqlite.layerReadable(file), Ids.layer]))

const verified = <E>(store: Layer.Layer<ForestStore.ForestStore, E>) =>
  Effect.provide(
    Effect.flatMap(ForestStore.ForestStore, ({ verify }) => verify),
    Layer.fresh(store),
  )

const reasonOf = <A>(effect: Effect.Effect<A, ForestError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)

const texts = (file: string, id: NodeId) =>
  opened(file, (forest) =>
    Effect.map(forest.path(id), ({ nodes }) => nodes.map(({ message }) => Message.text(message))),
  )

const whyOf = ({ source }: Node) => (source.type === "unreadable" ? source.why : undefined)

describe("A forest after the end of its scope", () => {
  it.scoped.each(["file", "memory"])("says that it is closed: %s", (where) =>
    Effect.gen(function* () {
      const file = yield* newFile
      const store = where === "file" ? Sqlite.layer(file) : Sqlite.layerMemory
      const { forest, verify } = yield* Effect.provide(
        Effect.zipWith(Forest.Forest, ForestStore.ForestStore, (forest, { verify }) => ({ forest, verify })),
        Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layer)),
      )
      const uses: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        forest.roots(),
        forest.root({ owner: "a", systemPrompt: "" }),
        forest.position,
        verify,
      ]
      for (const use of uses) {
        const cause = yield* Effect.flip(Effect.sandbox(use))
        assert.deepStrictEqual(
          Array.from(Cause.defects(cause), (defect) => (defect instanceof Error ? defect.message : defect)),
          [`the forest in ${where === "file" ? file : where} is closed: the scope in which it was opened has ended`],
        )
      }
    }),
  )
})

describe("A forest in a file", () => {
  it.scopedLive("is for its owner's eyes alone", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
          yield* forest.append(id, [draft("secret")])
          for (const name of fs.readdirSync(path.dirname(file))) {
            assert.strictEqual(fs.statSync(path.join(path.dirname(file), name)).mode & 0o777, 0o600, name)
          }
        }),
      )
      assert.strictEqual(fs.statSync(path.dirname(file)).mode & 0o777, 0o700)
    }),
  )

  it.scopedLive("has everything when it is opened again", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const { ids } = yield* planted(file, "a", "b")
      assert.deepStrictEqual(yield* texts(file, ids[1] ?? NodeId.make("x")), ["a", "b"])
      const edited = yield* opened(file, (forest) => forest.edit(ids[0] ?? NodeId.make("x"), "ac"))
      assert.deepStrictEqual(yield* texts(file, edited.id), ["a", "c"])
      yield* opened(file, (forest) => forest.undo())
      assert.strictEqual(yield* reasonOf(opened(file, (forest) => forest.path(edited.id))), "NotFound")
    }),
  )

  it.scopedLive("is left alone where a newer vibe wrote it", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* planted(file, "a")
      yield* tampered(file, "pragma user_version = 99")
      const before = fs.readFileSync(file)
      const error = yield* Effect.flip(planted(file, "b"))
      assert.strictEqual(error.message, "the stored conversations were written by a newer version of vibe (format 99)")
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scopedLive("refuses a file that is no forest or damaged, and leaves it as it is", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* planted(file, ...Array.from({ length: 300 }, (_, n) => `message ${n} ${"x".repeat(500)}`))
      const whole = fs.readFileSync(file)
      const damaged = Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192, 7)])
      for (const bytes of [Buffer.from("not a database, but long enough".repeat(200)), damaged]) {
        fs.writeFileSync(file, bytes)
        const all = opened(file, (forest) =>
          Effect.flatMap(forest.roots(), (roots) => Effect.forEach(roots, ({ id }) => forest.subtree(id))),
        )
        assert.strictEqual(yield* reasonOf(all), "Unreadable")
        assert.deepStrictEqual(fs.readFileSync(file), bytes)
      }
    }),
  )

  it.scopedLive("refuses a forest with a missing table or row at once", () =>
    Effect.gen(function* () {
      for (const statement of ["drop index node_child", "drop table said", "delete from state"]) {
        const file = yield* newFile
        yield* planted(file, "a")
        yield* tampered(file, statement)
        assert.strictEqual(yield* reasonOf(opened(file, () => Effect.void)), "Unreadable", statement)
        assert.strictEqual(yield* reasonOf(readable(file)), "Unreadable", statement)
      }
    }),
  )

  it.scopedLive.each([
    "alter table node rename to n; create view node as select * from n",
    "create trigger more after insert on node begin delete from journal; end",
    "create temp table x (a); create view other as select 1",
  ])("is refused where another program has put a view or a trigger into it, and stays as it is: %s", (statement) =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* planted(file, "a")
      yield* tampered(file, statement)
      const before = fs.readFileSync(file)
      for (const layer of [Sqlite.layer, Sqlite.layerReadable, Sqlite.layerUnchecked]) {
        const error = yield* Effect.flip(Effect.provide(ForestStore.ForestStore, Layer.fresh(layer(file))))
        assert.match(
          error.message,
          /^the stored conversations cannot be read: .*forest\.db: was altered by another program: the (view|trigger) /,
        )
      }
      assert.deepStrictEqual(fs.readFileSync(file), before)
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["forest.db"])
    }),
  )

  it.scopedLive("may have tables of others beside its own", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* planted(file, "a")
      yield* tampered(file, "create table other (a)")
      yield* opened(file, (forest) => forest.roots())
    }),
  )

  it.scopedLive("waits at no pipe and writes to no device, in its own place or beside it", () =>
    Effect.gen(function* () {
      const refused = (file: string, named: string) =>
        Effect.forEach([Sqlite.layer, Sqlite.layerReadable, Sqlite.layerUnchecked], (layer) =>
          Effect.map(Effect.flip(Effect.provide(ForestStore.ForestStore, Layer.fresh(layer(file)))), ({ message }) =>
            assert.strictEqual(message, `the stored conversations cannot be read: ${named}: is not a regular file`),
          ),
        )
      const folder = yield* temporaryFolder
      const pipe = path.join(folder, "pipe")
      execFileSync("mkfifo", [pipe])
      for (const file of [pipe, "/dev/null", folder]) yield* refused(file, file)
      for (const end of ["-journal", "-wal", "-shm"]) {
        const file = yield* newFile
        yield* planted(file, "a")
        execFileSync("mkfifo", [file + end])
        yield* refused(file, file + end)
      }
    }),
  )

  it.scopedLive("is checked when it was not closed, and refused as damaged each time", () =>
    Effect.gen(function* () {
      const file = yield* left(yield* filled)
      yield* readable(file)
      assert.isFalse(fs.existsSync(`${file}-wal`))

      const broken = yield* left(yield* filled)
      destroyed(broken)
      for (const attempt of ["first", "second"]) {
        assert.strictEqual(yield* reasonOf(opened(broken, () => Effect.void)), "Unreadable", attempt)
        assert.strictEqual(yield* reasonOf(readable(broken)), "Unreadable", attempt)
      }
      const { problems } = yield* verified(Sqlite.layerUnchecked(broken))
      assert.include(
        problems.map(({ subject }) => subject),
        "storage",
      )
    }),
  )

  it.scopedLive("is not looked through when it was closed, nor while another has it open", () =>
    Effect.gen(function* () {
      const file = yield* filled
      destroyed(file)
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const [root] = yield* forest.roots()
          yield* forest.append(root?.id ?? NodeId.make("x"), [draft("and another")])
          assert.isTrue(fs.existsSync(`${file}-wal`))
          yield* opened(file, (forest) => forest.roots())
        }),
      )
    }),
  )

  it.scopedLive("is opened when it was not closed and only its index for the search is damaged", () =>
    Effect.gen(function* () {
      const closed = yield* filled
      // Node 24 keeps such tables from harm unless told otherwise.
      const database = new DatabaseSync(closed, { defensive: false })
      database.exec("update said_data set block = zeroblob(length(block)) where id > 100")
      database.close()
      const file = yield* left(closed)
      yield* readable(file)
      const { problems } = yield* verified(Sqlite.layer(file))
      assert.deepStrictEqual(
        problems.map(({ isMendable, subject }) => ({ isMendable, subject })),
        [{ isMendable: true, subject: "search" }],
      )
    }),
  )

  it.scopedLive("reports rows that were changed by hand", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const { ids } = yield* planted(file, "a", "b", "c")
      const [a, b, c] = ids
      if (a === undefined || b === undefined || c === undefined) assert.fail()
      const path = (id: NodeId) => reasonOf(opened(file, (forest) => forest.path(id)))
      yield* tampered(file, `update node set body = '{"role":"user"}', is_json = 1 where name = '${c}'`)
      const { nodes } = yield* opened(file, (forest) => forest.path(c))
      assert.deepStrictEqual(nodes.map(whyOf), [undefined, undefined, "its row is damaged"])
      yield* tampered(file, `update node set parent = (select id from node where name = '${b}') where name = '${a}'`)
      assert.strictEqual(yield* path(b), "Unreadable")
      yield* tampered(file, `delete from node where name = '${a}'`)
      assert.strictEqual(yield* path(b), "NotFound")
    }),
  )

  it.scopedLive(
    "is opened for reading where it cannot be written, and stays as it is; writes fail with the reason",
    () =>
      Effect.gen(function* () {
        const file = yield* newFile
        const { ids, root } = yield* planted(file, "a", "b")
        // No permission, which would not bind root: SQLite needs a file of this name to write.
        fs.mkdirSync(`${file}-shm`)
        const before = fs.readFileSync(file)
        assert.strictEqual(yield* reasonOf(planted(file, "c")), "Unwritable")
        yield* Effect.gen(function* () {
          const forest = yield* Forest.Forest
          const store = yield* ForestStore.ForestStore
          const nodes = yield* forest.subtree(root)
          assert.deepStrictEqual(
            nodes.map(({ id }) => id),
            ids,
          )
          assert.deepStrictEqual(yield* forest.search({ text: "b" }), nodes.slice(1))
          assert.deepStrictEqual((yield* store.verify).problems, [])
          const refused = yield* Effect.flip(forest.append(root, [draft("c")]))
          assert.strictEqual(refused.message, `the conversation cannot be saved: ${file}: cannot be written`)
          assert.strictEqual(yield* reasonOf(store.mend), "Unwritable")
        }).pipe(
          Effect.provide(
            Forest.layer.pipe(Layer.provideMerge(Sqlite.layerReadable(file)), Layer.provide(Ids.layer), Layer.fresh),
          ),
        )
        assert.deepStrictEqual(fs.readFileSync(file), before)
      }),
  )

  it.scopedLive("cannot be read where there is none, or is a later one", () =>
    Effect.gen(function* () {
      const read = (file: string) => reasonOf(readable(file))
      const file = yield* newFile
      fs.mkdirSync(path.dirname(path.dirname(file)), { recursive: true })
      fs.writeFileSync(path.dirname(file), "")
      assert.strictEqual(yield* read(file), "Unwritable")
      const other = yield* newFile
      yield* planted(other, "a")
      yield* tampered(other, "pragma user_version = 99")
      fs.mkdirSync(`${other}-shm`)
      assert.strictEqual(yield* read(other), "TooNew")
    }),
  )

  it.scopedLive("cannot be kept where there can be no file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.writeFileSync(path.join(folder, "file"), "")
      assert.strictEqual(yield* reasonOf(planted(path.join(folder, "file", "forest.db"), "a")), "Unwritable")
      assert.strictEqual(yield* reasonOf(planted(folder, "a")), "Unreadable")
    }),
  )
})

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

describe("A forest in a file that is removed while it is open", () => {
  /** A conversation that goes on from what an earlier run has kept, beside one that it does not touch. */
  const goingOn = <A, E, R>(
    use: (given: {
      readonly file: string
      readonly forest: Forest.Service
      readonly store: ForestStore.Service
      readonly last: NodeId
      readonly logged: ReadonlyArray<string>
    }) => Effect.Effect<A, E, R>,
  ) =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* opened(file, (forest) =>
        Effect.flatMap(forest.root({ owner: "other", systemPrompt: "" }), ({ id }) =>
          forest.append(id, [draft("private")]),
        ),
      )
      const { ids } = yield* planted(file, "a", "b")
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      const layer = Forest.layer.pipe(Layer.provideMerge(Sqlite.layer(file)), Layer.provide(Ids.layer))
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const store = yield* ForestStore.ForestStore
        yield* use({ file, forest, store, last: ids[1] ?? NodeId.make("x"), logged })
      }).pipe(Effect.provide(Layer.fresh(layer)), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      return file
    })

  it.scopedLive.each<readonly [how: string, remove: (file: string) => void]>([
    ["removed", (file) => fs.rmSync(file)],
    ["removed with its folder", (file) => fs.rmSync(path.dirname(file), { recursive: true })],
    ["moved away", (file) => fs.renameSync(file, `${file}.old`)],
  ])("is made again with the conversation that goes on, and says so: %s", ([, remove]) =>
    Effect.gen(function* () {
      const file = yield* goingOn(({ file, forest, last, logged, store }) =>
        Effect.gen(function* () {
          const [third] = yield* forest.append(last, [draft("c")])
          remove(file)
          assert.lengthOf((yield* forest.path(third?.id ?? last)).nodes, 3)
          const [fourth] = yield* forest.append(third?.id ?? last, [draft("d")])
          assert.deepStrictEqual(logged, [
            "the conversations were removed while they were in use; this one is kept all the same",
          ])
          // What another process finds, while this one still has it open.
          assert.deepStrictEqual(yield* texts(file, fourth?.id ?? last), ["a", "b", "c", "d"])
          assert.deepStrictEqual((yield* store.verify).problems, [])
        }),
      )
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(
            (yield* forest.roots()).map(({ owner }) => owner),
            ["a"],
          )
          assert.lengthOf(yield* forest.search({ text: "d" }), 1)
          assert.deepStrictEqual(
            (yield* forest.history(9)).map(({ author }) => author),
            ["library", "recovered", "recovered"],
          )
        }),
      )
      const moved = `${file}.old`
      if (!fs.existsSync(moved)) return
      const found = yield* opened(moved, (forest) => forest.search({ text: "c" }))
      assert.deepStrictEqual(
        found.map(({ message }) => Message.text(message)),
        ["c"],
      )
    }),
  )

  it.scopedLive("goes on in the forest that has taken its place, with what that has", () =>
    Effect.gen(function* () {
      const file = yield* goingOn(({ file, forest, last, logged }) =>
        Effect.gen(function* () {
          const other = yield* newFile
          fs.mkdirSync(path.dirname(other))
          // As it was a moment ago.
          new DatabaseSync(file).exec(`vacuum into '${other}'`)
          yield* opened(other, (forest) =>
            Effect.flatMap(forest.root({ owner: "third", systemPrompt: "" }), ({ id }) =>
              forest.append(id, [draft("theirs")]),
            ),
          )
          yield* forest.append(last, [draft("c")])
          for (const end of ["-wal", "-shm"]) fs.rmSync(`${file}${end}`)
          fs.renameSync(other, file)
          yield* forest.edit(last, "b, otherwise")
          assert.lengthOf(logged, 1)
          assert.include(logged[0] ?? "", "replaced")
        }),
      )
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const roots = yield* forest.roots()
          const all = yield* Effect.forEach(roots, ({ id }) => forest.subtree(id))
          assert.deepStrictEqual(
            all.map((nodes) => nodes.map(({ message }) => Message.text(message))),
            [["private"], ["a", "b", "c", ", otherwise"], ["theirs"]],
          )
          assert.deepStrictEqual((yield* verified(Sqlite.layer(file))).problems, [])
        }),
      )
    }),
  )

  it.scopedLive("fails each time while no new file can be made, and continues once it can", () =>
    goingOn(({ file, forest, last, logged }) =>
      Effect.gen(function* () {
        fs.rmSync(path.dirname(file), { recursive: true })
        fs.writeFileSync(path.dirname(file), "")
        for (const _ of [1, 2]) {
          const error = yield* Effect.flip(forest.append(last, [draft("c")]))
          assert.strictEqual(
            error.message,
            `the conversation cannot be saved: ${file} was removed while it was in use, and cannot be made again: ${file}: cannot be written`,
          )
        }
        assert.lengthOf((yield* forest.path(last)).nodes, 2)
        assert.deepStrictEqual(logged, [])
        fs.rmSync(path.dirname(file))
        const [third] = yield* forest.append(last, [draft("c")])
        assert.deepStrictEqual(yield* texts(file, third?.id ?? last), ["a", "b", "c"])
      }),
    ),
  )

  it.scopedLive("stays removed where nothing more is said", () =>
    Effect.gen(function* () {
      const file = yield* goingOn(({ file, forest, last }) =>
        Effect.gen(function* () {
          yield* forest.operation(forest.append(last, [draft("c")]).pipe(Effect.tap(() => fs.rmSync(file))))
          assert.lengthOf((yield* forest.path(last)).nodes, 2)
        }),
      )
      assert.isFalse(fs.existsSync(file))
    }),
  )
})

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

  it.scopedLive("becomes one of this format though thousands of rows have to be gone through", () =>
    Effect.gen(function* () {
      const file = yield* old
      yield* tampered(
        file,
        `with recursive n (i) as (select 10 union all select i + 1 from n where i < 3500)
         insert into node select i, 'x' || i, case when i % 2 = 0 then 1 else i - 1 end, 1, null, 'user', 'text ' || i, 0,
           'user', null, null, i, null, 0 from n;
         insert into journal (root, operation, at, changes) values ('root', 'append', 1, '10 3500')`,
      )
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const [root] = yield* forest.roots()
          assert.lengthOf(yield* forest.subtree(root?.id ?? more), 5 + 3491)
          const { nodes } = yield* forest.path(NodeId.make("x3499"))
          assert.deepStrictEqual(
            nodes.map(({ message }) => Message.text(message)),
            ["text 3498", "text 3499"],
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

/** A process that appends, and the ids that it prints. */
const writer = (file: string, name: string, times: number) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    const child = spawn(process.execPath, [
      "--disable-warning=ExperimentalWarning",
      path.join(import.meta.dirname, "Sqlite.writer.ts"),
      file,
      name,
      String(times),
    ])
    let said = ""
    let wrong = ""
    child.stdout.on("data", (chunk) => {
      said += chunk
    })
    child.stderr.on("data", (chunk) => {
      wrong += chunk
    })
    child.on("close", () =>
      resume(
        wrong === "" ? Effect.succeed(said.split("\n").slice(0, -1)) : Effect.dieMessage(`the writer failed: ${wrong}`),
      ),
    )
  })

describe("A forest in a file, with several processes", () => {
  it.scopedLive(
    "loses nothing of what two write at once, and makes one tree of the one that both want",
    () =>
      Effect.gen(function* () {
        const file = yield* newFile
        const said = yield* Effect.all([writer(file, "one", 120), writer(file, "two", 120)], {
          concurrency: "unbounded",
        })
        yield* opened(file, (forest) =>
          Effect.gen(function* () {
            const roots = yield* forest.roots()
            assert.lengthOf(roots, 1)
            const nodes = new Set((yield* forest.subtree(roots[0]?.id ?? NodeId.make("x"))).map(({ id }): string => id))
            for (const id of said.flat()) assert.isTrue(nodes.has(id))
          }),
        )
      }),
    240_000,
  )

  it.scopedLive("sees what another has changed", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const { ids } = yield* planted(file, "a", "b")
      const [a = NodeId.make("x"), b = NodeId.make("x")] = ids
      yield* opened(file, (mine) =>
        opened(file, (theirs) =>
          Effect.gen(function* () {
            const read = Effect.map(mine.path(b), ({ nodes }) => nodes.map(({ message }) => Message.text(message)))
            assert.deepStrictEqual(yield* read, ["a", "b"])
            yield* theirs.edit(b, "c")
            assert.deepStrictEqual(yield* read, ["a", "c"])
            yield* theirs.remove(a, "reparent")
            assert.deepStrictEqual(yield* read, ["c"])
            yield* theirs.undo()
            assert.deepStrictEqual(yield* read, ["a", "c"])
            yield* theirs.remove(a, "cascade")
            assert.strictEqual(yield* reasonOf(mine.path(b)), "NotFound")
          }),
        ),
      )
    }),
  )
})
