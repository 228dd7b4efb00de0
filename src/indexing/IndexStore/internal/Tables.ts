/** The tables of an open index, which can be made anew while it is open. */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import type { FileError } from "../../../code/FileError.ts"
import { DiskError, Removed } from "../../../disk/DiskError.ts"
import * as Sqlite from "../../../disk/Sqlite.ts"
import type { Place } from "./Place.ts"

export interface Tables {
  /** Runs `body` as one uninterrupted step, on one state of the tables. Fails with `Removed` where they are no more. */
  readonly read: <A>(body: (sql: Sqlite.Statements) => A) => Effect.Effect<A, DiskError>
  /**
   * In a transaction: all that it writes is kept, or nothing. Between the steps of `body` other fibers run, and an
   * interrupt takes all of it back; `read` and `write` of others wait until its end.
   */
  readonly write: <A>(body: (sql: Sqlite.Statements) => Sqlite.Steps<A>) => Effect.Effect<A, DiskError>
  /** Puts the database out of the way, where it is still there, and begins an empty one: what was in it is derived. */
  readonly renew: Effect.Effect<void, DiskError>
}

interface Connection {
  readonly scope: Scope.CloseableScope
  readonly database: Sqlite.Database
  readonly sql: Sqlite.Statements
}

/** A database that cannot even be opened for being damaged is renewed at once. */
export const open = (place: Place): Effect.Effect<Tables, DiskError, Scope.Scope> =>
  Effect.gen(function* () {
    // Of all connections, so that the last one is still there when what was added later than the first one ends.
    const connections = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)

    const connect = Effect.gen(function* () {
      const scope = yield* Scope.fork(connections, ExecutionStrategy.sequential)
      const database = yield* Scope.extend(place.database, scope)
      return { scope, database, sql: Sqlite.statements(database) }
    })
    const gone = new DiskError({ path: place.path, reason: new Removed() })
    const anew = Effect.suspend(() => {
      const happened = place.isInPlace() ? "damaged" : "removed"
      const warning = Effect.logWarning(`the index was ${happened} and is made again`)
      return place.setAside.pipe(
        Effect.zipRight(connect),
        Effect.zipLeft(Effect.annotateLogs(warning, { path: place.path })),
      )
    })
    const current = yield* connect.pipe(
      Effect.catchIf(isLost, () => anew),
      Effect.flatMap((connection) => Ref.make<Connection | undefined>(connection)),
    )

    const use = <A>(body: (connection: Connection) => Effect.Effect<A, DiskError>) =>
      Effect.flatMap(Ref.get(current), (connection) => {
        if (connection === undefined) return gone
        const isUsable = Effect.zipWith(
          Ref.get(current),
          Sqlite.attempt(place.path, place.isInPlace),
          (now, isInPlace) => now === connection && isInPlace,
        )
        // SQLite itself would go on writing into files that nobody will ever find again.
        return Sqlite.exclusively(connection.database)(
          Effect.if(isUsable, { onTrue: () => body(connection), onFalse: () => gone }),
        )
      })
    return {
      read: (body) =>
        use(({ database, sql }) => Sqlite.attempt(place.path, () => Sqlite.snapshot(database, () => body(sql)))),
      write: (body) =>
        Sqlite.retryWhileBusy(
          use(({ database, sql }) => Sqlite.transactionInSteps(place.path, database, () => body(sql))),
        ),
      renew: Ref.getAndSet(current, undefined).pipe(
        // Before the new one is made: SQLite removes the logs of what it closes, by name.
        Effect.flatMap((connection) =>
          connection === undefined
            ? Effect.void
            : Sqlite.exclusively(connection.database)(Scope.close(connection.scope, Exit.void)),
        ),
        Effect.zipRight(anew),
        Effect.flatMap((renewed) => Ref.set(current, renewed)),
        Effect.uninterruptible,
      ),
    }
  })

/** Whether `renew` would help. */
export const isLost = ({ reason }: DiskError | FileError): boolean =>
  reason._tag === "Damaged" || reason._tag === "Foreign" || reason._tag === "Altered" || reason._tag === "Removed"
