/** The tables of an open index, which can be made anew while it is open. */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import type { FileError } from "../../../code/FileError.ts"
import type { DiskError } from "../../../disk/DiskError.ts"
import * as Sqlite from "../../../disk/Sqlite.ts"
import type { Place } from "./Place.ts"

export interface Tables {
  /** Runs `body` as one uninterrupted step, on one state of the tables. */
  readonly read: <A>(body: (sql: Sqlite.Statements) => A) => Effect.Effect<A, DiskError>
  /** The same in a transaction: all that it writes is kept, or nothing. */
  readonly write: <A>(body: (sql: Sqlite.Statements) => A) => Effect.Effect<A, DiskError>
  /** Puts the database out of the way and begins an empty one: what was in it is derived. */
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
    const outer = yield* Effect.scope

    const connect = Effect.gen(function* () {
      const scope = yield* Scope.fork(outer, ExecutionStrategy.sequential)
      const database = yield* Scope.extend(place.database, scope)
      return { scope, database, sql: Sqlite.statements(database) }
    })
    const giveUp = Effect.zipRight(
      place.setAside,
      Effect.logWarning("the index was damaged and is made again").pipe(Effect.annotateLogs({ path: place.path })),
    )
    const current = yield* connect.pipe(
      Effect.catchIf(isDamaged, () => Effect.zipRight(giveUp, connect)),
      Effect.flatMap(Ref.make),
    )

    const use = <A>(body: (connection: Connection) => A) =>
      Effect.flatMap(Ref.get(current), (connection) => Sqlite.attempt(place.path, () => body(connection)))
    return {
      read: (body) => use(({ database, sql }) => Sqlite.snapshot(database, () => body(sql))),
      write: (body) => use(({ database, sql }) => Sqlite.transaction(database, () => body(sql))),
      renew: Ref.get(current).pipe(
        // Before the new one is made: SQLite removes the logs of what it closes, by name.
        Effect.flatMap(({ scope }) => Scope.close(scope, Exit.void)),
        Effect.zipRight(giveUp),
        Effect.zipRight(connect),
        Effect.flatMap((renewed) => Ref.set(current, renewed)),
        Effect.uninterruptible,
      ),
    }
  })

/** Whether `renew` would help. */
export const isDamaged = (error: DiskError | FileError): boolean =>
  error._tag === "DiskError" && error.reason._tag === "Damaged"
