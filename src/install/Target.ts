/**
 * Finds, writes and removes the file that a path names, and follows links if that is safe. A link out of the allowed
 * folders is refused, since a project can hold a link to any file of the user.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileError } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"
import { InstallError } from "./EditProblem.ts"

export interface Target {
  /** The path as the agent names it. */
  readonly path: string
  /** The path of the file with links resolved, even if there is no file yet. */
  readonly realPath: string
  /** The content; `undefined` if there is no file. */
  readonly bytes: Uint8Array | undefined
  readonly text: string | undefined
}

/** The most bytes of a file. The largest known are the histories in `~/.claude.json`, of some megabytes. */
const MAX_BYTES = 20_000_000

/**
 * Finds the file at `file`, which has to be below one of the folders. Fails if it is not a regular file, or not UTF-8.
 */
export const find = (file: string, folders: ReadonlyArray<string>): Effect.Effect<Target, InstallError, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    const refuse = (problem: string, advice: string) => new InstallError({ path: file, problem, advice })
    const realPath = yield* resolve(file).pipe(
      Effect.mapError((problem) => refuse(problem, "Put that right and run this again")),
    )
    const allowed = yield* Effect.forEach(folders, (folder) =>
      Effect.orElseSucceed(files.realPath(folder), () => folder),
    )
    if (!allowed.some((folder) => isInside(realPath, folder))) {
      return yield* refuse(
        `leads by a link to ${realPath}, outside of ${[...new Set(folders)].join(" and ")}`,
        "Edit that file yourself, or put a file in the place of the link",
      )
    }
    const stat = yield* Effect.option(files.stat(realPath))
    if (stat._tag === "None") return { path: file, realPath, bytes: undefined, text: undefined }
    if (stat.value.kind !== "file") {
      const found = stat.value.kind === "folder" ? "a folder" : "no regular file"
      return yield* refuse(`${found} is in the place of the file`, "Move it away and run this again")
    }
    const bytes = yield* Effect.mapError(Files.readAll(realPath, { most: MAX_BYTES }), ({ reason }) =>
      refuse(reason.message, "Nothing was changed"),
    )
    const text = decode(bytes)
    if (text === undefined) return yield* refuse("is not UTF-8", "Save it as UTF-8 and run this again")
    return { path: file, realPath, bytes, text }
  })

/**
 * Returns the real path of a file. If the file does not exist yet, returns the real path of the folders that do, and
 * the rest.
 */
const resolve = (file: string): Effect.Effect<string, string, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    const found = yield* Effect.either(files.realPath(file))
    if (Either.isRight(found)) return found.right
    if (found.left.reason._tag !== "NotFound") return yield* Effect.fail(found.left.reason.message)
    if (yield* Effect.isSuccess(files.stat(file))) return yield* Effect.fail("is a link to a file that does not exist")
    const above = path.dirname(file)
    if (above === file) return file
    const folder = yield* resolve(above)
    const stat = yield* Effect.option(files.stat(folder))
    if (stat._tag === "Some" && stat.value.kind !== "folder") return yield* Effect.fail(`${above} is not a folder`)
    return path.join(folder, path.basename(file))
  })

const isInside = (file: string, folder: string): boolean => {
  const relative = path.relative(folder, file)
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative)
}

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    // The text keeps its byte order mark, which is written again.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Writes the text in place of what `find` has read, and makes the folders that are missing. */
export const write = (target: Target, text: string): Effect.Effect<void, InstallError, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    yield* makeFolders(path.dirname(target.realPath))
    yield* files.write(target.realPath, text, { bytes: target.bytes })
  }).pipe(Effect.mapError(toInstallError(target)))

/** Removes the file, and the folders below `base` that are then empty. */
export const remove = (target: Target, base: string): Effect.Effect<void, InstallError, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    if (target.bytes !== undefined) yield* files.remove(target.realPath, target.bytes)
    const top = yield* Effect.orElseSucceed(files.realPath(base), () => base)
    let folder = path.dirname(target.realPath)
    while (isInside(folder, top) && (yield* Effect.isSuccess(files.removeFolder(folder)))) folder = path.dirname(folder)
  }).pipe(Effect.mapError(toInstallError(target)))

const makeFolders = (folder: string): Effect.Effect<void, FileError, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    if (yield* Effect.isSuccess(files.stat(folder))) return
    const above = path.dirname(folder)
    // On Windows, a drive or a share may be missing.
    if (above !== folder) yield* makeFolders(above)
    yield* files.makeFolder(folder)
  })

const toInstallError =
  ({ path }: Target) =>
  ({ path: place, reason }: FileError): InstallError => {
    const problem = place === path ? reason.message : `${place} ${reason.message}`
    return new InstallError({ path, problem, advice: adviceFor(reason._tag) })
  }

const adviceFor = (reason: FileError["reason"]["_tag"]): string => {
  switch (reason) {
    case "Changed":
      return "Run this again to see the change for what it is now"
    case "Unwritable":
      return "Make it writable and run this again"
    case "Full":
      return "Make room and run this again"
    default:
      return "Nothing was changed there"
  }
}
