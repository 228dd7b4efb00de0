/**
 * Keeps an index in two parts: what language models wrote, as lines of text in `.vibe/purposes.jsonl`, and what can be
 * made again, as a SQLite database in `.vibe/index.db`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { FileError } from "../../code/FileError.ts"
import * as Symbols from "../../code/Symbols.ts"
import type { Workspace } from "../../code/Workspace.ts"
import type { DiskError } from "../../disk/DiskError.ts"
import type { Statements } from "../../disk/Sqlite.ts"
import { IndexError, NotIndexed, type Reason, TooNew, Unreadable, Unwritable } from "../IndexError.ts"
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

  const connect = Effect.fnUntraced(function* (workspace: Workspace, place: Place.Place) {
    const tables = yield* Tables.open(place)
    const purposes = settle(place, tables)
    const refresh = Effect.zipRight(purposes, Refresh.refresh(workspace, symbols, tables))
    const mending = yield* Effect.makeSemaphore(1)

    /** Where the database turns out to be damaged, `mend` makes it anew, and what failed is tried once more. */
    const mended = <A, E extends DiskError | FileError>(
      operation: Effect.Effect<A, E>,
      mend: Effect.Effect<unknown, DiskError | FileError>,
    ): Effect.Effect<A, DiskError | FileError> => {
      const again = Effect.catchIf(operation, Tables.isDamaged, () => Effect.zipRight(mend, operation))
      // Whoever had to wait may find that it is mended.
      return Effect.catchIf(operation, Tables.isDamaged, () => mending.withPermits(1)(again))
    }
    const sound = <A>(operation: Effect.Effect<A, DiskError>): Effect.Effect<A, IndexError> =>
      Effect.mapError(mended(operation, Effect.zipRight(tables.renew, refresh)), toIndexError)
    const answer = <A>(body: (sql: Statements) => A) => sound(tables.read(body))

    yield* mended(purposes, tables.renew)
    yield* Effect.addFinalizer(() =>
      // They are not lost: whoever opens next finds them there.
      Effect.catchAllCause(purposes, (cause) => Effect.logWarning("purposes are left in the journal", cause)),
    )

    const index: IndexStore.Index = {
      refresh: mended(refresh, tables.renew).pipe(
        Effect.mapError((error) => (error._tag === "FileError" ? error : toIndexError(error))),
        Effect.withSpan("Index.refresh"),
      ),
      files: answer(Lookup.files),
      symbolsIn: (path) => answer((sql) => Lookup.symbolsIn(sql, path)),
      find: (symbol, path) => answer((sql) => Lookup.find(sql, symbol, path)),
      nearest: (symbol, options) => answer((sql) => Lookup.nearest(sql, symbol, options)),
      references: (name) => answer((sql) => Lookup.references(sql, name)),
      landmarks: (limit) => answer((sql) => Lookup.landmarks(sql, limit)),
      record: (purposes) => sound(tables.write((sql) => Ledger.record(place, sql, purposes))),
      search: (text, limit) => answer((sql) => FullText.search(sql, text, limit)),
      status: Effect.zipWith(answer(Lookup.status), place.bytes, (status, bytesOnDisk) => ({ ...status, bytesOnDisk })),
    }
    return { index, isNew: answer((sql) => Facts.get(sql, "structure") === undefined) }
  }, Effect.mapError(toIndexError))

  const open: IndexStore.Service["open"] = Effect.fn("IndexStore.open")((workspace) =>
    Effect.map(connect(workspace, placeOf(workspace.root)), ({ index }) => index),
  )

  const openExisting: IndexStore.Service["openExisting"] = Effect.fn("IndexStore.openExisting")(function* (workspace) {
    const place = placeOf(workspace.root)
    if (!(yield* place.isUsed)) return yield* new IndexError({ path: workspace.root, reason: new NotIndexed() })
    const { index, isNew } = yield* Effect.catchIf(connect(workspace, place), isUnwritable, () =>
      connect(workspace, borrowed(workspace.root)),
    )
    // Only what is committed is here, a fresh clone: what can be made again is made now.
    if (yield* isNew) yield* Effect.mapError(index.refresh, toIndexError)
    return index
  })

  return IndexStore.IndexStore.of({ open, openExisting })
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

const isUnwritable = ({ reason }: IndexError): boolean => reason._tag === "Unwritable"

const toIndexError = (error: DiskError | FileError | IndexError): IndexError =>
  error._tag === "IndexError" ? error : new IndexError({ path: error.path, reason: toReason(error) })

const toReason = (error: DiskError | FileError): Reason => {
  switch (error.reason._tag) {
    case "TooNew":
      return new TooNew({ version: error.reason.version })
    case "Busy":
    case "Unwritable":
      return new Unwritable({ cause: error })
    default:
      return new Unreadable({ cause: error })
  }
}
