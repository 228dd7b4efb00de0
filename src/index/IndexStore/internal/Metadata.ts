/** The table `metadata`: the state of an index. */
import * as Shape from "../../../base/Shape.ts"
import type * as Selection from "../../../code/Selection.ts"
import type { Statements, Steps } from "../../../disk/Sqlite.ts"

/**
 * The keys of the table:
 *
 * - `structure`: `complete` if the last refresh was completed, `changed` if only an earlier one was, `partial` if none
 *   was
 * - `purposes`: the text of the `purposes.jsonl` that the tables agree with. It is the whole text and no digest, since
 *   comparing it takes less time than loading `node:crypto`. If there are shards, it is a digest of all files.
 * - `attributes`: the rules of attributes files by which the files are classed, as JSON
 * - `examples`: `code` if examples count as code, see `FileTable.classifyExamples`
 * - `selection`: the selection of files of the last exploration, as JSON (`code/Selection`)
 * - `unreadable`: the folders that the last refresh could not list, and the files and folders whose names are not
 *   UTF-8, as JSON; folders end with a slash
 * - `revision`: the number of transactions that have changed files, their classes, symbols or links
 */
type Key = "structure" | "purposes" | "attributes" | "examples" | "selection" | "unreadable" | "revision"

export const get = (sql: Statements, key: Key): string | undefined => {
  const row = sql("select value from metadata where key = ?").get(key)
  return row === undefined ? undefined : String(row.value)
}

export const set = (sql: Statements, key: Key, value: string): void => {
  sql("insert or replace into metadata (key, value) values (?, ?)").run(key, value)
}

/** Undefined if no run has stored one, or if it does not decode. */
export const selection = (sql: Statements): Selection.Selection | undefined =>
  Shape.readOrUndefined(selectionJson, get(sql, "selection"))

const paths = Shape.list(Shape.text)

const selectionJson = Shape.json(Shape.struct({ exclude: paths, include: paths }))

export function* storeSelection(sql: Statements, selection: Selection.Selection): Steps<void> {
  const text = JSON.stringify(selection)
  if (get(sql, "selection") === text) return
  set(sql, "selection", text)
  yield
}

/** The folders that the last refresh could not list, and what no path names. Folders end with a slash. */
export const unreadable = (sql: Statements): ReadonlyArray<string> =>
  Shape.readOrUndefined(Shape.json(paths), get(sql, "unreadable")) ?? []

/** A number that differs once the files, their classes, symbols or links have changed. */
export const revision = (sql: Statements): number => Number(get(sql, "revision") ?? 0)

/** Must be called in each transaction that changes files, their classes, symbols or links. */
export const raiseRevision = (sql: Statements): void => set(sql, "revision", String(revision(sql) + 1))

/** Returns whether the last refresh was completed. */
export const isComplete = (sql: Statements): boolean => get(sql, "structure") === "complete"

/** Returns whether a refresh was ever completed, so that references are resolved and purposes chosen for all files. */
export const wasComplete = (sql: Statements): boolean => {
  const structure = get(sql, "structure")
  return structure === "complete" || structure === "changed"
}
