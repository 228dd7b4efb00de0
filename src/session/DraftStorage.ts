/** Words that a person has written and not sent when a conversation ended under them: the next one begins with them. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as AtomicFile from "../disk/AtomicFile.ts"
import { type DiskError, unwritten } from "../disk/DiskError.ts"
import * as Folder from "../disk/Folder.ts"
import * as Sqlite from "../disk/Sqlite.ts"

export interface DraftStorage {
  /** What was left, which is left no longer; empty where nothing was. */
  readonly take: Effect.Effect<string>
  /** Adds to what was left already. */
  readonly put: (text: string) => Effect.Effect<void, DiskError>
}

/** Nothing is kept. */
export const none: DraftStorage = { take: Effect.succeed(""), put: () => Effect.void }

/** In a file that is there only as long as something is left. What cannot be read stays where it is. */
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
