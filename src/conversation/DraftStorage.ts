/**
 * Text that a user typed and did not send when a session ended. It is offered to the next session in the same folder
 * and mode, and to no other.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Text from "../base/Text.ts"
import * as AtomicFile from "../disk/AtomicFile.ts"
import { type DiskError, toWriteError } from "../disk/DiskError.ts"
import * as FileSystem from "../disk/FileSystem.ts"
import * as Sqlite from "../disk/Sqlite.ts"

export interface DraftStorage {
  /** Removes and returns the text; it is empty if there is none. */
  readonly take: Effect.Effect<string>
  /** Appends to the stored text. Returns whether anything was stored. */
  readonly put: (text: string) => Effect.Effect<boolean, DiskError>
}

/** A storage that stores nothing. */
export const none: DraftStorage = { take: Effect.succeed(""), put: () => Effect.succeed(false) }

/** The place in which text was typed: only a session in the same place offers it. */
export interface Place {
  /** The working folder, absolute. */
  readonly folder: string
  /** The owner of the mode's conversations: `chat`, or `document:` with a path. */
  readonly owner: string
}

/**
 * Stores the text in a file that exists only while there is text. Its name is `file` with a suffix that depends on the
 * place. A file that cannot be read is left as it is.
 */
export const inFile = (file: string, place: Place): DraftStorage => {
  const typedFile = `${file}-${nameOf(place)}`
  return {
    take: Effect.orElseSucceed(
      Sqlite.attempt(typedFile, () => {
        const text = AtomicFile.read(typedFile)
        if (text !== "") AtomicFile.remove(typedFile)
        return text
      }),
      () => "",
    ),
    put: (text) => (text.trim() === "" ? Effect.succeed(false) : append(typedFile, text)),
  }
}

/** Makes a name such as `chat-9f86d081884c`: the kind of the owner, and a digest of the place. */
const nameOf = ({ folder, owner }: Place): string => {
  const [kind = ""] = owner.split(":")
  return `${kind}-${Text.sha256(`${folder}\0${owner}`).slice(0, 12)}`
}

const append = (file: string, text: string): Effect.Effect<true, DiskError> =>
  Sqlite.attempt(file, () => {
    ensureFolder(file)
    const left = AtomicFile.read(file)
    AtomicFile.replace(file, left === "" ? text : `${left}\n\n${text}`, { mode: 0o600 })
    return true as const
  })

/** Creates the folder again if it was removed in the meantime. */
const ensureFolder = (file: string): void => {
  try {
    FileSystem.makeFolder(path.dirname(file), 0o700)
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}
