/**
 * SQLite databases of node:sqlite that several processes may have open at once.
 *
 * Code that uses a database is synchronous and is passed to `attempt`. No other fiber of this process can run between
 * two statements, so a connection that fibers share needs no further lock. Only `transactionInSteps` lets other fibers
 * run between its steps, and needs `exclusively`.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import type { DatabaseSync, SQLOutputValue, StatementResultingChanges, StatementSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { type Mutex, makeMutex } from "../base/mutex.ts"
import * as AtomicFile from "./AtomicFile.ts"
import { Damaged, DiskError, Emptied, toWriteError, Unreadable } from "./DiskError.ts"
import * as Connection from "./internal/connection.ts"
import * as Fault from "./internal/fault.ts"
import * as Formats from "./internal/format.ts"
import { prepare as prepareStatement } from "./internal/prepare.ts"
import * as SideFiles from "./internal/sideFiles.ts"

export type Database = DatabaseSync

/** The result of a statement that writes. */
export type Result = StatementResultingChanges

/** A row of a result, by the names of its columns. */
export type Row = Readonly<Record<string, SQLOutputValue>>

/** The schema of a database, with the number that SQLite stores as `user_version`. */
export type Format = Formats.Format

/** The name of a database in memory. Opening it makes a new database each time. */
export const MEMORY = ":memory:"

/**
 * Opens the database in `file` (or in `MEMORY`), creates it if there is none, and closes it with the scope. Fails with
 * `TooNew` for a later format, with `Foreign` for a database of another program, with `Altered` if another program has
 * changed its schema, and with `Emptied` for a file of no bytes. A refused database is left unchanged. A rollback
 * journal beside it is renamed, with a warning. A database that is created gets the permissions `mode`.
 */
export const open = (
  file: string,
  format: Format,
  { mode }: { readonly mode?: number | undefined } = {},
): Effect.Effect<Database, DiskError, Scope.Scope> => {
  if (file === MEMORY) return closeWithScope(attempt(file, () => openInMemory(format)))
  return Effect.zipRight(
    attempt(file, () => (fs.existsSync(file) ? inspectBeside(file, format) : create(file, format, mode))).pipe(
      Effect.flatMap(warnOf),
    ),
    closeWithScope(attempt(file, () => prepare(Connection.connect(file), file, format))),
  )
}

/**
 * Opens a copy in memory of the database in `file`, as of the last commit. The copy ends with the scope. Neither the
 * file nor its folder need be writable, and both stay as they are. Fails with `Unreadable` if there is no file. A
 * database of 50 MB takes 70 ms.
 */
export const openCopy = (file: string, format: Format): Effect.Effect<Database, DiskError, Scope.Scope> =>
  Effect.zipRight(
    prepareToRead(file, format),
    closeWithScope(asReadError(attempt(file, () => prepare(copy(file, format), file, format)))),
  )

/**
 * Opens the database in `file` for reading alone. Neither the file nor its folder need be writable, and both stay as
 * they are. A database of an earlier format is upgraded in a copy in memory; see `openCopy`. Fails with `Unreadable` if
 * there is no file.
 */
export const openToRead = (file: string, format: Format): Effect.Effect<Database, DiskError, Scope.Scope> =>
  Effect.zipRight(
    prepareToRead(file, format),
    closeWithScope(
      asReadError(
        Effect.catchIf(
          attempt(
            file,
            () => ofThisFormat(openOriginal(file), file, format) ?? prepare(copy(file, format), file, format),
          ),
          ({ reason }) => reason._tag === "Full" && isLogEmpty(file),
          (full) =>
            Effect.flatMap(
              attempt(file, () => ofThisFormat(Connection.connectImmutable(file), file, format)),
              (database) => (database === undefined ? full : Effect.succeed(database)),
            ),
        ),
      ),
    ),
  )

/** Fails with `NotAFile` if the database, or a file beside it, is no regular file, so that opening it could wait. */
export const requireFiles = (file: string): Effect.Effect<void, DiskError> =>
  attempt(file, () => Connection.requireFiles(file))

/**
 * Keeps other connections from reserving the database in `file`, and from writing to it, until the scope closes. Writes
 * nothing, and makes no database. Fails with `Busy` if another connection has reserved it.
 */
export const reserve = (file: string): Effect.Effect<void, DiskError, Scope.Scope> =>
  Effect.zipRight(
    Effect.flatMap(
      attempt(file, () => SideFiles.setAsideJournal(file)),
      warnOf,
    ),
    Effect.asVoid(
      closeWithScope(attempt(file, () => reserveNow(Connection.connect(file, { timeout: RESERVE_TIMEOUT_MS })))),
    ),
  )

/**
 * Runs code on a database, or on files beside it, as one uninterrupted step. A thrown `DiskError` becomes the failure,
 * a row that does not decode becomes `Damaged`, and an error that is not the disk's becomes a defect.
 */
export const attempt = <A>(path: string, body: () => A): Effect.Effect<A, DiskError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(body())
    } catch (cause) {
      return toFailure(path, cause)
    }
  })

/** Returns the failure or defect that `attempt` makes of a thrown value, for callers that catch it themselves. */
export const toFailure = (path: string, cause: unknown): Effect.Effect<never, DiskError> => {
  if (cause instanceof DiskError) return Effect.fail(cause)
  const reason = Fault.toReason(cause)
  return reason === undefined ? Effect.die(cause) : Effect.fail(new DiskError({ path, reason }))
}

/**
 * Dies if the scope of the database has ended, since using it then is a mistake of the program. `what` names the
 * database in the message.
 */
export const requireOpen = (database: Database, what: string): Effect.Effect<void> =>
  Effect.suspend(() =>
    // Some runtimes do not have `isOpen`.
    database.isOpen === false
      ? Effect.dieMessage(`${what} is closed: the scope in which it was opened has ended`)
      : Effect.void,
  )

/**
 * Retries while another process has the database locked, for at most ten seconds: a lost write has cost money. It can
 * be interrupted between attempts, each of which blocks for at most `STATEMENT_TIMEOUT_MS`.
 */
export const retryWhileBusy = <A, E>(operation: Effect.Effect<A, DiskError | E>): Effect.Effect<A, DiskError | E> =>
  // The first attempt is made without a schedule, since it nearly always succeeds.
  Effect.catchIf(operation, isBusy, () =>
    operation.pipe(
      Effect.retry({
        while: isBusy,
        schedule: Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurUpTo("10 seconds")),
      }),
      Effect.delay("20 millis"),
    ),
  )

/** Commits what `body` writes, or rolls back if it throws. No other connection writes meanwhile. */
export const transaction = <A>(database: Database, body: () => A): A =>
  runTransaction("begin immediate", database, body)

/** Work on a database that pauses each time it yields. */
export type Steps<A> = Generator<void, A, void>

/**
 * Runs a transaction like `transaction`, with pauses in which other fibers run. An interrupt rolls back. No other fiber
 * may use the connection meanwhile; see `exclusively`.
 */
export const transactionInSteps = <A>(
  path: string,
  database: Database,
  body: () => Steps<A>,
): Effect.Effect<A, DiskError> =>
  Effect.uninterruptibleMask((restore) => {
    const sql = statements(database)
    return attempt(path, () => {
      sql("begin immediate").run()
      return body()
    }).pipe(
      Effect.flatMap((steps) => restore(runSteps(path, steps))),
      Effect.zipLeft(attempt(path, () => sql("commit").run())),
      // A full disk rolls back by itself.
      Effect.ensuring(Effect.sync(() => database.isTransaction && database.exec("rollback"))),
    )
  })

const runSteps = <A>(path: string, steps: Steps<A>): Effect.Effect<A, DiskError> =>
  Effect.flatMap(
    attempt(path, () => steps.next()),
    ({ done, value }) => (done === true ? Effect.succeed(value) : Effect.zipRight(pause, runSteps(path, steps))),
  )

/** Runs `body` for each element, with a pause after every `many`. */
export function* inSteps<A>(all: Iterable<A>, many: number, body: (each: A) => void): Steps<void> {
  let left = many
  for (const each of all) {
    body(each)
    if (--left > 0) continue
    yield
    left = many
  }
}

/** Yields to every other fiber that is ready. */
const pause = Effect.yieldNow({ priority: 1 })

/** Lets one fiber at a time use a connection, for connections with transactions in steps. */
export const exclusively =
  (database: Database) =>
  <A, E, R>(use: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const exclusively = mutexes.get(database) ?? makeMutex()
    mutexes.set(database, exclusively)
    return exclusively(use)
  }

const mutexes = new WeakMap<Database, Mutex>()

/** Runs `body` on one snapshot of the database, whatever other connections write meanwhile. */
export const snapshot = <A>(database: Database, body: () => A): A => runTransaction("begin", database, body)

/** The statements of a database by their text, each prepared once. */
export type Statements = (text: string) => StatementSync

export const statements = (database: Database): Statements => {
  const known = statementsOf.get(database)
  if (known !== undefined) return known
  const statements = prepareOnce(database)
  statementsOf.set(database, statements)
  return statements
}

/**
 * Returns the rows of a query as arrays in the order of the columns. This is for queries with many rows, since making
 * an object of each row takes as long as reading it.
 */
export const selectArrays = (
  sql: Statements,
  query: string,
  ...parameters: ReadonlyArray<string | number>
): ReadonlyArray<ReadonlyArray<unknown>> => {
  const statement = sql(query)
  statement.setReturnArrays(true)
  const rows: ReadonlyArray<unknown> = statement.all(...parameters)
  return rows.filter(Array.isArray)
}

/** A statement blocks this process for at most this long while another process has the database locked. */
const STATEMENT_TIMEOUT_MS = 200

/** The timeout of a reservation: longer than a connection holds one that it makes only for `Lock.assertFree`. */
const RESERVE_TIMEOUT_MS = 50

/** The time between two attempts if SQLite itself does not wait. */
const RETRY_INTERVAL_MS = 20

/** Returns whether another connection has the database locked. */
export const isBusy = (error: unknown): boolean => error instanceof DiskError && error.reason._tag === "Busy"

const statementsOf = new WeakMap<Database, Statements>()

const prepareOnce = (database: Database): Statements => {
  const prepared = new Map<string, StatementSync>()
  return (text) => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const statement = prepareStatement(database, text)
    // A write to a full-text table can return a row id beyond 2^53, which Node 26 refuses to convert to a number.
    if (!/^\s*(select|with|pragma)\b|\breturning\b/i.test(text)) statement.setReadBigInts(true)
    prepared.set(text, statement)
    return statement
  }
}

const closeWithScope = <E>(opened: Effect.Effect<Database, E>): Effect.Effect<Database, E, Scope.Scope> =>
  Effect.acquireRelease(opened, (database) => Effect.sync(() => database.close()))

/**
 * Turns `Unwritable` into `Unreadable` for a database that is only read: SQLite reports `Unwritable` if it cannot open
 * it.
 */
const asReadError = <A>(opened: Effect.Effect<A, DiskError>): Effect.Effect<A, DiskError> =>
  Effect.mapError(opened, (error) =>
    error.reason._tag === "Unwritable"
      ? new DiskError({ path: error.path, reason: new Unreadable({ cause: error.reason.cause }) })
      : error,
  )

const reserveNow = (database: Database): Database => {
  try {
    // This keeps the rollback journal off the disk.
    database.exec("pragma journal_mode = memory")
    database.exec("begin immediate")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

let copies = 0

const copy = (file: string, format: Format): Database => {
  // All connections of this process to that address share one database, until the last one closes.
  const address = `file:/copy-${copies++}?vfs=memdb`
  const database = Connection.connect(address)
  try {
    const source = openOriginal(file)
    try {
      Formats.inspect(source, file, format)
      source.exec(`vacuum into '${address}'`)
    } finally {
      source.close()
    }
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** The bytes of a new database in memory, by its format. */
const templates = new WeakMap<Format, Uint8Array>()

/**
 * Opens a database in memory. Executing the schema of a format takes up to 2 ms, and copying the bytes of a database
 * that has it takes 0.1 ms. Node can copy them from 24.16 on.
 */
const openInMemory = (format: Format): Database => {
  const database = Connection.connect(MEMORY)
  if (typeof database.deserialize !== "function") return prepare(database, MEMORY, format)
  const template = templates.get(format)
  if (template === undefined) {
    const first = prepare(database, MEMORY, format)
    templates.set(format, first.serialize())
    return first
  }
  database.deserialize(template)
  return database
}

/**
 * Opens the database for reading. SQLite would make a write-ahead log to read a database that has none, unless it is
 * `immutable`.
 */
const openOriginal = (file: string): Database =>
  fs.existsSync(`${file}-wal`) ? Connection.connect(file, { readOnly: true }) : Connection.connectImmutable(file)

/** On a full disk SQLite leaves an empty log behind, and no process that has the database open can write to it. */
const isLogEmpty = (file: string): boolean => fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size === 0

/** Returns the database if it has this format. Closes it and returns undefined if its format is an earlier one. */
const ofThisFormat = (database: Database, file: string, format: Format): Database | undefined => {
  try {
    if (Formats.inspect(database, file, format) === format.version) return database
    database.close()
    return undefined
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** The smallest page of SQLite. A database has at least one. */
const MIN_BYTES = 512

/**
 * Throws for a file that is too small for a database, and renames a rollback journal beside a database of this format.
 */
const inspectBeside = (file: string, format: Format): ReadonlyArray<SideFiles.SetAside> => {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (stats?.isFile() === true && stats.size < MIN_BYTES) {
    // SQLite takes a file of one byte for a new database, too.
    const reason = stats.size === 0 ? new Emptied() : new Damaged({ cause: `it has only ${stats.size} bytes` })
    throw new DiskError({ path: file, reason })
  }
  if (SideFiles.findJournal(file) === undefined) return []
  // The journal beside another program's database belongs to that program, and stays in place.
  const database = Connection.connectImmutable(file)
  try {
    Formats.inspect(database, file, format)
  } finally {
    database.close()
  }
  return SideFiles.setAsideJournal(file)
}

const prepareToRead = (file: string, format: Format): Effect.Effect<void, DiskError> =>
  Effect.flatMap(asReadError(attempt(file, () => inspectBeside(file, format))), warnOf)

/**
 * Creates a database beside its place and then gives it its name, so that no other process finds it empty, or with the
 * rollback journal of its first transaction.
 */
const create = (file: string, format: Format, mode: number | undefined): ReadonlyArray<SideFiles.SetAside> => {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
      // This is a link that leads nowhere; its target is created.
      fs.closeSync(fs.openSync(file, "a", mode))
      return []
    }
    AtomicFile.removeLeftovers(file)
    removeAll(temporary)
    const descriptor = fs.openSync(temporary, "wx", mode)
    try {
      // It has no name yet, so a crash of the machine loses nothing. It is synced once, not with each of its writes.
      prepare(Connection.connect(temporary), temporary, format, "off").close()
      fs.fsyncSync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
    const moved = SideFiles.setAsideLeftovers(file)
    publish(temporary, file)
    return moved
  } catch (cause) {
    throw cause instanceof DiskError || Fault.toReason(cause) !== undefined ? cause : toWriteError(file, cause)
  } finally {
    removeAll(temporary)
  }
}

/** Gives a new database its name. If another process has made the database meanwhile, that one stays. */
const publish = (temporary: string, file: string): void => {
  try {
    fs.linkSync(temporary, file)
  } catch {
    if (fs.existsSync(file)) return
    // Some file systems have no links.
    fs.renameSync(temporary, file)
  }
}

/** Removes a database with the files beside it. A file that cannot be removed is removed the next time. */
const removeAll = (file: string): void => {
  for (const side of ["", "-journal", "-wal", "-shm"]) {
    try {
      fs.rmSync(file + side, { force: true })
    } catch {}
  }
}

const warnOf = (moved: ReadonlyArray<SideFiles.SetAside>): Effect.Effect<void> =>
  Effect.forEach(
    moved,
    ({ file, to }) =>
      Effect.annotateLogs(
        Effect.logWarning(`this file is not of the database beside it and was renamed to ${path.basename(to)}`),
        {
          path: file,
        },
      ),
    { discard: true },
  )

/**
 * Inspects and upgrades a database, and closes it if that fails. By default a commit survives the end of the process,
 * though not a power cut.
 */
const prepare = (
  database: Database,
  file: string,
  format: Format,
  synchronous: "normal" | "off" = "normal",
): Database => {
  try {
    const version = Formats.inspect(database, file, format)
    database.exec(`pragma synchronous = ${synchronous}`)
    // Readers and a writer do not block each other.
    blockWhileBusy(() => database.exec("pragma journal_mode = wal"))
    if (version < format.version) transaction(database, () => Formats.upgrade(database, format))
    database.exec(`pragma busy_timeout = ${STATEMENT_TIMEOUT_MS}`)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

const runTransaction = <A>(begin: string, database: Database, body: () => A): A => {
  const sql = statements(database)
  sql(begin).run()
  try {
    const result = body()
    sql("commit").run()
    return result
  } catch (cause) {
    // A full disk rolls back by itself.
    if (database.isTransaction) database.exec("rollback")
    throw cause
  }
}

/**
 * Retries `body` while the database is locked. The switch to a write-ahead log fails at once, whatever the timeout,
 * while another process makes the same switch.
 */
const blockWhileBusy = <A>(body: () => A): A => {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let left = Connection.OPEN_TIMEOUT_MS / RETRY_INTERVAL_MS; ; left--) {
    try {
      return body()
    } catch (cause) {
      if (left === 0 || !Fault.isBusy(cause)) throw cause
      Atomics.wait(pause, 0, 0, RETRY_INTERVAL_MS)
    }
  }
}
