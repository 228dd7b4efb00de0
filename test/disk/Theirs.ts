/** A database that another program has made. */
export const theirs = (file: string): void => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  const database = new DatabaseSync(file)
  database.exec("create table theirs (a)")
  database.close()
}
