/** Text that was written and not sent when a session ended; the next session starts with it. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as AtomicFile from "../disk/AtomicFile.ts"
import { type DiskError, unwritten } from "../disk/DiskError.ts"
import * as Folder from "../disk/Folder.ts"
import * as Sqlite from "../disk/Sqlite.ts"

export interface DraftStorage {
  /** Removes and returns the stored text; empty where there is none. */
  readonly take: Effect.Effect<string>
  /** Appends to the stored text. */
  readonly put: (text: string) => Effect.Effect<void, DiskError>
}

/** Stores nothing. */
export const none: DraftStorage = { take: Effect.succeed(""), put: () => Effect.void }

/** In a file that exists only while there is text. A file that cannot be read is left as it is. */
export const inFile = (file: string): DraftStorage => ({
  take: Effect.orElseSucceed(
    Sqlite.attempt(file, () => {
      const text = AtomicFile.read(file)
      if (text !== "") AtomicFile.remove(file)
      return text
    }),
    () => "",
  ),
  put: (text) =>
    text.trim() === ""
      ? Effect.void
      : Sqlite.attempt(file, () => {
          ensureFolder(file)
          const left = AtomicFile.read(file)
          AtomicFile.replace(file, left === "" ? text : `${left}\n\n${text}`, { mode: 0o600 })
        }),
})

/** The folder may have been removed since. */
const ensureFolder = (file: string): void => {
  try {
    Folder.make(path.dirname(file), 0o700)
  } catch (cause) {
    throw unwritten(file, cause)
  }
}
