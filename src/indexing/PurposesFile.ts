/** The file `.vibe/purposes.jsonl` as text, for what looks at it without an index. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { FileError, Refused } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"

/** Relative to the root of an index. */
export const PATH = ".vibe/purposes.jsonl"

/** What is recorded and not yet merged into it. */
const JOURNAL = ".vibe/purposes.journal.jsonl"

/** Far more than the purposes of any repository, in bytes. */
export const MAX_BYTES = 256_000_000

export interface Texts {
  /** Empty where there is no file. */
  readonly purposes: string
  readonly journal: string
}

/** `root` is a real path. Links are refused, as everywhere in `.vibe`. */
export const read = (root: string): Effect.Effect<Texts, FileError, Files.Files> =>
  Effect.all({ purposes: readText(path.join(root, PATH)), journal: readText(path.join(root, JOURNAL)) })

const readText = (file: string): Effect.Effect<string, FileError, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    const opened = yield* files.open(file)
    if (opened.realPath !== file) return yield* new FileError({ path: file, reason: new Refused() })
    return decoder.decode(yield* Files.readOpened(opened, MAX_BYTES))
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => (error._tag === "FileError" ? error : new FileError({ path: file, reason: error }))),
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeed(""),
    ),
  )

const decoder = new TextDecoder()

/** Replaces the file, unless it has another content than `known` by now. */
export const replace = (root: string, text: string, known: string): Effect.Effect<void, FileError, Files.Files> =>
  Effect.flatMap(Files.Files, (files) =>
    files.write(path.join(root, PATH), text, { bytes: new TextEncoder().encode(known) }),
  )
