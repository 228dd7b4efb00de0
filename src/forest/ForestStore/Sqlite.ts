/**
 * A forest in SQLite. It is in one file, durable, for several processes at once and fast at any size, or it is in
 * memory.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Busy, Damaged, DiskError, toWriteError } from "../../disk/DiskError.ts"
import * as FileSystem from "../../disk/FileSystem.ts"
import * as Integrity from "../../disk/Integrity.ts"
import * as Sqlite from "../../disk/Sqlite.ts"
import { ForestError, Full, type Reason, TooNew, Uncompacted, Unreadable, Unwritable } from "../ForestError.ts"
import * as ForestStore from "../ForestStore.ts"
import { verify } from "../internal/verify.ts"
import * as ConversationRows from "./internal/conversationRows.ts"
import * as FileIdentity from "./internal/fileIdentity.ts"
import * as QuickCheck from "./internal/quickCheck.ts"
import { rows } from "./internal/rows.ts"
import * as RunningOperations from "./internal/runningOperations.ts"
import { format } from "./internal/schema.ts"
import * as Seal from "./internal/seal.ts"
import * as SearchIndex from "./internal/searchIndex.ts"
import * as StoredRows from "./internal/storedRows.ts"

/**
 * Opens the forest in `file`, which is readable for its owner alone, and creates it if there is none. A damaged forest
 * is not opened.
 */
export const layer = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  at(file, (file) => openGuarded(file, QuickCheck.findDamage))

/** Does the same, but opens a forest that cannot be written for reading, so that only writes fail. */
export const layerReadable = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  at(file, (file) => openReadable(file, QuickCheck.findDamage, openGuarded))

/** Does the same, and opens a damaged forest too, for `verify`. */
export const layerUnchecked = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  at(file, (file) => openReadable(file, () => undefined, openToWrite))

/**
 * Opens a forest in memory: SQLite without a file. Each build of the layer is a new forest, which ends with the layer.
 */
export const layerMemory: Layer.Layer<ForestStore.ForestStore> = Layer.scoped(
  ForestStore.ForestStore,
  Effect.suspend(() => makeMemory),
)

/**
 * The `ForestStore.Fallback` of a program that goes on if its forest cannot be written. Each use makes a forest in
 * memory.
 */
export const layerFallback: Layer.Layer<ForestStore.Fallback> = Layer.scoped(
  ForestStore.Fallback,
  Effect.map(Effect.scope, (scope) => Effect.suspend(() => Scope.extend(makeMemory, scope))),
)

type Opened = Effect.Effect<ForestStore.Service, ForestError, Scope.Scope>

/** Opens the resolved path, since SQLite takes some names for no file: `:memory:`, `file:…?mode=memory`. */
const at = (file: string, open: (file: string) => Opened): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  Layer.scoped(
    ForestStore.ForestStore,
    Effect.suspend(() => {
      const place = path.resolve(file)
      return Effect.zipRight(Effect.mapError(Sqlite.requireFiles(place), toForestError), open(place))
    }),
  )

/** Larger forests are not inspected if they were not closed; this many bytes take a third of a second. */
const MAX_INSPECTED_BYTES = 256 * 1024 * 1024

const inspect = (file: string): Effect.Effect<void, ForestError> =>
  Effect.mapError(
    Integrity.inspect(file, { maxBytes: MAX_INSPECTED_BYTES, isDamage: (fault) => !StoredRows.isSearchFault(fault) }),
    toForestError,
  )

/** Returns the first thing that is wrong with a forest, if anything is. */
type Check = (sql: Sqlite.Statements) => string | undefined

/** Reopens the file if it is removed or replaced while it is open; see `fileIdentity`. */
const openGuarded = (file: string, check: Check): Opened =>
  FileIdentity.guardFile(file, Effect.zipRight(inspect(file), openToWrite(file, check)))

const openReadable = (file: string, check: Check, open: (file: string, check: Check) => Opened): Opened =>
  Effect.catchIf(
    open(file, check),
    ({ reason }) => (reason._tag === "Unwritable" || reason._tag === "Full") && fs.existsSync(file),
    (unwritable) => openToRead(file, check, unwritable),
  )

const openToWrite = (file: string, check: Check): Effect.Effect<FileIdentity.FileStore, ForestError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Sqlite.attempt(file, () => makeFolder(file))
    const database = yield* Sqlite.open(file, format, { mode: 0o600 })
    yield* Sqlite.attempt(file, () => {
      // A completed write survives a power cut, since text that a user has typed cannot be restored otherwise.
      database.exec("pragma synchronous = full")
      database.exec("pragma foreign_keys = on")
    })
    return yield* makeChecked(file, database, check)
  }).pipe(Effect.mapError(toForestError))

/** Opens a forest for reading. Writes fail with `unwritable`. */
const openToRead = (file: string, check: Check, unwritable: ForestError): Opened =>
  Sqlite.openToRead(file, format).pipe(
    // A forest of an earlier format is upgraded in a copy in memory.
    Effect.catchIf(
      ({ reason }) => reason._tag === "Unreadable",
      () => Sqlite.openCopy(file, format),
    ),
    Effect.flatMap((database) => makeChecked(file, database, check)),
    Effect.map((store) => ({
      ...store,
      write: () => unwritable,
      erase: () => toPurgeError(file, unwritable),
      mend: unwritable,
    })),
    Effect.mapError(toForestError),
  )

/** Says how much room a purge needs if the disk is full. Its log may become as long as the forest. */
const toPurgeError = (file: string, error: ForestError): ForestError => {
  if (error.reason._tag !== "Full") return error
  const room = (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) + LOG_INDEX_BYTES
  return new ForestError({ reason: new Full({ cause: error.reason.cause, purge: { path: file, room } }) })
}

/** SQLite makes the index of a write-ahead log in pieces of this size, and one is enough for 16 MB. */
const LOG_INDEX_BYTES = 32_768

/** Opens a forest in memory. It does not fail, since it uses no disk. */
const makeMemory: Effect.Effect<ForestStore.Service, never, Scope.Scope> = Sqlite.open(Sqlite.MEMORY, format).pipe(
  Effect.map((database) => {
    database.exec("pragma foreign_keys = on")
    return make(Sqlite.MEMORY, database)
  }),
  Effect.orDie,
)

const makeChecked = (file: string, database: Sqlite.Database, check: Check) =>
  Sqlite.attempt(file, () => {
    const flaw = check(Sqlite.statements(database))
    if (flaw !== undefined) throw new DiskError({ path: file, reason: new Damaged({ cause: flaw }) })
    return make(file, database)
  })

const make = (file: string, database: Sqlite.Database): FileIdentity.FileStore => {
  const sql = Sqlite.statements(database)
  const nodes = rows(sql)
  const isOpen = Sqlite.requireOpen(database, file === Sqlite.MEMORY ? "the forest in memory" : `the forest in ${file}`)

  /** Runs `body` in the transaction `within`. */
  const step = <A>(within: (body: () => A) => A, body: () => A): Effect.Effect<A, DiskError | ForestError> => {
    const all = () => {
      nodes.beginStep()
      const result = body()
      nodes.endStep()
      return result
    }
    return Effect.flatMap(isOpen, (): Effect.Effect<A, DiskError | ForestError> => {
      try {
        return Effect.succeed(within(all))
      } catch (cause) {
        nodes.clear()
        return cause instanceof ForestError ? Effect.fail(cause) : Sqlite.toFailure(file, cause)
      }
    })
  }
  const read = <A>(body: () => A): Effect.Effect<A, ForestError> =>
    Effect.mapError(
      step((all) => Sqlite.snapshot(database, all), body),
      toForestError,
    )
  const write = <A>(body: () => A): Effect.Effect<A, ForestError> =>
    Effect.mapError(Sqlite.retryWhileBusy(step((all) => Sqlite.transaction(database, all), body)), toForestError)
  const pragmas = (text: string) => Effect.sync(() => database.exec(text))

  /** Gives the room of the write-ahead log back as far as possible: other processes may be reading from it. */
  const shortenLog = Effect.ignore(Sqlite.attempt(file, () => database.exec("pragma wal_checkpoint(truncate)")))

  /** Erases with few pages in the log; `compacted` removes the bytes of deleted rows afterwards. */
  const eraseInLittleRoom = <A>(body: () => A): Effect.Effect<A, ForestError> =>
    pragmas("pragma secure_delete = off").pipe(
      Effect.zipRight(shortenLog),
      Effect.zipRight(write(body)),
      Effect.mapError((error) => toPurgeError(file, error)),
    )

  /**
   * Rewrites the file without the bytes of deleted rows, and empties the write-ahead log. It also shortens the log
   * before each step, to save room.
   */
  const compacted = Effect.forEach(
    [() => SearchIndex.compact(sql), () => database.exec("vacuum"), () => emptyLog(file, database)],
    (step) => Effect.zipRight(shortenLog, Sqlite.retryWhileBusy(Sqlite.attempt(file, step))),
    { discard: true },
  ).pipe(Effect.mapError((cause) => new ForestError({ reason: new Uncompacted({ cause }) })))
  const verified: ForestStore.Service["verify"] = Effect.gen(function* () {
    yield* isOpen
    // This runs outside a transaction, since none can be committed if a page is lost.
    const wrong = yield* Effect.mapError(
      Sqlite.attempt(file, () => StoredRows.findFaults(database)),
      toForestError,
    )
    if (!wrong.every(({ isMendable }) => isMendable)) {
      return { roots: 0, nodes: 0, bookmarks: 0, entries: 0, problems: wrong, notes: [] }
    }
    const verification = yield* read(() => verify(StoredRows.readAll(sql, wrong.length === 0)))
    return { ...verification, problems: [...wrong, ...verification.problems] }
  })
  return {
    read: (body) => read(() => body(nodes)),
    write: (body) => write(() => body(nodes)),
    erase: (body) =>
      Effect.acquireUseRelease(
        pragmas("pragma secure_delete = on; pragma foreign_keys = off"),
        () =>
          write(() => body(nodes)).pipe(
            Effect.catchIf(
              ({ reason }) => reason._tag === "Full",
              () => eraseInLittleRoom(() => body(nodes)),
            ),
            Effect.tap(compacted),
          ),
        () => pragmas("pragma secure_delete = off; pragma foreign_keys = on"),
      ),
    verify: verified,
    endOperation: (operationId) => Effect.ignore(write(() => RunningOperations.end(sql, operationId))),
    mend: write(() => {
      Seal.repair(sql)
      ConversationRows.rebuild(sql)
      SearchIndex.rebuild(sql)
    }),
    settle: Effect.ignore(Sqlite.attempt(file, () => database.exec("pragma wal_checkpoint(truncate)"))),
  }
}

/** Empties the write-ahead log. Throws `Busy` while another process reads from it. */
const emptyLog = (file: string, database: Sqlite.Database): void => {
  const log = database.prepare("pragma wal_checkpoint(truncate)").get()
  if (log?.busy !== 0) throw new DiskError({ path: file, reason: new Busy({}) })
}

const makeFolder = (file: string): void => {
  try {
    FileSystem.makeFolder(path.dirname(file), 0o700)
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

const toForestError = (error: DiskError | ForestError): ForestError =>
  error._tag === "ForestError" ? error : new ForestError({ reason: toReason(error) })

const toReason = (error: DiskError): Reason => {
  switch (error.reason._tag) {
    case "TooNew":
      return new TooNew({ version: error.reason.version })
    case "Full":
      return new Full({ cause: error })
    case "Busy":
    case "Unwritable":
      return new Unwritable({ cause: error })
    default:
      return new Unreadable({ cause: error })
  }
}
