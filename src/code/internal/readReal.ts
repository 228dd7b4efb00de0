/** Reads a file at a path that was checked before, and makes sure that it was that file. */
import * as Effect from "effect/Effect"
import { type FileError, type Reason, Refused } from "../FileError.ts"
import * as Files from "../Files.ts"

/** More than any source that people write, and more than a model can take in: 2 MB. */
export const MAX_FILE_BYTES = 2_000_000

export interface Read {
  readonly bytes: Uint8Array
  readonly stat: Files.Stat
}

/** All of it. `path` is a real path: what turns out to lie elsewhere, for a link set up meanwhile, is refused unread. */
export const readReal = (files: Files.Service, path: string): Effect.Effect<Read, FileError | Reason> =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* files.open(path)
      if (file.realPath !== path) return yield* new Refused()
      return { bytes: yield* Files.readOpened(file, MAX_FILE_BYTES), stat: file.stat }
    }),
  )
