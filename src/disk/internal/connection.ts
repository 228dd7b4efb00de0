/** Connections of node:sqlite, without the warning that Node prints for them. */
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite"

export const connect = (file: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync => {
  const { DatabaseSync } = quietly(() => process.getBuiltinModule("node:sqlite"))
  return new DatabaseSync(file, { timeout: PATIENCE, ...options })
}

/** Milliseconds for which a database that is being opened waits for another process. */
export const PATIENCE = 5000

/** node:sqlite warns once, when it is loaded, that it is experimental. */
const quietly = <A>(load: () => A): A => {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: ReadonlyArray<unknown>) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, [warning, ...rest])
    }
  }
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
