/** Reads a file of a sandbox, and decodes its bytes. */
import * as Effect from "effect/Effect"
import { type FileError, type Reason, Refused } from "../FileError.ts"
import * as Files from "../Files.ts"

/** 2 MB: longer than hand-written source, and than the context of a model. */
export const MAX_FILE_BYTES = 2_000_000

export interface Read {
  readonly bytes: Uint8Array
  readonly stat: Files.Stat
}

/**
 * Reads the whole file. `path` is a real path: if it leads elsewhere by now, through a new link, it is refused unread.
 */
export const readReal = (
  files: Files.Service,
  path: string,
  limit: number = MAX_FILE_BYTES,
): Effect.Effect<Read, FileError | Reason> =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* files.open(path)
      if (file.realPath !== path) return yield* new Refused()
      return { bytes: yield* Files.readOpened(file, limit), stat: file.stat }
    }),
  )

/** Decodes UTF-16 with a byte order mark, else UTF-8. The mark is dropped; invalid bytes become U+FFFD. */
export const decode = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16LittleEndian.decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16BigEndian.decode(bytes)
  return utf8.decode(bytes)
}

/** Returns whether there is a NUL among the first 8,192 characters, which means binary, as in Git. */
export const isBinary = (text: string): boolean => text.slice(0, 8_192).includes("\0")

const utf8 = new TextDecoder("utf-8")
const utf16LittleEndian = new TextDecoder("utf-16le")
const utf16BigEndian = new TextDecoder("utf-16be")
