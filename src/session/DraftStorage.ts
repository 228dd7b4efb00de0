/**
 * Text that was not sent when a session ended. What a user typed is offered to the next session in the same folder and
 * mode, and to no other. What came through a pipe is kept in a file and never offered: it was not meant for a person.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as AtomicFile from "../disk/AtomicFile.ts"
import { type DiskError, toWriteError } from "../disk/DiskError.ts"
import * as Folder from "../disk/Folder.ts"
import * as Sqlite from "../disk/Sqlite.ts"
import * as Digest from "../indexing/Digest.ts"

export interface DraftStorage {
  /** Removes and returns what a user typed in the same folder and mode; empty where there is none. */
  readonly take: Effect.Effect<string>
  /** Appends to what is kept of this source. Returns the file that holds it; none where nothing is stored. */
  readonly put: (text: string, source: Source) => Effect.Effect<string | undefined, DiskError>
}

/** `typed`: at a prompt. `piped`: read from a program or a file. */
export type Source = "typed" | "piped"

/** Stores nothing. */
export const none: DraftStorage = { take: Effect.succeed(""), put: () => Effect.succeed(undefined) }

/** Where text was typed: only a session there is offered it. */
export interface Place {
  /** The working folder, absolute. */
  readonly folder: string
  /** The owner of the mode's conversations: `chat`, or `document:` with a path. */
  readonly owner: string
}

/**
 * In files that exist only while there is text. Piped text is in `file`; typed text is in a file beside it, whose name
 * depends on the place. A file that cannot be read is left as it is.
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
    put: (text, source) =>
      text.trim() === "" ? Effect.succeed(undefined) : append(source === "typed" ? typedFile : file, text),
  }
}

/** `chat-9f86d081884c`: the kind of the owner, and a digest of the place. */
const nameOf = ({ folder, owner }: Place): string => {
  const [kind = ""] = owner.split(":")
  return `${kind}-${Digest.sha256(`${folder}\0${owner}`).slice(0, 12)}`
}

const append = (file: string, text: string): Effect.Effect<string, DiskError> =>
  Sqlite.attempt(file, () => {
    ensureFolder(file)
    const left = AtomicFile.read(file)
    AtomicFile.replace(file, left === "" ? text : `${left}\n\n${text}`, { mode: 0o600 })
    return file
  })

/** The folder may have been removed since. */
const ensureFolder = (file: string): void => {
  try {
    Folder.make(path.dirname(file), 0o700)
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}
