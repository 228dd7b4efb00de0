/**
 * A lock between processes. It ends with its holder however that ends: the operating system frees it at a `kill -9`
 * too, so that there is never a stale one to clear away.
 */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as AtomicFile from "./AtomicFile.ts"
import { Busy, DiskError, Unwritable } from "./DiskError.ts"
import * as Sqlite from "./Sqlite.ts"

/**
 * Holds the lock until the scope closes. Fails with `Busy`, at once, where another holds it, be it in this process.
 * `file` is made where there is none, and stays, empty: to remove it while others look at it would make two of it.
 */
export const hold = (file: string): Effect.Effect<void, DiskError, Scope.Scope> =>
  Effect.zipRight(
    reserve(file),
    Effect.acquireRelease(writePid(file), () => removePid(file)),
  )

/** Fails with `Busy` where another holds the lock; leaves everything as it is. */
export const assertFree = (file: string): Effect.Effect<void, DiskError> =>
  Effect.suspend(() => (fs.existsSync(file) ? Effect.scoped(reserve(file)) : Effect.void))

/** The lock is that of a database in which nothing is ever written. */
const reserve = (file: string): Effect.Effect<void, DiskError, Scope.Scope> =>
  Sqlite.attempt(file, () => inspect(file)).pipe(
    Effect.zipRight(Sqlite.reserve(file)),
    Effect.catchIf(
      ({ reason }) => reason._tag === "Busy",
      () =>
        Effect.flatMap(readPid(file), (process) =>
          Effect.fail(new DiskError({ path: file, reason: new Busy({ process }) })),
        ),
    ),
  )

/** Links are refused: a repository of others could point one at any file of ours. */
const inspect = (file: string): void => {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true) return
  throw new DiskError({ path: file, reason: new Unwritable({ cause: "not a file" }) })
}

// Who holds the lock stands beside it, for people alone: no lock depends on what is read or written here.

const pidFile = (file: string): string => `${file}.pid`

const removePid = (file: string): Effect.Effect<void> =>
  Effect.ignore(Sqlite.attempt(file, () => AtomicFile.remove(pidFile(file))))

const writePid = (file: string): Effect.Effect<void> =>
  Effect.zipRight(
    removePid(file),
    Effect.ignore(Sqlite.attempt(file, () => AtomicFile.append(pidFile(file), `${process.pid}\n`))),
  )

const readPid = (file: string): Effect.Effect<number | undefined> =>
  Sqlite.attempt(file, () => Number.parseInt(AtomicFile.read(pidFile(file)), 10)).pipe(
    Effect.map((process) => (Number.isNaN(process) ? undefined : process)),
    Effect.orElseSucceed(() => undefined),
  )
