/**
 * The databases that this process has opened. POSIX frees all locks of a process on a file when the process closes any
 * descriptor of it. So other code that opened and closed one of these files would let another process remove the
 * write-ahead log of an open connection (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
import * as fs from "node:fs"

const paths = new Set<string>()

/** Adds an open database. It stays in the list after it is closed, since only SQLite needs to read a database. */
export const add = (file: string): void => {
  const realPath = fs.realpathSync.native(file)
  // SQLite locks a part of the shared-memory file, too.
  for (const end of ["", "-shm"]) paths.add(realPath + end)
}

/** Returns whether only SQLite may open this real path. */
export const has = (realPath: string): boolean => paths.has(realPath)
