/** Where the parts of one index are kept: under the workspace's root, or in memory. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as AtomicFile from "../../../disk/AtomicFile.ts"
import { Busy, DiskError, toWriteError, Unreadable } from "../../../disk/DiskError.ts"
import * as Folder from "../../../disk/Folder.ts"
import * as Lock from "../../../disk/Lock.ts"
import * as Sqlite from "../../../disk/Sqlite.ts"
import { format } from "./Schema.ts"

export interface Place {
  /** What to call it in an error. */
  readonly path: string
  /** Whether anything is kept here. */
  readonly isUsed: Effect.Effect<boolean>
  /** Lets nobody else claim it until the scope closes. Fails with `Busy` where somebody has. */
  readonly claim: Effect.Effect<void, DiskError, Scope.Scope>
  /** Fails with `Busy` where somebody has claimed it. */
  readonly unclaimed: Effect.Effect<void, DiskError>
  readonly database: Effect.Effect<Sqlite.Database, DiskError, Scope.Scope>
  /** Whether the database that was opened last is still the one that others find here. */
  readonly isInPlace: () => boolean
  /** Puts the database that was opened last out of the way. */
  readonly setAside: Effect.Effect<void, DiskError>
  readonly purposes: Text
  /** Purposes that are not in `purposes` yet. */
  readonly journal: Journal
  /** Of all parts together, on disk. */
  readonly bytes: Effect.Effect<number>
}

/** Synchronous, because it is used inside `Sqlite.transaction`; throws `DiskError`. */
export interface Text {
  /** Empty where nothing was written yet. */
  readonly read: () => string
  readonly replace: (text: string) => void
}

/** Like `Text`. */
export interface Journal {
  readonly read: () => string
  /** Whole lines; when it returns, they outlive a crash. */
  readonly append: (lines: string) => void
  readonly clear: () => void
}

/** In `.vibe` under a root, which is made when it is needed. */
export const onDisk = (root: string): Place => {
  const folder = path.join(root, ".vibe")
  const database = path.join(folder, "index.db")
  const purposes = path.join(folder, "purposes.jsonl")
  const journal = path.join(folder, "purposes.journal.jsonl")
  const lock = `${database}.lock`
  const furnished = Sqlite.attempt(folder, () => furnish(folder, database))
  const inFolder = (error: DiskError) =>
    error.reason._tag === "NotAFile" ? error : new DiskError({ path: folder, reason: error.reason })
  let opened: number | undefined
  const isInPlace = () => opened !== undefined && identity(database) === opened
  return {
    path: folder,
    isUsed: Effect.sync(() => [database, purposes, journal].some((file) => fs.existsSync(file))),
    claim: furnished.pipe(Effect.zipRight(Lock.hold(lock)), Effect.mapError(inFolder)),
    unclaimed: Effect.mapError(Lock.assertFree(lock), inFolder),
    database: furnished.pipe(
      Effect.zipRight(Sqlite.open(database, format)),
      Effect.tap((index) => Sqlite.attempt(database, () => index.exec(ROOM))),
      Effect.ensuring(
        Effect.sync(() => {
          opened = identity(database)
        }),
      ),
    ),
    isInPlace,
    setAside: Sqlite.attempt(database, () => {
      // Another process may have done so, and made a new one.
      if (isInPlace()) replaceDamaged(database)
    }),
    purposes: {
      read: () => AtomicFile.read(purposes),
      replace: (text) => {
        AtomicFile.removeLeftovers(purposes)
        AtomicFile.replace(purposes, text)
      },
    },
    journal: {
      read: () => AtomicFile.read(journal),
      append: (lines) => AtomicFile.append(journal, lines),
      clear: () => AtomicFile.remove(journal),
    },
    bytes: Effect.sync(() => bytesIn(folder)),
  }
}

/**
 * Memory for pages, 16 MB at most, and room in the log for twice as many: a first refresh comes back to them in no
 * order, and with what SQLite gives by itself each would be read and written several times.
 */
const ROOM = "pragma cache_size = -16000; pragma wal_autocheckpoint = 8000"

/**
 * For reading alone, where `onDisk` cannot write: begins with what is there, takes in memory what has changed since,
 * and forgets it with the scope.
 */
export const borrowed = (root: string): Place => {
  const place = onDisk(root)
  const database = path.join(place.path, "index.db")
  const none = Sqlite.open(":memory:", format)
  let isDamaged = false
  return {
    ...place,
    database: Effect.zipRight(
      Sqlite.attempt(place.path, () => inspect(place.path, database)),
      Effect.suspend(() =>
        isDamaged ? none : Effect.catchIf(Sqlite.openCopy(database, format), isUnreadable, () => none),
      ),
    ),
    isInPlace: () => true,
    setAside: Effect.sync(() => {
      isDamaged = true
    }),
    purposes: { ...place.purposes, replace: () => {} },
    journal: { ...place.journal, clear: () => {} },
  }
}

/** In memory: what is kept under a root stays as long as the scope, and there are no bytes on disk. */
export const inMemory: Effect.Effect<(root: string) => Place, never, Scope.Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const places = new Map<string, Place>()
  return (root) => {
    const place = places.get(root) ?? volatile(root, scope)
    places.set(root, place)
    return place
  }
})

const volatile = (root: string, scope: Scope.Scope): Place => {
  let database: Sqlite.Database | undefined
  let purposes = ""
  let journal = ""
  let isClaimed = false
  const folder = path.join(root, ".vibe")
  const unclaimed = Effect.suspend(() =>
    isClaimed ? Effect.fail(new DiskError({ path: folder, reason: new Busy({ process: process.pid }) })) : Effect.void,
  )
  const claim = (claimed: boolean) =>
    Effect.sync(() => {
      isClaimed = claimed
    })
  return {
    path: folder,
    isUsed: Effect.sync(() => database !== undefined),
    claim: Effect.acquireRelease(Effect.zipRight(unclaimed, claim(true)), () => claim(false)),
    unclaimed,
    database: Effect.suspend(() =>
      database === undefined
        ? Effect.tap(Scope.extend(Sqlite.open(":memory:", format), scope), (opened) => {
            database = opened
          })
        : Effect.succeed(database),
    ),
    isInPlace: () => true,
    setAside: Effect.sync(() => {
      database = undefined
    }),
    purposes: {
      read: () => purposes,
      replace: (text) => {
        purposes = text
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

const furnish = (folder: string, database: string): void => {
  try {
    // A root that is gone is not made again.
    fs.statSync(path.dirname(folder))
    Folder.make(folder)
    inspect(folder, database)
    const list = path.join(folder, ".gitignore")
    // Whole in one step, so that several processes can start at once.
    if (!fs.existsSync(list)) {
      AtomicFile.removeLeftovers(list)
      AtomicFile.replace(list, IGNORED)
    }
  } catch (cause) {
    if (cause instanceof DiskError && cause.reason._tag === "Full") throw cause
    throw toWriteError(folder, cause)
  }
}

/** Links are refused: a repository of others could point one at any file of ours. */
const inspect = (folder: string, database: string): void => {
  const isMine =
    fs.lstatSync(folder).isDirectory() && (fs.lstatSync(database, { throwIfNoEntry: false })?.isFile() ?? true)
  if (!isMine)
    throw new DiskError({ path: folder, reason: new Unreadable({ cause: "not a folder, or index.db is not a file" }) })
}

const IGNORED = `# purposes.jsonl is made to be committed; the rest can be made again.
index.db*
purposes.journal.jsonl
*.tmp
.gitignore
`

const replaceDamaged = (database: string): void => {
  try {
    for (const side of ["-journal", "-wal", "-shm"]) fs.rmSync(database + side, { force: true })
    fs.renameSync(database, `${database}.corrupt`)
  } catch (cause) {
    throw toWriteError(database, cause)
  }
}

const isUnreadable = ({ reason }: DiskError): boolean => reason._tag === "Unreadable"

const identity = (file: string): number | undefined => fs.statSync(file, { throwIfNoEntry: false })?.ino

/** Files come and go while they are counted. */
const bytesIn = (folder: string): number =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0)
    : 0
