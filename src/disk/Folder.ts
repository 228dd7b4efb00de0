/** Makes folders. */
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * Makes a folder and its missing parents; throws as Node does. It makes them one at a time, since `mkdirSync` with
 * `recursive` never returns if no folder can be made, such as in `/proc` (Node 24.21).
 */
export const make = (folder: string, mode = 0o777): void => {
  if (fs.existsSync(folder)) return
  const above = path.dirname(folder)
  // A drive or a share of Windows may not exist.
  if (above !== folder) make(above, mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process has made it meanwhile.
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}
