/** The files of purposes as text, for commands that read them without an index. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { FileError, NotAFolder } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"
import * as PurposeShards from "./PurposeShards.ts"
import * as Purposes from "./Purposes.ts"

/** The path of the single file, relative to the root of an index. */
export const PATH = `.vibe/${PurposeShards.SINGLE}`

/** The folder of the shards, relative to the root of an index. */
export const FOLDER = `.vibe/${PurposeShards.FOLDER}`

/** The file of purposes that are recorded and not yet merged into the others. */
const JOURNAL = ".vibe/purposes.journal.jsonl"

/** The most bytes of a file, far more than the purposes of any repository. */
export const MAX_BYTES = 256_000_000

interface Texts {
  /** All files; `name` is relative to `.vibe`. The first is `purposes.jsonl`, empty if it does not exist. */
  readonly files: ReadonlyArray<PurposeShards.PurposeFile>
  readonly journal: string
}

/** Returns whether a path, relative to the root of an index, is one of the files. */
export const isPath = (file: string): boolean =>
  file === PATH || (path.posix.dirname(file) === FOLDER && PurposeShards.isShardName(path.posix.basename(file)))

/** The path of a file, relative to the root of an index. */
export const pathOf = ({ name }: Pick<PurposeShards.PurposeFile, "name">): string => `.vibe/${name}`

/** Joins the lines of all files as one text, in which each symbol has its versions, the newest last. */
export const toText = (files: ReadonlyArray<PurposeShards.PurposeFile>): string =>
  files.length === 1 ? (files[0]?.text ?? "") : Purposes.render(PurposeShards.toSingle(files))

/** Reads all files. `root` is a real path. Links are refused, as everywhere in `.vibe`. */
export const read: (root: string) => Effect.Effect<Texts, FileError, Files.Files> = Effect.fnUntraced(function* (root) {
  const names = [PurposeShards.SINGLE, ...(yield* namesOfShards(root))]
  const files: Array<PurposeShards.PurposeFile> = []
  for (const name of names) files.push({ name, text: yield* readText(path.join(root, ".vibe", name)) })
  return { files, journal: yield* readText(path.join(root, JOURNAL)) }
})

const namesOfShards = (root: string): Effect.Effect<ReadonlyArray<string>, FileError, Files.Files> =>
  Effect.gen(function* () {
    const folder = path.join(root, FOLDER)
    const { entries, realPath } = yield* (yield* Files.Files).list(folder)
    if (realPath !== folder) return yield* new FileError({ path: folder, reason: new NotAFolder() })
    const names = entries.flatMap(({ name }) =>
      PurposeShards.isShardName(name) ? [`${PurposeShards.FOLDER}/${name}`] : [],
    )
    return PurposeShards.inReadingOrder(names)
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeed([]),
    ),
  )

const readText = (file: string): Effect.Effect<string, FileError, Files.Files> =>
  Effect.flatMap(Files.Files, (files) => files.readReal(file, MAX_BYTES)).pipe(
    Effect.map(({ bytes }) => decoder.decode(bytes)),
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeed(""),
    ),
  )

const decoder = new TextDecoder()

/** Replaces a file, unless its content has changed meanwhile. */
export const replace = (
  root: string,
  { name, text: known }: PurposeShards.PurposeFile,
  text: string,
): Effect.Effect<void, FileError, Files.Files> =>
  Effect.flatMap(Files.Files, (files) =>
    files.write(path.join(root, ".vibe", name), text, { bytes: new TextEncoder().encode(known) }),
  )
