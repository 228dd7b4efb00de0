/**
 * The files that SQLite would open beside a database, and would take for the database's own. All databases of this
 * program have a write-ahead log from the moment that they have a name, so a rollback journal beside one is of another
 * origin. SQLite would roll the database back by it and, up to 3.50, remove any file that the journal names.
 */
import * as fs from "node:fs"
import { DiskError, StrayJournal, toWriteError } from "../DiskError.ts"

/** Returns the path by which SQLite finds files beside a database: that of the target, if it is a link. */
const placeOf = (file: string): string => (fs.existsSync(file) ? fs.realpathSync.native(file) : file)

/** Returns the path of a rollback journal beside a database, if a file is there. */
export const findJournal = (file: string): string | undefined => findFile(`${placeOf(file)}-journal`)

/** Throws `StrayJournal` if SQLite would find a rollback journal beside the database. */
export const refuseJournal = (file: string): void => {
  const journal = findJournal(file)
  if (journal !== undefined) throw new DiskError({ path: journal, reason: new StrayJournal() })
}

/** The old and the new path of a file that was renamed, since SQLite must not find it. */
export interface SetAside {
  readonly file: string
  readonly to: string
}

/**
 * Renames the rollback journal beside a database, if there is one. It may be all that another program has left of its
 * data.
 */
export const setAsideJournal = (file: string): ReadonlyArray<SetAside> => {
  const journal = findJournal(file)
  if (journal === undefined) return []
  try {
    return [setAside(journal)]
  } catch {
    throw new DiskError({ path: journal, reason: new StrayJournal() })
  }
}

/**
 * Renames all files that SQLite would take for those of a database that is about to be made. Renames nothing if the
 * database is there by now: another process has made it, and writes to the files beside it. The files are listed
 * before the database is looked for, so that no file of that process is in the list.
 */
export const setAsideLeftovers = (file: string): ReadonlyArray<SetAside> => {
  try {
    const leftovers = ["-journal", "-wal"].flatMap((side) => findFile(file + side) ?? [])
    const memory = findFile(`${file}-shm`)
    if (fs.existsSync(file)) return []
    // This file holds nothing that is not in the log.
    if (memory !== undefined) fs.rmSync(memory, { force: true })
    return leftovers.map(setAside)
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

/** Renames a file to the first free name, so that it never replaces a file that was set aside before. */
const setAside = (file: string): SetAside => {
  let to = `${file}.foreign`
  for (let n = 2; fs.existsSync(to); n++) to = `${file}.foreign-${n}`
  fs.renameSync(file, to)
  return { file, to }
}

/**
 * Returns the path if a regular file is there. SQLite fails to open a folder, and `requireFiles` refuses everything
 * else.
 */
const findFile = (file: string): string | undefined => {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined
  } catch {
    // SQLite cannot open it either if there is no permission to look.
    return undefined
  }
}
