/**
 * A lock between processes. The operating system frees it when its process ends, even by `kill -9`, so it is never
 * stale.
 */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as AtomicFile from "./AtomicFile.ts"
import { Busy, DiskError, Unwritable } from "./DiskError.ts"
import * as Sqlite from "./Sqlite.ts"

/**
 * Holds the lock until the scope closes. Fails at once with `Busy` if it is held, even by this process. `file` is
 * created if there is none, and stays, empty: if it were removed, two processes could lock two files of that name.
 */
export const hold = (file: string): Effect.Effect<void, DiskError, Scope.Scope> =>
  Effect.zipRight(
    reserve(file),
    Effect.acquireRelease(writePid(file), () => removePid(file)),
  )

/** Fails with `Busy` if the lock is held, and changes nothing. */
export const assertFree = (file: string): Effect.Effect<void, DiskError> =>
  Effect.suspend(() => (fs.existsSync(file) ? Effect.scoped(reserve(file)) : Effect.void))

/** Takes the lock: that of an SQLite database, in which nothing is ever written. */
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

/** Refuses links, since an untrusted repository could contain one to any file of the user. */
const inspect = (file: string): void => {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true) return
  throw new DiskError({ path: file, reason: new Unwritable({ cause: "not a file" }) })
}

// A file beside the lock has the id of the process. It serves messages alone: the lock does not depend on it.

const pidFile = (file: string): string => `${file}.pid`

const removePid = (file: string): Effect.Effect<void> =>
  Effect.ignore(Sqlite.attempt(file, () => AtomicFile.remove(pidFile(file))))

const writePid = (file: string): Effect.Effect<void> =>
  Effect.zipRight(
    removePid(file),
    // After a crash of the machine there is no such process.
    Effect.ignore(
      Sqlite.attempt(file, () => AtomicFile.replace(pidFile(file), `${process.pid}\n`, { isDurable: false })),
    ),
  )

const readPid = (file: string): Effect.Effect<number | undefined> =>
  Sqlite.attempt(file, () => Number.parseInt(AtomicFile.read(pidFile(file)), 10)).pipe(
    Effect.map((process) => (Number.isNaN(process) ? undefined : process)),
    Effect.orElseSucceed(() => undefined),
  )
