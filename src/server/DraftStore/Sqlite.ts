/** Drafts in a database beside the forest, or in memory. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type DiskError, toWriteError } from "../../disk/DiskError.ts"
import * as Folder from "../../disk/Folder.ts"
import * as Sqlite from "../../disk/Sqlite.ts"
import { NodeId } from "../../message/NodeId.ts"
import * as DraftStore from "../DraftStore.ts"

const format: Sqlite.Format = {
  tables: ["draft", "leaf", "waiting", "request"],
  version: 1,
  upgrade: (database) =>
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
    `),
}

/** A request that is sent again comes within a day. */
const REQUEST_TTL_MS = 24 * 60 * 60 * 1000

/** In `file`, made where there is none, readable for its owner alone. */
export const layer = (file: string): Layer.Layer<DraftStore.DraftStore, DiskError> =>
  Layer.scoped(
    DraftStore.DraftStore,
    Effect.gen(function* () {
      const place = path.resolve(file)
      yield* Sqlite.requireFiles(place)
      yield* Sqlite.attempt(place, () => createFile(place))
      const database = yield* Sqlite.open(place, format)
      // What was acknowledged survives a power cut.
      yield* Sqlite.attempt(place, () => database.exec("pragma synchronous = full"))
      return make(place, database)
    }),
  )

/** Ends with the layer. */
export const layerMemory: Layer.Layer<DraftStore.DraftStore> = Layer.scoped(
  DraftStore.DraftStore,
  Sqlite.open(Sqlite.MEMORY, format).pipe(
    Effect.map((database) => make(Sqlite.MEMORY, database)),
    Effect.orDie,
  ),
)

const make = (file: string, database: Sqlite.Database): DraftStore.Service => {
  const sql = Sqlite.statements(database)
  const read = <A>(body: () => A) => Sqlite.retryWhileBusy(Sqlite.attempt(file, body))
  const write = <A>(body: () => A) =>
    Sqlite.retryWhileBusy(
      Sqlite.attempt(file, () => {
        requireFile(file)
        return Sqlite.transaction(database, body)
      }),
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
    waiting: (root) =>
      read(() =>
        sql("select id, text, parent from waiting where root = ? order by number")
          .all(root)
          .map((row) => ({
            id: String(row.id),
            text: String(row.text),
            parent: row.parent === null ? undefined : NodeId.make(String(row.parent)),
          })),
      ),
    wait: (root, { id, parent, text }) =>
      Effect.asVoid(
        write(() =>
          sql("insert into waiting (id, root, text, parent) values (?, ?, ?, ?)").run(id, root, text, parent ?? null),
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

/** A write to a file that was removed would succeed, and be lost. */
const requireFile = (file: string): void => {
  if (file === Sqlite.MEMORY) return
  try {
    fs.statSync(file)
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

/** Creates the file before SQLite does, so that only its owner can read it. */
const createFile = (file: string): void => {
  try {
    Folder.make(path.dirname(file), 0o700)
    fs.closeSync(fs.openSync(file, "a", 0o600))
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}
