/** The running operations: a row for each, with the process id. A process that is killed leaves its rows behind. */
import { isAlive } from "../../../disk/FileSystem.ts"
import type { Statements } from "../../../disk/Sqlite.ts"

/** The operations of this process; an earlier process may have had the same id. */
const own = new Set<string>()

/** Records an operation; does nothing if it has started already. */
export const start = (sql: Statements, operationId: string): void => {
  own.add(operationId)
  const { changes } = sql("insert into running (operation_id, process) values (?, ?) on conflict do nothing").run(
    operationId,
    process.pid,
  )
  if (Number(changes) > 0) removeEnded(sql)
}

export const end = (sql: Statements, operationId: string): void => {
  own.delete(operationId)
  sql("delete from running where operation_id = ?").run(operationId)
}

export const list = (sql: Statements): ReadonlyArray<string> =>
  sql("select operation_id, process from running")
    .all()
    .flatMap((row) => (isRunning(row) ? [String(row.operation_id)] : []))

const isRunning = ({ operation_id: id, process: pid }: Readonly<Record<string, unknown>>): boolean =>
  pid === process.pid ? own.has(String(id)) : isAlive(Number(pid))

const removeEnded = (sql: Statements): void => {
  for (const row of sql("select operation_id, process from running").all()) {
    if (!isRunning(row)) sql("delete from running where operation_id = ?").run(String(row.operation_id))
  }
}
