/** What the program sets for its whole process. A program that embeds the library keeps its process as it is. */
import * as Context from "effect/Context"

/** Whether the process is vibe's own. Then the layers may change settings of V8, which hold for all threads. */
export class IsOwnProcess extends Context.Reference<IsOwnProcess>()("vibe/app/OwnProcess/IsOwnProcess", {
  defaultValue: () => false,
}) {}

/** Drops the warning that Node prints when `node:sqlite` loads; all others are printed. */
export const hideSqliteWarning = (): void => {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: ReadonlyArray<unknown>) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, [warning, ...rest])
    }
  }
}
