/** The open database of an index, which can be made again while it is open. */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { openOnce } from "../../../base/mutex.ts"
import type { FileError } from "../../../code/FileError.ts"
import { DiskError, Removed } from "../../../disk/DiskError.ts"
import * as Sqlite from "../../../disk/Sqlite.ts"
import type { IndexLocation } from "./IndexLocation.ts"

export interface IndexDatabase {
  /**
   * Runs `body` as one uninterrupted step, on a snapshot. Fails with `Removed` if the file is no longer at its path.
   * With `readsDuringWrites`, a `read` during a `write` does not wait for its end, and sees the state before it.
   */
  readonly read: <A>(body: (sql: Sqlite.Statements) => A) => Effect.Effect<A, DiskError>
  /**
   * Runs `body` in a transaction. Other fibers run between its steps, and an interrupt there rolls back; their `read`
   * and `write` wait until the end.
   */
  readonly write: <A>(body: (sql: Sqlite.Statements) => Sqlite.Steps<A>) => Effect.Effect<A, DiskError>
  /**
   * Like `write`, for what can be made again: does nothing while this or another process
   * writes, so that nothing waits for it.
   */
  readonly writeIfIdle: (body: (sql: Sqlite.Statements) => Sqlite.Steps<void>) => Effect.Effect<void, DiskError>
  /** Quarantines the database, if it is still at its path, and opens an empty one. */
  readonly recreate: Effect.Effect<void, DiskError>
  /**
   * Returns free pages to the file system if they are more than a quarter of the database. Writes the database anew in
   * one uninterrupted step, about 7 ms of processor time for each MB that stays; readers see the old one until its end.
   * Does nothing if another process is writing.
   */
  readonly shrink: Effect.Effect<void>
}

/** The least number of pages, each of 4 kB: a smaller database is not worth shrinking. */
const MIN_PAGES_TO_SHRINK = 256

interface Connection {
  readonly scope: Scope.CloseableScope
  readonly database: Sqlite.Database
  readonly sql: Sqlite.Statements
  /** A second connection to the same database, opened when it is first needed; undefined for a database in memory. */
  readonly reader: Effect.Effect<Sqlite.Database | undefined, DiskError>
}

export interface Options {
  readonly readsDuringWrites?: boolean | undefined
}

/** Opens the database. If it is too damaged to be opened, it is made again at once. */
export const open = (
  location: IndexLocation,
  { readsDuringWrites = false }: Options = {},
): Effect.Effect<IndexDatabase, DiskError, Scope.Scope> =>
  Effect.gen(function* () {
    // All connections share one scope, which is closed as late as the first would be, so that finalizers added later
    // still have a database.
    const connections = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)

    const connect = Effect.gen(function* () {
      const scope = yield* Scope.fork(connections, ExecutionStrategy.sequential)
      const database = yield* Scope.extend(location.database, scope)
      const reader = yield* Scope.extend(openOnce(location.reader ?? Effect.succeed(undefined)), scope)
      return { scope, database, sql: Sqlite.statements(database), reader }
    })
    const removed = new DiskError({ path: location.path, reason: new Removed() })
    const openAgain = Effect.suspend(() => {
      const what = location.isSameFile() ? "damaged" : "removed"
      const warning = Effect.logWarning(`the index was ${what} and is made again`)
      return location.quarantine.pipe(
        Effect.zipRight(connect),
        Effect.zipLeft(Effect.annotateLogs(warning, { path: location.path })),
      )
    })
    /** Undefined while the database is made again. */
    let current: Connection | undefined = yield* Effect.catchIf(connect, isLost, () => openAgain)

    const requireOpen = (database: Sqlite.Database) => Sqlite.requireOpen(database, `the index in ${location.path}`)

    /** SQLite would go on with a file that was removed. */
    const requireSameFile = () => {
      if (!location.isSameFile()) throw removed
    }
    const use = <A>(body: (connection: Connection) => Effect.Effect<A, DiskError>) =>
      Effect.suspend(() => {
        const connection = current
        if (connection === undefined) return removed
        const isStillIt = Sqlite.attempt(location.path, () => {
          requireSameFile()
          return connection === current
        })
        return requireOpen(connection.database).pipe(
          Effect.zipRight(Effect.if(isStillIt, { onTrue: () => body(connection), onFalse: () => removed })),
          Sqlite.exclusively(connection.database),
        )
      })
    const readFrom = <A>(database: Sqlite.Database, body: (sql: Sqlite.Statements) => A) =>
      Sqlite.attempt(location.path, () => {
        requireSameFile()
        return Sqlite.snapshot(database, () => body(Sqlite.statements(database)))
      })

    let isWriting = false
    const writing = <A, E>(transaction: Effect.Effect<A, E>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          isWriting = true
        }),
        () => transaction,
        () =>
          Effect.sync(() => {
            isWriting = false
          }),
      )
    const writeOnce = <A>(body: (sql: Sqlite.Statements) => Sqlite.Steps<A>) =>
      use(({ database, sql }) => writing(Sqlite.transactionInSteps(location.path, database, () => body(sql))))

    return {
      // Only a transaction in steps has to be waited for, or read beside: a read is one step.
      read: (body) =>
        Effect.suspend(() => {
          if (current === undefined) return removed
          const { database, reader } = current
          if (!isWriting) return Effect.zipRight(requireOpen(database), readFrom(database, body))
          const waitAndRead = use(({ database }) => readFrom(database, body))
          return readsDuringWrites
            ? Effect.flatMap(reader, (reader) => (reader === undefined ? waitAndRead : readFrom(reader, body)))
            : waitAndRead
        }),
      write: (body) => Sqlite.retryWhileBusy(writeOnce(body)),
      writeIfIdle: (body) =>
        Effect.suspend(() =>
          isWriting ? Effect.void : Effect.catchIf(writeOnce(body), Sqlite.isBusy, () => Effect.void),
        ),
      shrink: Effect.ignoreLogged(
        use(({ database, sql }) =>
          Sqlite.attempt(location.path, () => {
            const pages = Number(sql("pragma page_count").get()?.page_count)
            const free = Number(sql("pragma freelist_count").get()?.freelist_count)
            if (pages >= MIN_PAGES_TO_SHRINK && free * 4 > pages) database.exec("vacuum")
          }),
        ),
      ),
      recreate: Effect.suspend(() => {
        const connection = current
        current = undefined
        // The old one is closed first: SQLite removes the write-ahead log of a database that it closes, by name.
        return connection === undefined
          ? Effect.void
          : Sqlite.exclusively(connection.database)(Scope.close(connection.scope, Exit.void))
      }).pipe(
        Effect.zipRight(openAgain),
        Effect.flatMap((renewed) =>
          Effect.sync(() => {
            current = renewed
          }),
        ),
        Effect.uninterruptible,
      ),
    }
  })

/** Returns whether `recreate` would help. */
export const isLost = ({ reason }: DiskError | FileError): boolean =>
  reason._tag === "Damaged" ||
  reason._tag === "Emptied" ||
  reason._tag === "Foreign" ||
  reason._tag === "Altered" ||
  reason._tag === "Removed"
