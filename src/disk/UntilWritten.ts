/** Keeps what was read of a database as long as nothing is written to it. */
import type { Statements } from "./Sqlite.ts"

interface Kept<A> {
  readonly version: string
  readonly value: A
}

/**
 * Returns a function that makes a value of a connection once, and makes it again if the database has changed since.
 * SQLite counts the commits of other connections and the rows that this connection has written.
 *
 * Must not be used in a transaction that writes: after a rollback the value would hold what was never committed.
 */
export const make = <A>(read: (sql: Statements) => A): ((sql: Statements) => A) => {
  const kept = new WeakMap<Statements, Kept<A>>()
  return (sql) => {
    const version = versionOf(sql)
    const known = kept.get(sql)
    if (known?.version === version) return known.value
    const value = read(sql)
    kept.set(sql, { version, value })
    return value
  }
}

const versionOf = (sql: Statements): string => {
  const ofOthers = sql("pragma data_version").get()?.data_version
  const own = sql("select total_changes() as own").get()?.own
  return `${ofOthers} ${own}`
}
