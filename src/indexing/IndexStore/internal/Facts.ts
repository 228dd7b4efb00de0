/** What an index remembers of itself. */
import type { Statements } from "../../../disk/Sqlite.ts"

/**
 * `structure`: `complete` when the last refresh went to its end, `changed` when only an earlier one did, `partial` when
 * none did. `purposes`: the `purposes.jsonl` that the tables agree with, all of it: to compare a text takes less time
 * than to load what makes digests.
 */
export type Fact = "structure" | "purposes"

export const get = (sql: Statements, fact: Fact): string | undefined => {
  const row = sql("select value from fact where name = ?").get(fact)
  return row === undefined ? undefined : String(row.value)
}

export const set = (sql: Statements, fact: Fact, value: string): void => {
  sql("insert or replace into fact (name, value) values (?, ?)").run(fact, value)
}
