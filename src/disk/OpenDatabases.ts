/**
 * The databases that this process has opened. POSIX frees all locks that a process holds on a file when it closes any
 * descriptor of that file: whoever else opened and closed one of these would let other processes remove the write-ahead
 * log under an open connection (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
import * as fs from "node:fs"

const paths = new Set<string>()

/** To be called once a database is open. It stays noted after it was closed: vibe's databases are no source code. */
export const add = (file: string): void => {
  const realPath = fs.realpathSync.native(file)
  // SQLite locks a part of the second one, too.
  for (const end of ["", "-shm"]) paths.add(realPath + end)
}

/** Whether a real path must not be opened but by SQLite. */
export const has = (realPath: string): boolean => paths.has(realPath)
