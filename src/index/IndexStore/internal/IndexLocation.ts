/** The location of an index: the files under the root of a workspace, or memory. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as AtomicFile from "../../../disk/AtomicFile.ts"
import { Busy, DiskError, NotAFile, NotAFolder, toWriteError, Unreadable } from "../../../disk/DiskError.ts"
import * as FileSystem from "../../../disk/FileSystem.ts"
import * as Lock from "../../../disk/Lock.ts"
import * as Sqlite from "../../../disk/Sqlite.ts"
import { FOLDER, inReadingOrder, isShardName, type PurposeFile, SINGLE } from "../../PurposeShards.ts"
import { format } from "./Schema.ts"

export interface IndexLocation {
  /** The path that error messages name. */
  readonly path: string
  /** Returns whether the root is still there. Without it nothing can be kept. */
  readonly hasRoot: () => boolean
  /** True if there is any file of an index. */
  readonly exists: Effect.Effect<boolean>
  /** Holds the lock until the scope closes. Fails with `Busy` if another run holds it, in this process or another. */
  readonly claim: Effect.Effect<void, DiskError, Scope.Scope>
  /** Fails with `Busy` if a run holds the lock. */
  readonly assertUnlocked: Effect.Effect<void, DiskError>
  readonly database: Effect.Effect<Sqlite.Database, DiskError, Scope.Scope>
  /**
   * Another connection to the open database, which reads while the first one writes; undefined for a database in
   * memory.
   */
  readonly reader: Effect.Effect<Sqlite.Database, DiskError, Scope.Scope> | undefined
  /** Returns whether the file of the database that was opened last is still the one at its path. */
  readonly isSameFile: () => boolean
  /** Moves the database that was opened last to `index.db.corrupt`, if it is still at its path. */
  readonly quarantine: Effect.Effect<void, DiskError>
  readonly purposes: PurposeTexts
  /** The page that a model wrote about the whole project. */
  readonly map: TextFile
  /** The progress of the run that holds the lock. It is empty once the run has ended, unless the run was killed. */
  readonly progress: TextFile
  /** New purposes, before they are merged into `purposes`. */
  readonly journal: Journal
  /** The size of all files together. */
  readonly bytes: Effect.Effect<number>
}

/** A file with text. Synchronous, because it is used in a transaction; throws `DiskError`. */
interface TextFile {
  /** Returns an empty text if there is no file. */
  readonly read: () => string
  readonly replace: (text: string) => void
}

/** The purposes in one file or in shards. Synchronous like `TextFile`. */
interface PurposeTexts {
  /**
   * Reads all files in the order of `PurposeShards.inReadingOrder`. `purposes.jsonl` comes first, even if it does not
   * exist.
   */
  readonly read: () => ReadonlyArray<PurposeFile>
  readonly replace: (file: PurposeFile) => void
  /**
   * Returns a text that differs once a file has changed. Undefined if a file has changed so lately that a second change
   * may have the same time. `now` is in milliseconds since the epoch.
   */
  readonly stamp: (now: number) => string | undefined
}

/** Synchronous like `TextFile`. */
interface Journal {
  readonly read: () => string
  /** Appends whole lines; when it returns, they are on disk. */
  readonly append: (lines: string) => void
  readonly clear: () => void
}

/** Keeps the index in `.vibe` under a root. The folder is made when it is first written. */
export const onDisk = (root: string): IndexLocation => {
  const folder = path.join(root, ".vibe")
  const database = path.join(folder, "index.db")
  const purposes = path.join(folder, SINGLE)
  const shards = path.join(folder, FOLDER)
  const journal = path.join(folder, "purposes.journal.jsonl")
  const map = path.join(folder, "map.md")
  const lock = `${database}.lock`
  const progress = `${database}.progress`
  const removeProgress = Effect.ignore(Sqlite.attempt(progress, () => AtomicFile.remove(progress)))
  const prepared = Sqlite.attempt(folder, () => prepareFolder(folder, database))
  const inFolder = (error: DiskError) =>
    isMisplaced(error) ? error : new DiskError({ path: folder, reason: error.reason })
  let openedInode: bigint | undefined
  const isSameFile = () => openedInode !== undefined && inodeOf(database) === openedInode
  return {
    path: folder,
    hasRoot: () => fs.existsSync(root),
    exists: Effect.sync(() => [database, purposes, shards, journal].some((file) => fs.existsSync(file))),
    claim: prepared.pipe(
      Effect.zipRight(Lock.hold(lock)),
      // Removes the progress of a run that was killed, and at the end that of this one.
      Effect.zipRight(Effect.acquireRelease(removeProgress, () => removeProgress)),
      Effect.mapError(inFolder),
    ),
    assertUnlocked: Effect.mapError(Lock.assertFree(lock), inFolder),
    database: prepared.pipe(
      Effect.zipRight(Sqlite.open(database, format)),
      Effect.tap((index) => Sqlite.attempt(database, () => index.exec(CACHE_SIZES))),
      Effect.ensuring(
        Effect.sync(() => {
          openedInode = inodeOf(database)
        }),
      ),
    ),
    reader: Sqlite.openToRead(database, format),
    isSameFile,
    quarantine: Sqlite.attempt(database, () => {
      // Another process may have moved it already, and made a new one.
      if (isSameFile()) moveToCorrupt(database)
    }),
    purposes: {
      read: () =>
        [SINGLE, ...namesOfShards(shards)].map((name) => ({ name, text: AtomicFile.read(path.join(folder, name)) })),
      replace: ({ name, text }) => {
        if (name !== SINGLE) makeFolderOfShards(shards)
        textFile(path.join(folder, name)).replace(text)
      },
      stamp: (now) => stampOf([purposes, ...namesOfShards(shards).map((name) => path.join(folder, name))], now),
    },
    map: textFile(map, { maxBytes: MAX_MAP_BYTES }),
    // It is replaced each second of a run, and means nothing once the run has ended.
    progress: textFile(progress, { maxBytes: MAX_MAP_BYTES, isDurable: false }),
    journal: {
      read: () => AtomicFile.read(journal),
      append: (lines) => AtomicFile.append(journal, lines),
      clear: () => AtomicFile.remove(journal),
    },
    bytes: Effect.sync(() => bytesIn(folder)),
  }
}

/** Lists the shards, relative to `.vibe`. Refuses a link in place of their folder, as everywhere in `.vibe`. */
const namesOfShards = (folder: string): ReadonlyArray<string> => {
  refuseLink(folder)
  try {
    return inReadingOrder(
      fs
        .readdirSync(folder)
        .filter(isShardName)
        .map((name) => `${FOLDER}/${name}`),
    )
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw new DiskError({ path: folder, reason: new Unreadable({ cause }) })
  }
}

const stampOf = (files: ReadonlyArray<string>, now: number): string | undefined => {
  const latest = now - SETTLED_MS
  const stamps: Array<string> = []
  for (const file of files) {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false })
    if (stat !== undefined && stat.ctimeMs > latest) return undefined
    stamps.push(stat === undefined ? file : `${file} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`)
  }
  return stamps.join("\n")
}

/**
 * A file that has changed within this time may change again under the same time: those of FAT have steps of two
 * seconds.
 */
const SETTLED_MS = 2_000

const makeFolderOfShards = (folder: string): void => {
  try {
    refuseLink(folder)
    FileSystem.makeFolder(folder)
  } catch (cause) {
    throw cause instanceof DiskError ? cause : toWriteError(folder, cause)
  }
}

const refuseLink = (folder: string): void => {
  const isFolder = fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === false) throw new DiskError({ path: folder, reason: new NotAFolder() })
}

/** The largest file of a map or of the progress of a run. Both are far smaller (`ProjectMap.MAX_LENGTH`). */
const MAX_MAP_BYTES = 64_000

/** A file with text. One larger than `maxBytes` is an error. */
const textFile = (file: string, { maxBytes, ...options }: TextFileOptions = {}): TextFile => ({
  read: () => AtomicFile.read(file, maxBytes),
  replace: (text) => {
    AtomicFile.removeLeftovers(file)
    AtomicFile.replace(file, text, options)
  },
})

interface TextFileOptions extends Pick<AtomicFile.ReplaceOptions, "isDurable"> {
  readonly maxBytes?: number | undefined
}

/**
 * Sets a page cache of 16 MB, and a write-ahead log of twice as much before a checkpoint. A first refresh writes to
 * pages in no order, and with the defaults each page would be read and written several times.
 */
const CACHE_SIZES = "pragma cache_size = -16000; pragma wal_autocheckpoint = 8000"

/**
 * Serves a folder that cannot be written: a copy of the database in memory is brought up to date there and is gone with
 * the scope. Writes to the files are dropped.
 */
export const readOnly = (root: string): IndexLocation => {
  const location = onDisk(root)
  const database = path.join(location.path, "index.db")
  const none = Sqlite.open(":memory:", format)
  let isDamaged = false
  return {
    ...location,
    database: Effect.zipRight(
      Sqlite.attempt(location.path, () => refuseLinks(location.path, database)),
      Effect.suspend(() =>
        isDamaged ? none : Effect.catchIf(Sqlite.openCopy(database, format), isUnreadable, () => none),
      ),
    ),
    reader: undefined,
    isSameFile: () => true,
    quarantine: Effect.sync(() => {
      isDamaged = true
    }),
    purposes: { ...location.purposes, replace: () => {} },
    map: { ...location.map, replace: () => {} },
    progress: { ...location.progress, replace: () => {} },
    journal: { ...location.journal, clear: () => {} },
  }
}

/** Keeps indexes in memory, by root. An index lives as long as the scope, and not only as long as it is open. */
export const inMemory: Effect.Effect<(root: string) => IndexLocation, never, Scope.Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const locations = new Map<string, IndexLocation>()
  return (root) => {
    const location = locations.get(root) ?? makeInMemory(root, scope)
    locations.set(root, location)
    return location
  }
})

const makeInMemory = (root: string, scope: Scope.Scope): IndexLocation => {
  let database: Sqlite.Database | undefined
  const purposes = new Map([[SINGLE, ""]])
  let map = ""
  let progress = ""
  let journal = ""
  let isClaimed = false
  const folder = path.join(root, ".vibe")
  const assertUnlocked = Effect.suspend(() =>
    isClaimed ? Effect.fail(new DiskError({ path: folder, reason: new Busy({ process: process.pid }) })) : Effect.void,
  )
  const claim = (claimed: boolean) =>
    Effect.sync(() => {
      isClaimed = claimed
      progress = ""
    })
  return {
    path: folder,
    hasRoot: () => true,
    exists: Effect.sync(() => database !== undefined),
    claim: Effect.acquireRelease(Effect.zipRight(assertUnlocked, claim(true)), () => claim(false)),
    assertUnlocked,
    database: Effect.suspend(() =>
      database === undefined
        ? Effect.tap(Scope.extend(Sqlite.open(":memory:", format), scope), (opened) => {
            database = opened
          })
        : Effect.succeed(database),
    ),
    reader: undefined,
    isSameFile: () => true,
    quarantine: Effect.sync(() => {
      database = undefined
    }),
    purposes: {
      read: () => inReadingOrder([...purposes.keys()]).map((name) => ({ name, text: purposes.get(name) ?? "" })),
      replace: ({ name, text }) => {
        purposes.set(name, text)
      },
      stamp: () => undefined,
    },
    map: {
      read: () => map,
      replace: (text) => {
        map = text
      },
    },
    progress: {
      read: () => progress,
      replace: (text) => {
        progress = text
      },
    },
    journal: {
      read: () => journal,
      append: (lines) => {
        journal += lines
      },
      clear: () => {
        journal = ""
      },
    },
    bytes: Effect.succeed(0),
  }
}

const prepareFolder = (folder: string, database: string): void => {
  try {
    // A root that was removed is not made again.
    fs.statSync(path.dirname(folder))
    refuseLinks(folder, database)
    FileSystem.makeFolder(folder)
    refuseLinks(folder, database)
    const list = path.join(folder, ".gitignore")
    // Several processes may start at once, so the file is written atomically.
    if (!fs.existsSync(list)) {
      AtomicFile.removeLeftovers(list)
      AtomicFile.replace(list, GITIGNORE)
    }
  } catch (cause) {
    if (cause instanceof DiskError && (cause.reason._tag === "Full" || isMisplaced(cause))) throw cause
    throw toWriteError(folder, cause)
  }
}

/** Refuses links: a foreign repository could point one at any file of the user. */
const refuseLinks = (folder: string, database: string): void => {
  const find = (path: string) => fs.lstatSync(path, { throwIfNoEntry: false })
  if (find(folder)?.isDirectory() === false) throw new DiskError({ path: folder, reason: new NotAFolder() })
  if (find(database)?.isFile() === false) throw new DiskError({ path: database, reason: new NotAFile() })
}

/** Returns whether something else is in the place of the folder or a file. */
const isMisplaced = ({ reason }: DiskError): boolean => reason._tag === "NotAFile" || reason._tag === "NotAFolder"

const GITIGNORE = `# purposes.jsonl, purposes, wiki and map.md are made to be committed; the rest can be made again.
index.db*
purposes.journal.jsonl
*.tmp
.gitignore
`

const moveToCorrupt = (database: string): void => {
  try {
    for (const side of ["-journal", "-wal", "-shm"]) fs.rmSync(database + side, { force: true })
    FileSystem.replace(database, `${database}.corrupt`)
  } catch (cause) {
    throw toWriteError(database, cause)
  }
}

const isUnreadable = ({ reason }: DiskError): boolean => reason._tag === "Unreadable" || reason._tag === "StrayJournal"

/** Returns the inode as a bigint, since those of Windows have 64 bits. */
const inodeOf = (file: string): bigint | undefined => fs.statSync(file, { bigint: true, throwIfNoEntry: false })?.ino

/** Adds up the sizes of all files. Files may be removed meanwhile. */
const bytesIn = (folder: string): number =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0)
    : 0
