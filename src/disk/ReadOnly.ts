/**
 * Reads rows of a database without Effect and without the checks of `Sqlite`, for a program that has no time for them.
 */
import * as fs from "node:fs"
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { prepare } from "./internal/prepare.ts"
import { findJournal } from "./internal/sideFiles.ts"

/**
 * Returns the rows of a query, in a database that no other code of this process has open. It writes nothing, and takes
 * no lock if there is no write-ahead log. Throws if the file is no database, or if the query does not fit it.
 */
export const select = (
  file: string,
  query: string,
  parameters: ReadonlyArray<SQLInputValue>,
): ReadonlyArray<Readonly<Record<string, SQLOutputValue>>> => {
  // SQLite would act on a rollback journal that is not this program's.
  if (!fs.lstatSync(file).isFile() || findJournal(file) !== undefined) return []
  const url = pathToFileURL(file)
  url.searchParams.set("immutable", "1")
  const database = new DatabaseSync(fs.existsSync(`${file}-wal`) ? file : url, { readOnly: true })
  try {
    // A schema of another program may call only functions without effects.
    database.exec("pragma trusted_schema = off")
    return prepare(database, query).all(...parameters)
  } finally {
    database.close()
  }
}
