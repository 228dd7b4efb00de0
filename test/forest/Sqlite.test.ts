/** What only a forest in a file can do, or suffer. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import { ForestError, Full } from "../../src/forest/ForestError.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import * as Ids from "../../src/message/Ids.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { newFile, opened, planted, reasonOf, tampered, texts, verified, whyOf } from "./forestFiles.ts"
import { draft } from "./forests.ts"

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

  it.scopedLive("says where a purge needs how much room if the disk is full, and otherwise only that it is full", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const full = () => {
        throw new ForestError({ reason: new Full({ cause: "ENOSPC" }) })
      }
      const { erased, written } = yield* Effect.flatMap(ForestStore.ForestStore, ({ erase, write }) =>
        Effect.all({ erased: Effect.flip(erase(full)), written: Effect.flip(write(full)) }),
      ).pipe(Effect.provide(Sqlite.layer(file)))
      // The log of a purge may become as long as the forest, and has an index of 32 kB.
      const kilobytes = Math.ceil((fs.statSync(file).size + 32_768) / 1000)
      assert.strictEqual(
        erased.message,
        `nothing was purged: the disk is full, and a purge writes a log beside ${file} before it gives room back; make room there (${kilobytes} kB are enough) and purge again`,
      )
      assert.strictEqual(written.message, "the conversation cannot be saved: the disk is full")
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
