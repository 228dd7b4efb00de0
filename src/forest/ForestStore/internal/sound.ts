/** What is looked at each time that a forest is opened: little, but most of what happens to a file shows in it. */
import type { Statements } from "../../../disk/Sqlite.ts"
import { objects } from "./schema.ts"
import * as Seal from "./seal.ts"

/** Tables and indices that are not there. */
export const missing = (sql: Statements): ReadonlyArray<string> => {
  const there = new Set(
    sql("select name from sqlite_schema")
      .all()
      .map(({ name }) => name),
  )
  return objects.filter((name) => !there.has(name))
}

/** There is one, whatever there is beside it. */
export const hasState = (sql: Statements): boolean => sql("select revision, indexed from state").all().length === 1

/**
 * What is wrong; none where all that should be is there, and the first and the last that was kept can be read and are
 * found by their names. As quick with many as with few: a millisecond at the most.
 */
export const flaw = (sql: Statements): string | undefined => {
  const [gone] = missing(sql)
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
