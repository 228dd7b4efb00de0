/**
 * Keeps an index in two parts: what language models wrote, as lines of text in `.vibe/purposes.jsonl`, and what can be
 * made again, as a SQLite database in `.vibe/index.db`.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { FileError } from "../../code/FileError.ts"
import * as Symbols from "../../code/Symbols.ts"
import type { Workspace } from "../../code/Workspace.ts"
import type { DiskError } from "../../disk/DiskError.ts"
import type { Statements } from "../../disk/Sqlite.ts"
import {
  AtWork,
  Full,
  IndexError,
  NotAFile,
  NotIndexed,
  type Reason,
  Removed,
  TooNew,
  Unreadable,
  Unwritable,
} from "../IndexError.ts"
import * as IndexStore from "../IndexStore.ts"
import * as Facts from "./internal/Facts.ts"
import * as FullText from "./internal/FullText.ts"
import * as Ledger from "./internal/Ledger.ts"
import * as Lookup from "./internal/Lookup.ts"
import * as Place from "./internal/Place.ts"
import * as Refresh from "./internal/Refresh.ts"
import * as Tables from "./internal/Tables.ts"

/** `borrowed`: where to read from when `placeOf` cannot be written. */
const make = Effect.fnUntraced(function* (
  placeOf: (root: string) => Place.Place,
  borrowed: (root: string) => Place.Place = placeOf,
) {
  const symbols = yield* Symbols.Symbols

  const connect = Effect.fnUntraced(function* (workspace: Workspace, place: Place.Place, options: Refresh.Options) {
    const tables = yield* Tables.open(place)
    const recorded = yield* Ref.make<ReadonlyArray<IndexStore.NewPurpose>>([])
    const purposes = settle(place, tables)
    const refresh = Effect.zipRight(purposes, Refresh.refresh(workspace, symbols, tables, options))
    const mending = yield* Effect.makeSemaphore(1)

    /** What was recorded here is recorded again: the journal may be gone as well, and what no model wrote was nowhere else. */
    const renew = Effect.zipRight(
      tables.renew,
      Effect.flatMap(Ref.get(recorded), (purposes) => tables.write((sql) => Ledger.record(place, sql, purposes))),
    )

    /** Where the database turns out to be damaged or gone, `mend` makes it anew, and what failed is tried once more. */
    const mended = <A, E extends DiskError | FileError>(
      operation: Effect.Effect<A, E>,
      mend: Effect.Effect<unknown, DiskError | FileError>,
    ): Effect.Effect<A, DiskError | FileError> => {
      const again = Effect.catchIf(operation, Tables.isLost, () => Effect.zipRight(mend, operation))
      // Whoever had to wait may find that it is mended.
      return Effect.catchIf(operation, Tables.isLost, () => mending.withPermits(1)(again))
    }
    const sound = <A>(operation: Effect.Effect<A, DiskError>): Effect.Effect<A, IndexError> =>
      Effect.mapError(mended(operation, Effect.zipRight(renew, refresh)), toIndexError)
    const answer = <A>(body: (sql: Statements) => A) => sound(tables.read(body))

    yield* mended(purposes, renew)
    yield* Effect.addFinalizer(() =>
      // What is left in the journal is not lost: whoever opens next finds it there.
      Effect.catchAllCause(mended(purposes, renew), (cause) =>
        Effect.annotateLogs(Effect.logWarning("purposes.jsonl could not be brought up to date"), {
          reason: Cause.prettyErrors(cause)
            .map(({ message }) => message)
            .join("; "),
        }),
      ),
    )

    const index: IndexStore.Index = {
      refresh: mended(refresh, renew).pipe(
        Effect.mapError((error) => (error._tag === "FileError" ? error : toIndexError(error))),
        Effect.withSpan("Index.refresh"),
      ),
      files: answer(Lookup.files),
      filesIn: (path) => answer((sql) => Lookup.filesIn(sql, path)),
      symbolsIn: (path) => answer((sql) => Lookup.symbolsIn(sql, path)),
      find: (symbol, path) => answer((sql) => Lookup.find(sql, symbol, path)),
      nearest: (symbol, options) => answer((sql) => Lookup.nearest(sql, symbol, options)),
      references: (name) => answer((sql) => Lookup.references(sql, name)),
      landmarks: (limit) => answer((sql) => Lookup.landmarks(sql, limit)),
      record: (purposes) =>
        Effect.zipLeft(
          sound(tables.write((sql) => Ledger.record(place, sql, purposes))),
          Ref.update(recorded, (recorded) => [...recorded, ...purposes]),
        ),
      kept: Effect.mapError(
        mended(
          tables.read(() => {}),
          renew,
        ),
        toIndexError,
      ),
      search: (text, limit) => answer((sql) => FullText.search(sql, text, limit)),
      status: Effect.zipWith(answer(Lookup.status), place.bytes, (status, bytesOnDisk) => ({ ...status, bytesOnDisk })),
    }
    return { index, structure: answer((sql) => Facts.get(sql, "structure")) }
  }, Effect.mapError(toIndexError))

  const claim: IndexStore.Service["claim"] = Effect.fn("IndexStore.claim")((workspace) =>
    Effect.mapError(placeOf(workspace.root).claim, toClaimError),
  )

  const open: IndexStore.Service["open"] = Effect.fn("IndexStore.open")((workspace) =>
    Effect.map(connect(workspace, placeOf(workspace.root), { retriesCut: true }), ({ index }) => index),
  )

  const openExisting: IndexStore.Service["openExisting"] = Effect.fn("IndexStore.openExisting")(function* (workspace) {
    const place = placeOf(workspace.root)
    if (!(yield* place.isUsed)) return yield* new IndexError({ path: workspace.root, reason: new NotIndexed() })

    const read = Effect.fnUntraced(function* (from: Place.Place) {
      const { index, structure } = yield* connect(workspace, from, { retriesCut: false })
      const alone = Effect.mapError(place.unclaimed, toClaimError)
      const refresh = Effect.flatMap(structure, (known) =>
        known === "complete" ? index.refresh : Effect.zipRight(alone, index.refresh),
      )
      const outdated = yield* Effect.catchAll(Effect.as(refresh, undefined), (error) =>
        error._tag === "IndexError" && isUnwritable(error) ? Effect.fail(error) : Effect.succeed(error),
      )
      return { index: { ...index, refresh }, outdated }
    })
    return yield* Effect.catchIf(read(place), isUnwritable, () => read(borrowed(workspace.root)))
  })

  return IndexStore.IndexStore.of({ claim, open, openExisting })
})

/** Under the root of the workspace. A folder where only `purposes.jsonl` is, a fresh clone, has an index all the same. */
export const layer: Layer.Layer<IndexStore.IndexStore, never, Symbols.Symbols> = Layer.effect(
  IndexStore.IndexStore,
  make(Place.onDisk, Place.borrowed),
)

/** Kept as long as the layer; touches no disk. */
export const layerMemory: Layer.Layer<IndexStore.IndexStore, never, Symbols.Symbols> = Layer.scoped(
  IndexStore.IndexStore,
  Effect.flatMap(Place.inMemory, (placeOf) => make(placeOf)),
)

/** What a language model wrote: from the journal into the text, from the text into the tables. */
const settle = Effect.fnUntraced(function* (place: Place.Place, tables: Tables.Tables) {
  if (yield* tables.read((sql) => Ledger.isSettled(place, sql))) return
  const unread = yield* tables.write((sql) => Ledger.settle(place, sql))
  if (unread > 0) {
    yield* Effect.logWarning("purposes.jsonl has lines that are no purposes; they are kept at its end").pipe(
      Effect.annotateLogs({ path: place.path, lines: unread }),
    )
  }
})

const isUnwritable = ({ reason }: IndexError): boolean => reason._tag === "Unwritable" || reason._tag === "Full"

/** Only a claim is busy for as long as another has it. */
const toClaimError = (error: DiskError): IndexError =>
  error.reason._tag === "Busy"
    ? new IndexError({ path: error.path, reason: new AtWork({ process: error.reason.process }) })
    : toIndexError(error)

const toIndexError = (error: DiskError | FileError | IndexError): IndexError =>
  error._tag === "IndexError" ? error : new IndexError({ path: error.path, reason: toReason(error) })

const toReason = (error: DiskError | FileError): Reason => {
  switch (error.reason._tag) {
    case "TooNew":
      return new TooNew({ version: error.reason.version })
    case "Busy":
    case "Unwritable":
      return new Unwritable({ cause: error })
    case "Full":
      return new Full({ cause: error })
    case "NotAFile":
      return new NotAFile()
    case "Removed":
      return new Removed()
    default:
      return new Unreadable({ cause: error })
  }
}
