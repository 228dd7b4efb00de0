/** Checks a forest each time that it is opened. It reads few rows, but detects most kinds of damage. */
import type { Statements } from "../../../disk/Sqlite.ts"
import { objects } from "./schema.ts"
import * as Seal from "./seal.ts"

/** Lists the tables and indices that are missing. */
export const missingObjects = (sql: Statements): ReadonlyArray<string> => {
  const there = new Set(
    sql("select name from sqlite_schema")
      .all()
      .map(({ name }) => name),
  )
  return objects.filter((name) => !there.has(name))
}

/** Returns whether there is exactly one row of state. */
export const hasState = (sql: Statements): boolean => sql("select revision, indexed from state").all().length === 1

/**
 * Returns what is wrong, if anything: a missing table, or a first or last row that cannot be read or is not found by
 * its id. It takes at most a millisecond, whatever the size.
 */
export const findDamage = (sql: Statements): string | undefined => {
  const [gone] = missingObjects(sql)
  if (gone !== undefined) return `there is no ${gone}`
  if (!Seal.areTablesIntact(sql)) return "its tables are not as they were made"
  if (!hasState(sql)) return "its state is missing"
  for (const order of ["asc", "desc"]) {
    const node = sql(`select * from node order by id ${order} limit 1`).get()
    if (node !== undefined && numberOf(sql, node.name) !== node.id) return `${node.name} is not found`
    const entry = sql(`select * from journal order by id ${order} limit 1`).get()
    if (entry !== undefined && numberOf(sql, entry.root) === undefined) return `${entry.root} is not found`
  }
  return undefined
}

const numberOf = (sql: Statements, name: unknown): unknown =>
  sql("select id from node where name = ?").get(String(name))?.id
