/** Keeps a forest in one SQLite file: durable, for several processes at once, quick at any size. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Busy, Damaged, DiskError, toWriteError } from "../../disk/DiskError.ts"
import * as Folder from "../../disk/Folder.ts"
import * as Integrity from "../../disk/Integrity.ts"
import * as Sqlite from "../../disk/Sqlite.ts"
import { ForestError, Full, type Reason, TooNew, Uncompacted, Unreadable, Unwritable } from "../ForestError.ts"
import * as ForestStore from "../ForestStore.ts"
import { verify } from "../internal/verify.ts"
import * as InPlace from "./internal/inPlace.ts"
import * as Kept from "./internal/kept.ts"
import { rows } from "./internal/rows.ts"
import * as Running from "./internal/running.ts"
import * as Said from "./internal/said.ts"
import { format } from "./internal/schema.ts"
import * as Seal from "./internal/seal.ts"
import * as Sound from "./internal/sound.ts"

/** The forest in `file`, made where there is none, for its owner's eyes alone. One that is damaged is not opened. */
export const layer = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  at(file, (file) => guarded(file, Sound.flaw))

/** The same; but where there is a forest that cannot be written it is read all the same, and only writing fails. */
export const layerReadable = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  at(file, (file) => readable(file, Sound.flaw, guarded))

/** The same, though it be damaged: for `verify`, which tells what is wrong. */
export const layerUnchecked = (file: string): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  at(file, (file) => readable(file, () => undefined, kept))

/**
 * A forest in memory, which ends with the layer: SQLite without a file. Each time that the layer is built is another
 * forest. node:sqlite is loaded with the first.
 */
export const layerMemory: Layer.Layer<ForestStore.ForestStore> = Layer.scoped(
  ForestStore.ForestStore,
  Effect.suspend(() => makeMemory),
)

export const layerFallback: Layer.Layer<ForestStore.Fallback> = Layer.scoped(
  ForestStore.Fallback,
  Effect.map(Effect.scope, (scope) => Effect.suspend(() => Scope.extend(makeMemory, scope))),
)

type Opened = Effect.Effect<ForestStore.Service, ForestError, Scope.Scope>

/** A name alone may be no file to SQLite: `:memory:`, `file:…?mode=memory`. */
const at = (file: string, open: (file: string) => Opened): Layer.Layer<ForestStore.ForestStore, ForestError> =>
  Layer.scoped(
    ForestStore.ForestStore,
    Effect.suspend(() => {
      const place = path.resolve(file)
      return Effect.zipRight(Effect.mapError(Sqlite.requireFiles(place), toForestError), open(place))
    }),
  )

/** Bytes up to which a forest is looked through after it was not closed: a third of a second. Else `verify` does it. */
const MOST = 256 * 1024 * 1024

const inspected = (file: string): Effect.Effect<void, ForestError> =>
  Effect.mapError(Integrity.inspect(file, { most: MOST, isDamage: (fault) => !Kept.isOfSearch(fault) }), toForestError)

/** Tells what is wrong with a forest, if anything is. */
type Check = (sql: Sqlite.Statements) => string | undefined

/** Where the file is removed while it is open, it is made again: see `inPlace`. */
const guarded = (file: string, check: Check): Opened =>
  InPlace.guarded(file, Effect.zipRight(inspected(file), kept(file, check)))

const readable = (file: string, check: Check, open: (file: string, check: Check) => Opened): Opened =>
  Effect.catchIf(
    open(file, check),
    ({ reason }) => reason._tag === "Unwritable" && fs.existsSync(file),
    (unwritable) => legible(file, check, unwritable),
  )

const kept = (file: string, check: Check): Effect.Effect<InPlace.Stored, ForestError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Sqlite.attempt(file, () => furnish(file))
    const database = yield* Sqlite.open(file, format)
    yield* Sqlite.attempt(file, () => {
      // What is acknowledged outlives a power cut: words that were typed cannot be made again.
      database.exec("pragma synchronous = full")
      database.exec("pragma foreign_keys = on")
    })
    return yield* checked(file, database, check)
  }).pipe(Effect.mapError(toForestError))

/** Whoever writes is told what stands in the way. */
const legible = (file: string, check: Check, unwritable: ForestError): Opened =>
  Sqlite.openToRead(file, format).pipe(
    // One of an earlier format is brought to this one in memory.
    Effect.catchIf(
      ({ reason }) => reason._tag === "Unreadable",
      () => Sqlite.openCopy(file, format),
    ),
    Effect.flatMap((database) => checked(file, database, check)),
    Effect.map((store) => ({ ...store, write: () => unwritable, erase: () => unwritable, mend: unwritable })),
    Effect.mapError(toForestError),
  )

/** No disk can fail it. */
const makeMemory: Effect.Effect<ForestStore.Service, never, Scope.Scope> = Sqlite.open(Sqlite.MEMORY, format).pipe(
  Effect.map((database) => {
    database.exec("pragma foreign_keys = on")
    return make(Sqlite.MEMORY, database)
  }),
  Effect.orDie,
)

const checked = (file: string, database: Sqlite.Database, check: Check) =>
  Sqlite.attempt(file, () => {
    const flaw = check(Sqlite.statements(database))
    if (flaw !== undefined) throw new DiskError({ path: file, reason: new Damaged({ cause: flaw }) })
    return make(file, database)
  })

const make = (file: string, database: Sqlite.Database): InPlace.Stored => {
  const sql = Sqlite.statements(database)
  const known = rows(sql)

  /** `between`: from the beginning of the step to its end, or its failure. */
  const step = <A>(between: (body: () => A) => A, body: () => A): Effect.Effect<A, DiskError | ForestError> => {
    const all = () => {
      known.begin()
      return body()
    }
    return Effect.suspend((): Effect.Effect<A, DiskError | ForestError> => {
      try {
        return Effect.succeed(between(all))
      } catch (cause) {
        known.forget()
        return cause instanceof ForestError ? Effect.fail(cause) : Sqlite.failed(file, cause)
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

  /** Writes all that is there to a file of its size, and nothing else, and empties the log: each waits for others. */
  const compacted = Effect.forEach(
    [() => Said.compact(sql), () => database.exec("vacuum"), () => emptyLog(file, database)],
    (step) => Sqlite.retryWhileBusy(Sqlite.attempt(file, step)),
    { discard: true },
  ).pipe(Effect.mapError((cause) => new ForestError({ reason: new Uncompacted({ cause }) })))
  const verified: ForestStore.Service["verify"] = Effect.gen(function* () {
    // In no snapshot: where a page is lost, none comes to a good end.
    const wrong = yield* Effect.mapError(
      Sqlite.attempt(file, () => Kept.faults(database)),
      toForestError,
    )
    if (!wrong.every(({ isMendable }) => isMendable)) {
      return { roots: 0, nodes: 0, bookmarks: 0, entries: 0, problems: wrong, notes: [] }
    }
    const verification = yield* read(() => verify(Kept.kept(sql, wrong.length === 0)))
    return { ...verification, problems: [...wrong, ...verification.problems] }
  })
  return {
    read: (body) => read(() => body(known)),
    write: (body) => write(() => body(known)),
    erase: (body) =>
      Effect.acquireUseRelease(
        pragmas("pragma secure_delete = on; pragma foreign_keys = off"),
        () =>
          Effect.tap(
            write(() => body(known)),
            compacted,
          ),
        () => pragmas("pragma secure_delete = off; pragma foreign_keys = on"),
      ),
    verify: verified,
    endOperation: (operationId) => Effect.ignore(write(() => Running.end(sql, operationId))),
    mend: write(() => {
      Seal.mend(sql)
      Said.renew(sql)
    }),
    settle: Effect.ignore(Sqlite.attempt(file, () => database.exec("pragma wal_checkpoint(truncate)"))),
  }
}

/** Throws where another process still reads what is in it. */
const emptyLog = (file: string, database: Sqlite.Database): void => {
  const log = database.prepare("pragma wal_checkpoint(truncate)").get()
  if (log?.busy !== 0) throw new DiskError({ path: file, reason: new Busy({}) })
}

/** A file that nobody else can read, before there is anything in it. */
const furnish = (file: string): void => {
  try {
    Folder.make(path.dirname(file), 0o700)
    fs.closeSync(fs.openSync(file, "a", 0o600))
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
