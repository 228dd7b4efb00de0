/** Linked worktrees (`git worktree add`): further checkouts of a repository, each of which is a project of its own. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type { FileError } from "./FileError.ts"
import type * as Files from "./Files.ts"

/**
 * Returns the folder of Git that a file named `.git` names, for a linked worktree or a submodule. Links are not
 * followed at its end.
 */
export const readGitFile = (files: Files.Service, file: string): Effect.Effect<string, FileError> =>
  Effect.map(files.read(file, { most: MAX_GIT_FILE_BYTES }), (bytes) =>
    Path.resolve(
      Path.dirname(file),
      new TextDecoder()
        .decode(bytes)
        .replace(/^gitdir: /, "")
        .trim(),
    ),
  )

const MAX_GIT_FILE_BYTES = 10_000

/**
 * Returns the folder of Git that a linked worktree shares with the other checkouts; undefined if a folder is not the
 * top of one.
 */
export const sharedFolderOf = (files: Files.Service, folder: string): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    const file = Path.join(folder, ".git")
    if ((yield* files.stat(file)).kind !== "file") return undefined
    const own = yield* readGitFile(files, file)
    // The folder of Git of a submodule is in a folder named `modules`.
    if (Path.basename(Path.dirname(own)) !== "worktrees") return undefined
    return yield* files.realPath(Path.dirname(Path.dirname(own)))
  }).pipe(Effect.catchAll(() => Effect.succeed(undefined)))

/**
 * Returns whether a linked worktree, which shares the folder `shared`, is a copy of code of the project in a folder:
 * its main checkout is there, or the project is another worktree of it. The worktrees of a bare repository have no main
 * checkout.
 */
export const isCopyIn = (files: Files.Service, shared: string, project: string): Effect.Effect<boolean> => {
  const main = Path.basename(shared) === ".git" ? Path.dirname(shared) : undefined
  const isWithin = main === project || main?.startsWith(project.endsWith(Path.sep) ? project : project + Path.sep)
  return isWithin === true
    ? Effect.succeed(true)
    : Effect.map(sharedFolderOf(files, project), (other) => other === shared)
}
