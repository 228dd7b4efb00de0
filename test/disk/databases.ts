/** Databases of one small format, for the tests of how they are opened and written. */
import { spawn } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

export const format = (version: number, upgrade = "create table note (text)"): Sqlite.Format => ({
  tables: ["note"],
  version,
  upgrade: (database) => database.exec(upgrade),
})

export const newFile = Effect.map(temporaryFolder, (folder) => path.join(folder, "test.db"))

export const notes = (file: string, database: Sqlite.Database) =>
  Sqlite.attempt(file, () =>
    database
      .prepare("select text from note")
      .all()
      .map(({ text }) => text),
  )

/**
 * Runs a program of the tests, and returns its stderr without the warning of an older Node that SQLite is experimental.
 */
export const run = (...words: ReadonlyArray<string>) =>
  Effect.async<string>((resume) => {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...words])
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += chunk
    })
    child.on("close", () => resume(Effect.succeed(said)))
  })
