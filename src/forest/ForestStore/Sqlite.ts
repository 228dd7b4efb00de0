/** Keeps a forest in one SQLite file: durable, for several processes at once, quick at any size. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type DiskError, unwritten } from "../../disk/DiskError.ts"
import * as Sqlite from "../../disk/Sqlite.ts"
import { ForestError, Full, type Reason, TooNew, Unreadable, Unwritable } from "../ForestError.ts"
import * as ForestStore from "../ForestStore.ts"
import { verify } from "../internal/verify.ts"
import { faults, kept } from "./internal/kept.ts"
import { rows } from "./internal/rows.ts"
import { format } from "./internal/schema.ts"

/** The forest in `file`, made where there is none, for its owner's eyes alone. */
export const layer = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  Layer.scoped(ForestStore.ForestStore, make(file))

const make = (file: string): Effect.Effect<ForestStore.Service, ForestError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Sqlite.attempt(file, () => furnish(file))
    const database = yield* Sqlite.open(file, format)
    yield* Sqlite.attempt(file, () => {
      // What is acknowledged outlives a power cut: words that were typed cannot be made again.
      database.exec("pragma synchronous = full")
      database.exec("pragma foreign_keys = on")
    })
    const sql = Sqlite.statements(database)
    const known = rows(sql)

    /** `between`: from the beginning of the step to its end, or its failure. */
    const step = <A>(between: (body: () => A) => A, body: () => A): Effect.Effect<A, DiskError | ForestError> =>
      Effect.flatten(
        Sqlite.attempt(file, () => {
          try {
            return Effect.succeed(
              between(() => {
                known.begin()
                return body()
              }),
            )
          } catch (cause) {
            known.forget()
            if (cause instanceof ForestError) return Effect.fail(cause)
            throw cause
          }
        }),
      )
    return ForestStore.ForestStore.of({
      read: (body) =>
        Effect.mapError(
          step(
            (read) => Sqlite.snapshot(database, read),
            () => body(known),
          ),
          toForestError,
        ),
      write: (body) =>
        Effect.mapError(
          Sqlite.patient(
            step(
              (write) => Sqlite.transaction(database, write),
              () => body(known),
            ),
          ),
          toForestError,
        ),
      verify: Effect.mapError(
        step(
          (read) => Sqlite.snapshot(database, read),
          () => {
            const problems = faults(database)
            return problems.length === 0
              ? verify(kept(sql))
              : { roots: 0, nodes: 0, bookmarks: 0, entries: 0, problems, notes: [] }
          },
        ),
        toForestError,
      ),
    })
  }).pipe(Effect.mapError(toForestError))

/** A file that nobody else can read, before there is anything in it. */
const furnish = (file: string): void => {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    fs.closeSync(fs.openSync(file, "a", 0o600))
  } catch (cause) {
    throw unwritten(file, cause)
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
