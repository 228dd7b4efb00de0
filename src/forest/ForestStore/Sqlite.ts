/** Keeps a forest in one SQLite file: durable, for several processes at once, quick at any size. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type DiskError, unwritten } from "../../disk/DiskError.ts"
import * as Folder from "../../disk/Folder.ts"
import * as Sqlite from "../../disk/Sqlite.ts"
import { ForestError, Full, type Reason, TooNew, Unreadable, Unwritable } from "../ForestError.ts"
import * as ForestStore from "../ForestStore.ts"
import { verify } from "../internal/verify.ts"
import * as Kept from "./internal/kept.ts"
import { rows } from "./internal/rows.ts"
import * as Said from "./internal/said.ts"
import { format } from "./internal/schema.ts"

/** The forest in `file`, made where there is none, for its owner's eyes alone. */
export const layer = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  Layer.scoped(ForestStore.ForestStore, kept(file))

/** The same; but where there is a forest that cannot be written it is read all the same, and only writing fails. */
export const layerReadable = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  Layer.scoped(
    ForestStore.ForestStore,
    Effect.catchIf(
      kept(file),
      ({ reason }) => reason._tag === "Unwritable" && fs.existsSync(file),
      (unwritable) => legible(file, unwritable),
    ),
  )

const kept = (file: string): Effect.Effect<ForestStore.Service, ForestError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Sqlite.attempt(file, () => furnish(file))
    const database = yield* Sqlite.open(file, format)
    yield* Sqlite.attempt(file, () => {
      // What is acknowledged outlives a power cut: words that were typed cannot be made again.
      database.exec("pragma synchronous = full")
      database.exec("pragma foreign_keys = on")
    })
    return make(file, database)
  }).pipe(Effect.mapError(toForestError))

/** Whoever writes is told what stands in the way. */
const legible = (file: string, unwritable: ForestError): Effect.Effect<ForestStore.Service, ForestError, Scope.Scope> =>
  Sqlite.openToRead(file, format).pipe(
    Effect.map((database) => ({ ...make(file, database), write: () => unwritable, mend: unwritable })),
    Effect.mapError(toForestError),
  )

const make = (file: string, database: Sqlite.Database): ForestStore.Service => {
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
  const read = <A>(body: () => A): Effect.Effect<A, ForestError> =>
    Effect.mapError(
      step((all) => Sqlite.snapshot(database, all), body),
      toForestError,
    )
  const write = <A>(body: () => A): Effect.Effect<A, ForestError> =>
    Effect.mapError(Sqlite.patient(step((all) => Sqlite.transaction(database, all), body)), toForestError)
  return ForestStore.ForestStore.of({
    read: (body) => read(() => body(known)),
    write: (body) => write(() => body(known)),
    verify: read(() => {
      const wrong = Kept.faults(database)
      if (!wrong.every(({ isMendable }) => isMendable)) {
        return { roots: 0, nodes: 0, bookmarks: 0, entries: 0, problems: wrong, notes: [] }
      }
      const verification = verify(Kept.kept(sql, wrong.length === 0))
      return { ...verification, problems: [...wrong, ...verification.problems] }
    }),
    mend: write(() => Said.renew(sql)),
  })
}

/** A file that nobody else can read, before there is anything in it. */
const furnish = (file: string): void => {
  try {
    Folder.make(path.dirname(file), 0o700)
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
