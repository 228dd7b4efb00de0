/**
 * The index store. Purposes that language models wrote are lines of text in `.vibe/purposes.jsonl`; everything else can
 * be made again, and is in the SQLite database `.vibe/index.db`.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { makeMutex } from "../../base/mutex.ts"
import * as Shape from "../../base/Shape.ts"
import * as Text from "../../base/Text.ts"
import type { FileError } from "../../code/FileError.ts"
import * as Symbols from "../../code/Symbols.ts"
import type { Workspace } from "../../code/Workspace.ts"
import type { DiskError } from "../../disk/DiskError.ts"
import { attempt, type Statements } from "../../disk/Sqlite.ts"
import * as SymbolSearch from "../../search/SymbolSearch.ts"
import {
  AtWork,
  Full,
  IndexError,
  NotAFile,
  NotAFolder,
  NotIndexed,
  type Reason,
  Removed,
  TooNew,
  Unreadable,
  Unwritable,
} from "../IndexError.ts"
import * as IndexStore from "../IndexStore.ts"
import * as ProjectMap from "../ProjectMap.ts"
import * as PurposeMerge from "../PurposeMerge.ts"
import * as PurposeShards from "../PurposeShards.ts"
import * as RunProgress from "../RunProgress.ts"
import * as IndexDatabase from "./internal/IndexDatabase.ts"
import * as IndexLocation from "./internal/IndexLocation.ts"
import * as Metadata from "./internal/Metadata.ts"
import * as PurposeFiles from "./internal/purposes/PurposeFiles.ts"
import * as RankTable from "./internal/references/RankTable.ts"
import * as SymbolGraph from "./internal/references/SymbolGraph.ts"
import * as ChangedFile from "./internal/structure/ChangedFile.ts"
import * as FileTable from "./internal/structure/FileTable.ts"
import * as Queries from "./internal/structure/Queries.ts"
import * as ReferenceQueries from "./internal/structure/ReferenceQueries.ts"
import * as Refresh from "./internal/structure/Refresh.ts"
import * as RouteTable from "./internal/structure/RouteTable.ts"
import * as SearchQueries from "./internal/structure/SearchQueries.ts"

/** `readOnlyLocationOf` returns the location to read if that of `locationOf` cannot be written. */
const make = Effect.fnUntraced(function* (
  locationOf: (root: string) => IndexLocation.IndexLocation,
  readOnlyLocationOf: (root: string) => IndexLocation.IndexLocation = locationOf,
) {
  const symbols = yield* Symbols.Symbols

  const connect = Effect.fnUntraced(function* (
    workspace: Workspace,
    location: IndexLocation.IndexLocation,
    access: "explore" | "read",
  ) {
    const database = yield* IndexDatabase.open(location, { readsDuringWrites: access === "read" })
    /** Grows in place, since a run may record some hundred thousand. */
    const recorded: Array<IndexStore.NewPurpose> = []
    const recordedMap = yield* Ref.make<string | undefined>(undefined)
    /** Writes in a transaction, so that a removed folder is noticed. */
    const writeMap = (map: string) =>
      database.write(function* () {
        yield location.map.replace(`${map}\n`)
      })
    const storeSelection = database.write((sql) => Metadata.storeSelection(sql, workspace.selection))
    /** Readers see the files that the last exploration saw. */
    const selected = Effect.flatMap(database.read(Metadata.selection), (stored) =>
      stored === undefined ? Effect.as(storeSelection, workspace) : Effect.succeed(workspace.select(stored)),
    )
    const syncPurposes = syncFiles(location, database, access === "explore")
    // Commands that only read an index are not delayed by work that the next exploration can do.
    const refreshAll = (workspace: Workspace) =>
      Refresh.refresh(workspace, symbols, database, { retriesCut: access === "explore" })
    const refreshWith = (run: typeof refreshAll) =>
      access === "read"
        ? Effect.zipRight(syncPurposes, Effect.flatMap(selected, run))
        : syncPurposes.pipe(
            Effect.zipRight(storeSelection),
            Effect.zipRight(run(workspace)),
            Effect.zipLeft(database.shrink),
          )
    const refresh = refreshWith(refreshAll)
    const refreshPaths = (paths: ReadonlyArray<string>) =>
      refreshWith((workspace) => Refresh.refreshPaths(workspace, symbols, database, paths))
    const exclusively = makeMutex()

    /** Makes the database again and repeats what was recorded here, since the journal may be gone too. */
    const recreate = database.recreate.pipe(
      Effect.zipRight(database.write((sql) => PurposeFiles.record(location, sql, recorded))),
      Effect.zipRight(Ref.get(recordedMap)),
      Effect.flatMap((map) => (map === undefined ? Effect.void : writeMap(map))),
    )

    /**
     * Runs `operation`. If the database turns out to be damaged or removed, runs `repair` and then `operation` once
     * more.
     */
    const withRepair = <A, E extends DiskError | FileError>(
      operation: Effect.Effect<A, E>,
      repair: Effect.Effect<unknown, DiskError | FileError>,
    ): Effect.Effect<A, DiskError | FileError> => {
      const again = Effect.catchIf(operation, IndexDatabase.isLost, () => Effect.zipRight(repair, operation))
      // Another fiber may have repaired it before this one got the lock, so the operation is tried again first.
      return Effect.catchIf(operation, IndexDatabase.isLost, () => exclusively(again))
    }
    const runWithRepair = <A>(operation: Effect.Effect<A, DiskError>): Effect.Effect<A, IndexError> =>
      Effect.mapError(withRepair(operation, Effect.zipRight(recreate, refresh)), toIndexError)
    const runRefresh = (refresh: Effect.Effect<IndexStore.Refreshed, DiskError | FileError>) =>
      withRepair(refresh, recreate).pipe(
        Effect.mapError((error) => (error._tag === "FileError" ? error : toIndexError(error))),
        Effect.withSpan("Index.refresh"),
      )
    const query = <A>(body: (sql: Statements) => A) => runWithRepair(database.read(body))

    yield* withRepair(syncPurposes, recreate)
    yield* Effect.addFinalizer(() =>
      // A failure loses nothing: the next run that opens the index merges the journal.
      Effect.catchAllCause(withRepair(syncPurposes, recreate), (cause) =>
        location.hasRoot()
          ? Effect.annotateLogs(Effect.logWarning("purposes.jsonl could not be brought up to date"), {
              reason: Cause.prettyErrors(cause)
                .map(({ message }) => message)
                .join("; "),
            })
          : Effect.void,
      ),
    )

    const index: IndexStore.Index = {
      refresh: runRefresh(refresh),
      refreshPaths: (paths) => runRefresh(refreshPaths(paths)),
      // A lost database is not repaired here, since that would take as long as a refresh.
      isMade: database.read(Metadata.wasComplete).pipe(
        Effect.catchIf(IndexDatabase.isLost, () => Effect.succeed(false)),
        Effect.mapError(toIndexError),
      ),
      files: query(Queries.files),
      filesIn: (path) => query((sql) => Queries.filesIn(sql, path)),
      sizesIn: (path) => query((sql) => Queries.sizesIn(sql, path)),
      unreadable: query(Queries.unreadable),
      symbolsIn: (path) => query((sql) => Queries.symbolsIn(sql, path)),
      symbolsOf: (path, text, stat) =>
        Effect.flatMap(
          query((sql) => ({
            isUnchanged: stat !== undefined && FileTable.isUnchanged(sql, path, stat),
            hash: FileTable.hashOf(sql, path),
            entries: Queries.symbolsIn(sql, path),
          })),
          ({ entries, hash, isUnchanged }) =>
            isUnchanged || hash === Text.sha256(text)
              ? Effect.succeed(entries)
              : Effect.map(symbols.outline(path, text), (outline) =>
                  ChangedFile.entriesOf(path, text, outline, entries),
                ),
        ),
      fileEntry: (path) => query((sql) => Queries.fileEntry(sql, path)),
      find: (symbol, path) => query((sql) => Queries.find(sql, symbol, path)),
      routes: (typed) => query((sql) => RouteTable.find(sql, typed)),
      nearest: (symbol, options) => query((sql) => Queries.nearest(sql, symbol, options)),
      membersOf: (container, limit) => query((sql) => Queries.membersOf(sql, container, limit)),
      references: (entry) => query((sql) => ReferenceQueries.references(sql, entry)),
      callees: (entry) => query((sql) => ReferenceQueries.callees(sql, entry)),
      fileUses: query(ReferenceQueries.fileUses),
      symbolUses: (paths) => query((sql) => ReferenceQueries.symbolUses(sql, paths)),
      symbolGraph: query(SymbolGraph.read),
      dependents: (entry, options) => query((sql) => ReferenceQueries.dependents(sql, entry, options)),
      inheritance: (entry) => query((sql) => ReferenceQueries.inheritance(sql, entry)),
      resolvedLines: (name, path) => query((sql) => ReferenceQueries.resolvedLines(sql, name, path)),
      overloadsIn: (path) => query((sql) => ReferenceQueries.overloadsIn(sql, path)),
      callersIn: (path, which) => query((sql) => ReferenceQueries.callersIn(sql, path, which)),
      mentions: (name) => query((sql) => Queries.mentions(sql, name)),
      termCounts: (terms) => query((sql) => SearchQueries.termCounts(sql, terms)),
      documented: query(Queries.documented),
      weak: query(Queries.weak),
      central: (limit, path) =>
        query(RankTable.isStored).pipe(
          Effect.flatMap((isStored) =>
            isStored ? Effect.void : Effect.flatten(FiberRef.get(RunProgress.beforeRanking)),
          ),
          Effect.zipRight(query((sql) => Queries.central(sql, limit, path))),
          Effect.flatMap(({ entries, ranking }) =>
            ranking.isStored
              ? Effect.succeed(entries)
              : // The answer is there, whether or not the ranking can be stored for the next one.
                Effect.as(Effect.ignore(database.writeIfIdle((sql) => RankTable.store(sql, ranking))), entries),
          ),
        ),
      landmarks: (limit) => query((sql) => Queries.landmarks(sql, limit)),
      record: (purposes) =>
        Effect.zipLeft(
          runWithRepair(database.write((sql) => PurposeFiles.record(location, sql, purposes))),
          Effect.sync(() => {
            for (const purpose of purposes) recorded.push(purpose)
          }),
        ),
      ensureRecorded: Effect.mapError(
        withRepair(
          database.read(() => {}),
          recreate,
        ),
        toIndexError,
      ),
      map: attempt(location.path, () => ProjectMap.parse(location.map.read())).pipe(
        // A link, a folder or a file of any size may have come with the code. The index is good without it.
        Effect.catchAll((error) => Effect.as(Effect.logWarning(`map.md is not used: ${error.message}`), undefined)),
      ),
      recordMap: (map) => {
        const text = ProjectMap.parse(map)
        if (text === undefined) return Effect.void
        return Effect.zipLeft(runWithRepair(writeMap(text)), Ref.set(recordedMap, text))
      },
      corpus: (text, also) => query((sql) => SymbolSearch.corpus(sql, text, also)),
      search: (text, options) => query((sql) => SearchQueries.search(sql, text, options)),
      status: Effect.zipWith(query(Queries.status), location.bytes, (status, bytesOnDisk) => ({
        ...status,
        bytesOnDisk,
      })),
    }
    return {
      index,
      // A removed index is not refreshed here: another run may be making it.
      structure: Effect.mapError(
        withRepair(
          database.read((sql) => Metadata.get(sql, "structure")),
          recreate,
        ),
        toIndexError,
      ),
      selected: Effect.mapError(withRepair(selected, recreate), toIndexError),
    }
  }, Effect.mapError(toIndexError))

  const claim: IndexStore.Service["claim"] = Effect.fn("IndexStore.claim")((workspace) =>
    Effect.mapError(locationOf(workspace.root).claim, toClaimError),
  )

  const publish: IndexStore.Service["publish"] = ({ root }, progress) => {
    const location = locationOf(root)
    return Effect.ignore(
      attempt(location.path, () => location.progress.replace(JSON.stringify({ process: process.pid, progress }))),
    )
  }

  const progressOf: IndexStore.Service["progressOf"] = ({ root }, process) => {
    const location = locationOf(root)
    return attempt(location.path, () => published(location.progress.read())).pipe(
      // Another run may hold the lock of a run that was killed, and may have published nothing yet.
      Effect.map((published) => (published.process === process ? published.progress : undefined)),
      Effect.orElseSucceed(() => undefined),
    )
  }

  const open: IndexStore.Service["open"] = Effect.fn("IndexStore.open")((workspace) =>
    Effect.map(connect(workspace, locationOf(workspace.root), "explore"), ({ index }) => index),
  )

  const openExisting: IndexStore.Service["openExisting"] = Effect.fn("IndexStore.openExisting")(function* (
    workspace,
    { refresh: when = "now" } = {},
  ) {
    const location = locationOf(workspace.root)
    if (!(yield* location.exists)) return yield* new IndexError({ path: workspace.root, reason: new NotIndexed() })

    const read = Effect.fnUntraced(function* (from: IndexLocation.IndexLocation) {
      const { index, selected, structure } = yield* connect(workspace, from, "read")
      const assertUnlocked = Effect.mapError(location.assertUnlocked, toClaimError)
      const unlessLocked = <A, E>(refresh: Effect.Effect<A, E>) =>
        Effect.flatMap(structure, (known) =>
          known === "complete" ? refresh : Effect.zipRight(assertUnlocked, refresh),
        )
      const refresh = unlessLocked(index.refresh)
      const refreshPaths: IndexStore.Index["refreshPaths"] = (paths) => unlessLocked(index.refreshPaths(paths))
      const outdated =
        when === "later"
          ? undefined
          : yield* Effect.catchAll(Effect.as(refresh, undefined), (error) =>
              error._tag === "IndexError" && isUnwritable(error) ? Effect.fail(error) : Effect.succeed(error),
            )
      return { index: { ...index, refresh, refreshPaths }, workspace: yield* selected, outdated }
    })
    return yield* Effect.catchIf(read(location), isUnwritable, () => read(readOnlyLocationOf(workspace.root)))
  })

  return IndexStore.IndexStore.of({ claim, publish, progressOf, open, openExisting })
})

/**
 * The index is in `.vibe` under the root of the workspace. A folder with only `purposes.jsonl`, such as a fresh clone,
 * has an index too.
 */
export const layer: Layer.Layer<IndexStore.IndexStore, never, Symbols.Symbols> = Layer.effect(
  IndexStore.IndexStore,
  make(IndexLocation.onDisk, IndexLocation.readOnly),
)

/** The index is in memory and lives as long as the layer. */
export const layerMemory: Layer.Layer<IndexStore.IndexStore, never, Symbols.Symbols> = Layer.scoped(
  IndexStore.IndexStore,
  Effect.flatMap(IndexLocation.inMemory, (locationOf) => make(locationOf)),
)

export type { Limits as ShardLimits } from "../PurposeShards.ts"

/**
 * The sizes from which purposes are divided into shards, which tests may change. They are equal for everyone who shares
 * the files.
 */
export const shardLimits: FiberRef.FiberRef<PurposeShards.Limits> = FiberRef.unsafeMake(PurposeShards.LIMITS)

/** Brings the files and tables of purposes up to date, see `PurposeFiles.sync`. */
const syncFiles = Effect.fnUntraced(function* (
  location: IndexLocation.IndexLocation,
  database: IndexDatabase.IndexDatabase,
  isExploring: boolean,
) {
  const options = { limits: yield* FiberRef.get(shardLimits), moves: isExploring, now: yield* Clock.currentTimeMillis }
  if (yield* database.read((sql) => PurposeFiles.isSynced(location, sql, options))) return
  const { divided, invalid: unread } = yield* database.write((sql) => PurposeFiles.sync(location, sql, options))
  if (divided) {
    const notice =
      "purposes.jsonl has become large, and its lines are in the files of .vibe/purposes now: commit both; where 'vibe merge-driver --install' was run, run it again"
    yield* Effect.logWarning(notice).pipe(Effect.annotateLogs({ path: location.path }))
  }
  if (unread.length > 0) {
    const warning = unread.some(PurposeMerge.isMarker)
      ? "purposes.jsonl has markers of a merge conflict; 'vibe check --fix' keeps both sides"
      : "purposes.jsonl has lines that are no purposes; they stay in it"
    yield* Effect.logWarning(warning).pipe(Effect.annotateLogs({ path: location.path, lines: unread.length }))
  }
})

const isUnwritable = ({ reason }: IndexError): boolean => reason._tag === "Unwritable" || reason._tag === "Full"

/** Progress, with the process id of its run. */
const published = Shape.json(Shape.struct({ process: Shape.integer, progress: RunProgress.shape }))

/** While the lock is held, `Busy` means another run, and not a short wait for the database. */
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
    case "NotAFolder":
      return new NotAFolder()
    case "Removed":
      return new Removed()
    default:
      return new Unreadable({ cause: error })
  }
}
