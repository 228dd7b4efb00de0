/** Checks databases that were not closed. */
import * as fs from "node:fs"
import type * as Effect from "effect/Effect"
import { Damaged, DiskError } from "./DiskError.ts"
import { connect } from "./internal/connection.ts"
import { toReason } from "./internal/fault.ts"
import { attempt } from "./Sqlite.ts"

/**
 * Checks the whole database in `file` if a process has ended without closing it: then its write-ahead log is left, and
 * no process has it open. Other processes wait meanwhile, about 1 ms a MB. A database of more than `maxBytes` is not
 * checked. Fails with `Damaged` if SQLite finds a fault for which `isDamage` is true; then the database is checked
 * again the next time.
 */
export const inspect = (
  file: string,
  { isDamage, maxBytes }: { readonly maxBytes: number; readonly isDamage: (fault: string) => boolean },
): Effect.Effect<void, DiskError> =>
  attempt(file, () => {
    const log = `${file}-wal`
    const size = sizeOf(file)
    if (size === undefined || size > maxBytes || !fs.existsSync(log)) return
    const faults = findFaults(file)
    if (!faults.some(isDamage)) return
    restoreLog(log)
    throw new DiskError({ path: file, reason: new Damaged({ cause: faults.join("\n") }) })
  })

/**
 * Returns the size in bytes, or undefined if there is no file, or no permission to look; opening the file then gives
 * the reason.
 */
const sizeOf = (file: string): number | undefined => {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.size
  } catch {
    return undefined
  }
}

/** Returns the faults of a database, or no faults if another process has it open. */
const findFaults = (file: string): ReadonlyArray<string> => {
  try {
    const database = connect(file, { timeout: 0 })
    try {
      // This fails while another connection has the database open.
      database.exec("pragma locking_mode = exclusive")
      const found = database.prepare("pragma quick_check").all()
      return found.map(({ quick_check: fault }) => String(fault)).filter((fault) => fault !== "ok")
    } finally {
      database.close()
    }
  } catch (cause) {
    // Any other error is reported when the database is opened.
    return toReason(cause)?._tag === "Damaged" ? [String(cause)] : []
  }
}

/** Restores an empty log, since closing the database has removed the log. It marks the database for the next check. */
const restoreLog = (log: string): void => {
  try {
    fs.closeSync(fs.openSync(log, "a", 0o600))
  } catch {
    // If this fails, the damage is reported only this time.
  }
}
