/** The files of a workspace that are neither ignored nor secret, in a stable order. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileError } from "./FileError.ts"
import type { File, Folder, Workspace } from "./Workspace.ts"

export interface Walk {
  /** Sorted by path, in code units. */
  readonly files: ReadonlyArray<File>
  /** The number of entries that are ignored, secret, or neither file nor folder. An ignored folder counts once. */
  readonly hidden: number
  /** Folders that could not be listed, and those beyond `MAX_DEPTH`, sorted. */
  readonly unreadable: ReadonlyArray<string>
  /** Files and folders whose names are not UTF-8 (`Listing`), sorted. */
  readonly nameless: ReadonlyArray<string>
}

/** The most levels of folders. It ends the walk of a file system that is mounted within itself. */
export const MAX_DEPTH = 64

/** Walks from `top`, by default the root. Fails if that folder cannot be listed. Links are not followed. */
export const walk: (workspace: Workspace, top?: string) => Effect.Effect<Walk, FileError> = Effect.fn(
  "Repository.walk",
)(function* (workspace, top = "") {
  const files: Array<File> = []
  const { hidden, nameless, unreadable } = yield* visit(workspace, top, (_, listed) =>
    Effect.sync(() => {
      for (const file of listed) files.push(file)
    }),
  )
  return { files: files.sort(byPath), hidden, unreadable, nameless }
})

/** The order of the files of a walk. */
export const byPath = (one: File, other: File): number => (one.path < other.path ? -1 : 1)

/**
 * Walks from `top` like `walk`, and calls `onFolder` with each folder, the outer one first, and with its files. Use it
 * if little of a walk is kept: 100,000 files take 60 MB.
 */
export const visit = <E, R>(
  workspace: Workspace,
  top: string,
  onFolder: (folder: string, files: ReadonlyArray<File>) => Effect.Effect<void, E, R>,
): Effect.Effect<Omit<Walk, "files">, E | FileError, R> =>
  Effect.gen(function* () {
    const unreadable: Array<string> = []
    const nameless: Array<string> = []
    let hidden = 0
    const folders: Array<string | Folder> = [top]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const path = typeof folder === "string" ? folder : folder.path
      if (path.split("/").length > MAX_DEPTH) {
        unreadable.push(path)
        continue
      }
      const listed = yield* Effect.either(workspace.list(folder))
      if (Either.isLeft(listed)) {
        if (folder === top) return yield* listed.left
        unreadable.push(path)
        continue
      }
      hidden += listed.right.hidden
      if (listed.right.nameless !== undefined) nameless.push(...listed.right.nameless)
      const files: Array<File> = []
      for (const entry of listed.right.entries) {
        if (entry.kind === "folder") folders.push(entry)
        else files.push(entry)
      }
      yield* onFolder(path, files)
    }
    return { hidden, unreadable: unreadable.sort(), nameless: nameless.sort() }
  })
