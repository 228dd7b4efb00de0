/** Folders on the way to a file. */
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * Makes the folder, and those above it that are not there; throws as Node does. One after the other: asked for all of
 * them at once, Node never comes back from where no folder can be made, such as `/proc` (seen with Node 24.21).
 */
export const make = (folder: string, mode = 0o777): void => {
  if (fs.existsSync(folder)) return
  make(path.dirname(folder), mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process was quicker.
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}
