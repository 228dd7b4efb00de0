/** Whether a database is whole that was not closed. */
import * as fs from "node:fs"
import type * as Effect from "effect/Effect"
import { Damaged, DiskError } from "./DiskError.ts"
import { connect } from "./internal/connection.ts"
import { toReason } from "./internal/fault.ts"
import { attempt } from "./Sqlite.ts"

/**
 * Looks through all of the database in `file` where a process that had it open has ended without closing it: its
 * write-ahead log is left then, and nobody has it open. Others wait meanwhile, about 1 ms a MB; what is larger than
 * `most` bytes is passed over. Fails with `Damaged` where SQLite finds anything that `isDamage`; then it will be looked
 * through again.
 */
export const inspect = (
  file: string,
  { isDamage, most }: { readonly most: number; readonly isDamage: (fault: string) => boolean },
): Effect.Effect<void, DiskError> =>
  attempt(file, () => {
    const log = `${file}-wal`
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined || size > most || !fs.existsSync(log)) return
    const faults = findFaults(file)
    if (!faults.some(isDamage)) return
    restoreLog(log)
    throw new DiskError({ path: file, reason: new Damaged({ cause: faults.join("\n") }) })
  })

/** What is wrong with a database that nobody has open; nothing is told of one that cannot be had alone. */
const findFaults = (file: string): ReadonlyArray<string> => {
  try {
    const database = connect(file, { timeout: 0 })
    try {
      // Refused while anybody else has it open.
      database.exec("pragma locking_mode = exclusive")
      const found = database.prepare("pragma quick_check").all()
      return found.map(({ quick_check: fault }) => String(fault)).filter((fault) => fault !== "ok")
    } finally {
      database.close()
    }
  } catch (cause) {
    // What else may be in the way is told to who opens it.
    return toReason(cause)?._tag === "Damaged" ? [String(cause)] : []
  }
}

/** Puts back the log that who closed the database has taken away; without anything in it, it is only a sign. */
const restoreLog = (log: string): void => {
  try {
    fs.closeSync(fs.openSync(log, "a", 0o600))
  } catch {
    // Then it is told this once.
  }
}
