/** The table `metadata`: the state of an index. */
import type { Statements } from "../../../disk/Sqlite.ts"

/**
 * `structure`: `complete` when the last refresh was completed, `changed` when only an earlier one was, `partial` when
 * none was. `purposes`: the text of the `purposes.jsonl` that the tables agree with. It is the whole text and no digest:
 * to compare it takes less time than to load `node:crypto`. `attributes`: the rules of attributes files by which the files
 * are classed, as JSON.
 */
export type Key = "structure" | "purposes" | "attributes"

export const get = (sql: Statements, key: Key): string | undefined => {
  const row = sql("select value from metadata where key = ?").get(key)
  return row === undefined ? undefined : String(row.value)
}

export const set = (sql: Statements, key: Key, value: string): void => {
  sql("insert or replace into metadata (key, value) values (?, ?)").run(key, value)
}

/** Whether the last refresh was completed. */
export const isComplete = (sql: Statements): boolean => get(sql, "structure") === "complete"

/** Whether a refresh was ever completed, so that references are resolved and purposes chosen for all files. */
export const wasComplete = (sql: Statements): boolean => {
  const structure = get(sql, "structure")
  return structure === "complete" || structure === "changed"
}
