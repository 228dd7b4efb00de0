/**
 * Files of a conversation beside those of others: written at once, and never over what the conversation did not write
 * itself, or what the person has changed since.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileError } from "../../code/FileError.ts"
import type { Output } from "../../code/Output.ts"
import { UsageError } from "../../message/UsageError.ts"

/** What a file holds: the same, an earlier text of the conversation's, or what is not ours to replace. */
export type Holding = "same" | "ours" | "foreign"

export interface SavedFile {
  readonly path: string
  /** `left`: files of these names hold something else, and no other was to be added. */
  readonly how: "made" | "replaced" | "unchanged" | "left"
  /** What it replaced. */
  readonly before: string | undefined
  /** Files of these names that hold something else, and stay as they are. */
  readonly passed: ReadonlyArray<string>
}

export interface Options {
  readonly output: Output
  /** Names of files, the best first. */
  readonly names: ReadonlyArray<string>
  readonly text: string
  readonly holding: (path: string, there: string) => Holding
  /** Whether a file may be added beside those that hold something else; it may by default. */
  readonly mayAdd?: boolean | undefined
}

/** In the first file that may hold it. */
export const save = (options: Options): Effect.Effect<SavedFile, FileError | UsageError> =>
  Effect.gen(function* () {
    const { mayAdd = true, output, text } = options
    const place = yield* findPath(options)
    if (place.how === "unchanged") return place
    if (place.how === "made" && place.passed.length > 0 && !mayAdd) return { ...place, how: "left" as const }
    const { before } = yield* output.write(place.path, text)
    if (before === undefined || before === place.before) return place
    // Somebody has written there since we looked: it is theirs again.
    yield* output.write(place.path, before)
    return yield* save(options)
  }).pipe(Effect.withSpan("Saving.keep"))

const findPath = Effect.fnUntraced(function* ({ holding, names, output }: Options) {
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
      const held = holding(path, there.right)
      if (held === "same") return savedFile(path, "unchanged", passed)
      if (held === "ours") return savedFile(path, "replaced", passed, there.right)
    }
    passed.push(path)
  }
  const [first] = refusals
  // Not the files are refused then, but their folder.
  if (first !== undefined && refusals.length === passed.length) return yield* first
  return yield* new UsageError({ message: `there are too many files like ${passed[0]}` })
})

/** Something that has no text to compare: a folder, a link to elsewhere, a picture. */
const isInTheWay = ({ reason }: FileError): boolean =>
  ["Binary", "NotAFile", "Refused", "TooLarge", "Unreadable"].includes(reason._tag)

const savedFile = (path: string, how: SavedFile["how"], passed: ReadonlyArray<string>, before?: string): SavedFile => ({
  path,
  how,
  before,
  passed,
})

/** `prd-dark-mode.md`, `prd-dark-mode-2.md`, and so on. */
export const numberedNames = (name: string): ReadonlyArray<string> => {
  const [, stem = name, ending = ""] = /^(.*)(\.[^.]*)$/s.exec(name) ?? []
  return Array.from({ length: MAX_NUMBERED }, (_, at) => (at === 0 ? name : `${stem}-${at + 1}${ending}`))
}

/** `, since prd.json holds something else`. */
export const skippedText = (passed: ReadonlyArray<string>): string => {
  const last = passed.at(-1)
  if (last === undefined) return ""
  return passed.length === 1
    ? `, since ${last} holds something else, and stays as it is`
    : `, since ${passed[0]} to ${last} hold something else, and stay as they are`
}

const MAX_NUMBERED = 99
