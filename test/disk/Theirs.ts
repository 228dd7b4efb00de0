/** A database that another program has made, and numbered. */
export const theirs = (file: string, version = 0): void => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  const database = new DatabaseSync(file)
  database.exec(`create table theirs (a); pragma user_version = ${version}`)
  database.close()
}
