/** Keeps drafts in a database beside the forest, or in memory. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { makeMutex } from "../../base/mutex.ts"
import * as AtomicFile from "../../disk/AtomicFile.ts"
import { type DiskError, toWriteError } from "../../disk/DiskError.ts"
import * as FileSystem from "../../disk/FileSystem.ts"
import { identityOf } from "../../disk/FileSystem.ts"
import * as Sqlite from "../../disk/Sqlite.ts"
import * as Block from "../../message/Block.ts"
import { NodeId } from "../../message/NodeId.ts"
import * as DraftStore from "../DraftStore.ts"

const format: Sqlite.Format = {
  tables: ["draft", "leaf", "waiting", "request", "visit"],
  version: 4,
  upgrade: (database, from) => {
    if (from === 0) {
      database.exec(`
      create table draft (
        root text primary key, text text not null, known text not null, version integer not null
      ) strict, without rowid;
      create table leaf (root text primary key, leaf text not null) strict, without rowid;
      -- in the order of their numbers
      create table waiting (
        number integer primary key autoincrement,
        id text not null unique, root text not null, text text not null, parent text
      ) strict;
      create index waiting_root on waiting (root);
      create table request (key text primary key, at integer not null, result text) strict, without rowid;
      `)
    }
    // A JSON array of names; null for a message that an earlier version has stored.
    if (from < 2) database.exec("alter table waiting add column models text")
    if (from < 3) {
      database.exec(`
      create table visit (
        session text not null, folder text not null, conversation text not null, primary key (session, folder)
      ) strict, without rowid;
      `)
    }
    // A JSON array of blocks; null for a message without pictures.
    database.exec("alter table waiting add column pictures text")
  },
}

/**
 * The data that a file is made again from. The numbers of `waiting` are left out, since another server may have given
 * them.
 */
const copied = [
  { table: "draft", columns: ["root", "text", "known", "version"] },
  { table: "leaf", columns: ["root", "leaf"] },
  { table: "waiting", columns: ["id", "root", "text", "parent", "models", "pictures"] },
  { table: "request", columns: ["key", "at", "result"] },
  { table: "visit", columns: ["session", "folder", "conversation"] },
] as const

/** The time for which a request is remembered. One that is sent again comes within a day. */
const REQUEST_TTL_MS = 24 * 60 * 60 * 1000

/**
 * Keeps drafts in `file`, which is made if it does not exist and is readable only for its owner. If it is removed or
 * replaced while it is open, it is made again, or the other one is opened, with all the data of this one: SQLite would
 * go on writing into a file without a name.
 */
export const layer = (file: string): Layer.Layer<DraftStore.DraftStore, DiskError> =>
  Layer.scoped(
    DraftStore.DraftStore,
    Effect.gen(function* () {
      const place = path.resolve(file)
      yield* Sqlite.requireFiles(place)
      const connections = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
      const connect = Effect.gen(function* () {
        yield* Sqlite.attempt(place, () => makeFolder(place))
        const scope = yield* Scope.fork(connections, ExecutionStrategy.sequential)
        const database = yield* Scope.extend(Sqlite.open(place, format, { mode: 0o600 }), scope)
        // Acknowledged data survives a power cut.
        yield* Sqlite.attempt(place, () => database.exec("pragma synchronous = full"))
        return { database, scope, identity: identityOf(place) }
      })
      let current = yield* connect
      const isInPlace = () => identityOf(place) === current.identity

      const renew = Effect.gen(function* () {
        const last = current
        const rows = yield* Sqlite.attempt(place, () => readAll(last.database))
        yield* Sqlite.attempt(place, () => removeLeftovers(place))
        const next = yield* connect
        yield* Sqlite.attempt(place, () => Sqlite.transaction(next.database, () => insertAll(next.database, rows)))
        current = next
        yield* Scope.close(last.scope, Exit.void)
        yield* Effect.annotateLogs(
          Effect.logWarning("the texts of pages were removed while they were in use; they are kept all the same"),
          { path: place },
        )
      })
      const exclusively = makeMutex()
      const placed = Effect.suspend(() =>
        isInPlace()
          ? Effect.void
          : exclusively(Effect.uninterruptible(Effect.suspend(() => (isInPlace() ? Effect.void : renew)))),
      )
      return make(place, () => current.database, placed)
    }),
  )

/** Keeps drafts in memory. They are lost when the layer ends. */
export const layerMemory: Layer.Layer<DraftStore.DraftStore> = Layer.scoped(
  DraftStore.DraftStore,
  Sqlite.open(Sqlite.MEMORY, format).pipe(
    Effect.map((database) => make(Sqlite.MEMORY, () => database, Effect.void)),
    Effect.orDie,
  ),
)

/** Makes the service. `placed` is run before each write. */
const make = (
  file: string,
  database: () => Sqlite.Database,
  placed: Effect.Effect<void, DiskError>,
): DraftStore.Service => {
  const sql: Sqlite.Statements = (text) => Sqlite.statements(database())(text)
  const read = <A>(body: () => A) => Sqlite.retryWhileBusy(Sqlite.attempt(file, body))
  const write = <A>(body: () => A) =>
    Sqlite.retryWhileBusy(
      Effect.zipRight(
        placed,
        Sqlite.attempt(file, () => Sqlite.transaction(database(), body)),
      ),
    )

  return DraftStore.DraftStore.of({
    draft: (root) =>
      read(() => {
        const row = sql("select text, known, version from draft where root = ?").get(root)
        return row === undefined
          ? Option.none()
          : Option.some({ text: String(row.text), known: String(row.known), version: Number(row.version) })
      }),
    save: (root, { known, text, version }, over) =>
      write(() => {
        const row = sql("select version from draft where root = ?").get(root)
        if (Number(row?.version ?? 0) !== over) return false
        sql(
          `insert into draft (root, text, known, version) values (?, ?, ?, ?)
           on conflict do update set text = excluded.text, known = excluded.known, version = excluded.version`,
        ).run(root, text, known, version)
        return true
      }),
    leaf: (root) =>
      read(() => {
        const row = sql("select leaf from leaf where root = ?").get(root)
        return row === undefined ? Option.none() : Option.some(NodeId.make(String(row.leaf)))
      }),
    leave: (root, leaf) =>
      Effect.asVoid(
        write(() =>
          sql("insert into leaf (root, leaf) values (?, ?) on conflict do update set leaf = excluded.leaf").run(
            root,
            leaf,
          ),
        ),
      ),
    visited: (session, folder) =>
      read(() => {
        const row = sql("select conversation from visit where session = ? and folder = ?").get(session, folder)
        return row === undefined ? Option.none() : Option.some(NodeId.make(String(row.conversation)))
      }),
    visit: (session, folder, conversation) =>
      Effect.asVoid(
        write(() =>
          sql(
            `insert into visit (session, folder, conversation) values (?, ?, ?)
             on conflict do update set conversation = excluded.conversation`,
          ).run(session, folder, conversation),
        ),
      ),
    waiting: (root) =>
      read(() =>
        sql("select id, text, parent, models, pictures from waiting where root = ? order by number")
          .all(root)
          .map((row) => ({
            id: String(row.id),
            text: String(row.text),
            parent: row.parent === null ? undefined : NodeId.make(String(row.parent)),
            models: row.models === null ? [] : decodeNames(String(row.models)),
            ...(row.pictures !== null && { pictures: decodePictures(String(row.pictures)) }),
          })),
      ),
    wait: (root, { id, models, parent, pictures = [], text }) =>
      Effect.asVoid(
        write(() =>
          sql("insert into waiting (id, root, text, parent, models, pictures) values (?, ?, ?, ?, ?, ?)").run(
            id,
            root,
            text,
            parent ?? null,
            JSON.stringify(models),
            pictures.length === 0 ? null : JSON.stringify(pictures),
          ),
        ),
      ),
    unwait: (root, id) =>
      Effect.map(
        write(() => sql("delete from waiting where root = ? and id = ?").run(root, id)),
        ({ changes }) => Number(changes) > 0,
      ),
    begin: (key, at) =>
      write(() => {
        const row = sql("select at, result from request where key = ?").get(key)
        if (row !== undefined) {
          return Option.some({
            at: Number(row.at),
            result: row.result === null ? undefined : String(row.result),
          })
        }
        sql("delete from request where at < ?").run(at - REQUEST_TTL_MS)
        sql("insert into request (key, at) values (?, ?)").run(key, at)
        return Option.none()
      }),
    finish: (key, result) =>
      Effect.asVoid(write(() => sql("update request set result = ? where key = ?").run(result, key))),
  })
}

const decodeNames = Schema.decodeSync(Schema.parseJson(Schema.Array(Schema.String)))
const decodePictures = Schema.decodeSync(Schema.parseJson(Schema.Array(Block.Image)))

type Values = ReadonlyArray<ReadonlyArray<Sqlite.Row[string]>>

/** Reads the rows of each table of `copied`. */
const readAll = (database: Sqlite.Database): ReadonlyArray<Values> =>
  copied.map(({ columns, table }) => {
    const order = table === "waiting" ? "number" : columns[0]
    const rows = Sqlite.statements(database)(`select ${columns.join(", ")} from ${table} order by ${order}`).all()
    return rows.map((row) => columns.map((column) => row[column] ?? null))
  })

/** Inserts rows, and keeps those that another server has stored there meanwhile. */
const insertAll = (database: Sqlite.Database, all: ReadonlyArray<Values>): void =>
  copied.forEach(({ columns, table }, index) => {
    const sql = `insert or ignore into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`
    for (const row of all[index] ?? []) Sqlite.statements(database)(sql).run(...row)
  })

/** Removes the files that SQLite left beside a removed file: they must not be taken for those of the new one. */
const removeLeftovers = (file: string): void => {
  if (fs.existsSync(file)) return
  for (const left of [`${file}-wal`, `${file}-shm`]) if (fs.existsSync(left)) AtomicFile.remove(left)
}

const makeFolder = (file: string): void => {
  try {
    FileSystem.makeFolder(path.dirname(file), 0o700)
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}
