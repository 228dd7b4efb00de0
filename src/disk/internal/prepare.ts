/** Prepared statements, whose numbered parameters (`?1`) take their values in order on every supported Node. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

/**
 * Prepares a statement. Node 22.16 to 22.18 binds values in order to `?` alone, so numbered parameters are bound by
 * name there.
 */
export const prepare = (database: DatabaseSync, text: string): StatementSync =>
  /\?\d/.test(text) && !bindsInOrder(database) ? prepareByName(database, text) : database.prepare(text)

/** Binds values to the names that SQLite gives to numbered parameters, which are `?1`, `?2` and so on. */
export const prepareByName = (database: DatabaseSync, text: string): StatementSync => {
  const statement = database.prepare(text)
  const { all, get, iterate, run } = statement
  return Object.assign(statement, {
    all: (...values: ReadonlyArray<SQLInputValue>) => all.call(statement, byName(values)),
    get: (...values: ReadonlyArray<SQLInputValue>) => get.call(statement, byName(values)),
    iterate: (...values: ReadonlyArray<SQLInputValue>) => iterate.call(statement, byName(values)),
    run: (...values: ReadonlyArray<SQLInputValue>) => run.call(statement, byName(values)),
  })
}

const byName = (values: ReadonlyArray<SQLInputValue>): Record<string, SQLInputValue> =>
  Object.fromEntries(values.map((value, index) => [`?${index + 1}`, value]))

let inOrder: boolean | undefined

/** Returns whether this Node binds values in order to numbered parameters. It tries once. */
const bindsInOrder = (database: DatabaseSync): boolean => {
  if (inOrder === undefined) {
    try {
      inOrder = database.prepare("select ?1 as value").get(1)?.value === 1
    } catch {
      inOrder = false
    }
  }
  return inOrder
}
