/** Connections of node:sqlite. */
import * as fs from "node:fs"
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite"
import { fileURLToPath, pathToFileURL } from "node:url"
import { DiskError, NotAFile } from "../DiskError.ts"
import * as FileSystem from "../FileSystem.ts"
import * as SideFiles from "./sideFiles.ts"

/**
 * Opens a connection. Throws `NotAFile` rather than wait at a pipe, and `StrayJournal` rather than let SQLite act on a
 * rollback journal. Foreign keys are off until they are turned on.
 */
export const connect = (file: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync => {
  const name = typeof file === "string" ? file : fileURLToPath(file)
  const isFile = name !== ":memory:" && !name.startsWith("file:")
  if (isFile) {
    requireFiles(name)
    SideFiles.refuseJournal(name)
  }
  return connectNow(file, isFile ? name : undefined, options)
}

/**
 * Opens a database for reading by the bytes of the file alone, without its write-ahead log or a journal. It must not be
 * written meanwhile.
 */
export const connectImmutable = (file: string): DatabaseSync => {
  requireFiles(file)
  return connectNow(new URL("?immutable=1", pathToFileURL(file)), file, { readOnly: true })
}

const connectNow = (file: string | URL, name: string | undefined, options: DatabaseSyncOptions): DatabaseSync => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  // If foreign keys were on, dropping a table would look for each of its rows in the other tables.
  const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS, enableForeignKeyConstraints: false, ...options })
  if (name !== undefined) FileSystem.addDatabase(name)
  // A schema of another program may call only functions without effects.
  database.exec("pragma trusted_schema = off")
  return database
}

/**
 * Throws `NotAFile` if a database, or a file that SQLite would open beside it, exists and is no regular file: opening a
 * pipe waits for its other end, in a call that no signal interrupts. The database itself may be a link to a file.
 */
export const requireFiles = (file: string): void => {
  const stats = statWith(() => fs.statSync(file, { throwIfNoEntry: false }))
  if (stats !== undefined && !stats.isFile()) throw new DiskError({ path: file, reason: new NotAFile() })
  // SQLite opens these files beside the target of a link.
  const place = stats === undefined ? file : fs.realpathSync.native(file)
  for (const side of ["-journal", "-wal", "-shm"]) {
    const stats = statWith(() => fs.lstatSync(place + side, { throwIfNoEntry: false }))
    // Opening a folder fails at once: then the database cannot be written, but may be read.
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
      throw new DiskError({ path: place + side, reason: new NotAFile() })
    }
  }
}

/** Returns the stats, or undefined if there is no file, or no permission to look; then it cannot be opened either. */
const statWith = (stat: () => fs.Stats | undefined): fs.Stats | undefined => {
  try {
    return stat()
  } catch {
    return undefined
  }
}

/** Opening a database blocks for at most this long while another process has it locked. */
export const OPEN_TIMEOUT_MS = 5000
