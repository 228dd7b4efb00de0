/** Makes a workspace that names the nearest paths if one does not exist. */
import * as Effect from "effect/Effect"
import { FileError, NotFound } from "../../code/FileError.ts"
import * as Repository from "../../code/Repository.ts"
import type { Workspace } from "../../code/Workspace.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as PathSimilarity from "../../search/PathSimilarity.ts"

/** Suggests paths of the index. */
export const fromIndex = (workspace: Workspace, index: Index): Workspace =>
  suggestPaths(
    workspace,
    Effect.map(index.files, (files) => files.map(({ path }) => path)),
  )

/** Suggests any paths of the workspace, which it walks through each time that a path does not exist. */
export const fromWorkspace = (workspace: Workspace): Workspace =>
  suggestPaths(
    workspace,
    Effect.map(Repository.walk(workspace), ({ files }) => files.map(({ path }) => path)),
  )

const suggestPaths = (workspace: Workspace, paths: Effect.Effect<ReadonlyArray<string>, unknown>): Workspace => {
  const orSuggest = <A>(effect: Effect.Effect<A, FileError>): Effect.Effect<A, FileError> =>
    Effect.catchIf(
      effect,
      ({ reason }) => reason._tag === "NotFound",
      ({ path }) =>
        paths.pipe(
          Effect.orElseSucceed((): ReadonlyArray<string> => []),
          Effect.flatMap((files) => new FileError({ path, reason: new NotFound({ nearest: nearest(files, path) }) })),
        ),
    )
  return {
    ...workspace,
    list: (folder) => orSuggest(workspace.list(folder)),
    read: (file) => orSuggest(workspace.read(file)),
  }
}

/** Returns the nearest paths; folders end in a slash. Models write `./src/a.ts` and `src/`. */
const nearest = (files: ReadonlyArray<string>, path: string): ReadonlyArray<string> => {
  const known = new Set(files)
  return PathSimilarity.nearest(files, path.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "")).map((path) =>
    known.has(path) ? path : `${path}/`,
  )
}
