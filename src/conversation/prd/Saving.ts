/**
 * Saves the files of a conversation beside others. It never replaces a file that the conversation did not write, or
 * that the user has changed since.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { UsageError } from "../../base/UsageError.ts"
import type { FileError } from "../../code/FileError.ts"
import type { Output } from "../../code/Output.ts"

/**
 * The content of a file: the same text, an earlier text of the conversation, or something that must not be replaced.
 */
export type ContentKind = "same" | "ours" | "foreign"

export interface SavedFile {
  readonly path: string
  /** `left` means that nothing was written, since files of these names have other content and none may be added. */
  readonly how: "made" | "replaced" | "unchanged" | "left"
  /** The content that was replaced. */
  readonly before: string | undefined
  /** Files of these names with other content, which were not changed. */
  readonly passed: ReadonlyArray<string>
}

export interface Options {
  readonly output: Output
  /** Names of files, the preferred one first. */
  readonly names: ReadonlyArray<string>
  readonly text: string
  readonly classify: (path: string, there: string) => ContentKind
  /** True if a file may be added beside files with other content, which is the default. */
  readonly mayAdd?: boolean | undefined
}

/** Saves to the first file that may be written. */
export const save = (options: Options): Effect.Effect<SavedFile, FileError | UsageError> =>
  Effect.gen(function* () {
    const { mayAdd = true, output, text } = options
    const place = yield* findPath(options)
    if (place.how === "unchanged") return place
    if (place.how === "made" && place.passed.length > 0 && !mayAdd) return { ...place, how: "left" as const }
    const { before } = yield* output.write(place.path, text)
    if (before === undefined || before === place.before) return place
    // The file was changed after it was read: restore that change, and try again.
    yield* output.write(place.path, before)
    return yield* save(options)
  }).pipe(Effect.withSpan("Saving.save"))

const findPath = Effect.fnUntraced(function* ({ classify, names, output }: Options) {
  const passed: Array<string> = []
  const refusals: Array<FileError> = []
  for (const name of names) {
    const path = output.folder === "" ? name : `${output.folder}/${name}`
    const there = yield* Effect.either(output.read(path))
    if (Either.isLeft(there)) {
      if (!isInTheWay(there.left)) return yield* there.left
      refusals.push(there.left)
    } else if (there.right === undefined) return savedFile(path, "made", passed)
    else {
      const held = classify(path, there.right)
      if (held === "same") return savedFile(path, "unchanged", passed)
      if (held === "ours") return savedFile(path, "replaced", passed, there.right)
    }
    passed.push(path)
  }
  const [first] = refusals
  // If every name is refused, the folder is the reason.
  if (first !== undefined && refusals.length === passed.length) return yield* first
  return yield* new UsageError({ message: `there are too many files like ${passed[0]}` })
})

/** Returns true if the path has no text to compare: it is a folder, a link to outside, or an image. */
const isInTheWay = ({ reason }: FileError): boolean =>
  ["Binary", "NotAFile", "Refused", "TooLarge", "Unreadable"].includes(reason._tag)

const savedFile = (path: string, how: SavedFile["how"], passed: ReadonlyArray<string>, before?: string): SavedFile => ({
  path,
  how,
  before,
  passed,
})

/** Numbers a name: `prd-dark-mode.md`, `prd-dark-mode-2.md`, and so on. */
export const numberedNames = (name: string): ReadonlyArray<string> => {
  const [, stem = name, ending = ""] = /^(.*)(\.[^.]*)$/s.exec(name) ?? []
  return Array.from({ length: MAX_NUMBERED }, (_, at) => (at === 0 ? name : `${stem}-${at + 1}${ending}`))
}

/** Says which names were skipped: `, since prd.json holds something else`. */
export const skippedText = (passed: ReadonlyArray<string>): string => {
  const last = passed.at(-1)
  if (last === undefined) return ""
  return passed.length === 1
    ? `, since ${last} holds something else, and stays as it is`
    : `, since ${passed[0]} to ${last} hold something else, and stay as they are`
}

const MAX_NUMBERED = 99
