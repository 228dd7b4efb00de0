/** The file or folder of an index that a typed path means. */
import * as Effect from "effect/Effect"
import * as PathSimilarity from "../search/PathSimilarity.ts"
import { NoSuchSymbol } from "./NoSuchSymbol.ts"
import { type Project, pathOf } from "./Project.ts"
import * as RepositoryPath from "./repositories/RepositoryPath.ts"

/**
 * Returns the paths that a typed path may mean: relative to the current folder first, then to the root. The root is
 * `.`.
 */
export const pathsOf = (
  { root }: Pick<Project["workspace"], "root">,
  typed: string,
  current: string = process.cwd(),
  platform: NodeJS.Platform = process.platform,
): ReadonlyArray<string> => {
  const { normalize, relative, resolve, sep } = pathOf(platform)
  return [relative(root, resolve(current, typed)), normalize(typed)].map(
    (one) => one.replaceAll(sep, "/").replace(/\/$/, "") || ".",
  )
}

/** Does the same for a project that may be made of several repositories. */
export const candidatesIn = (
  { repositories, workspace }: Pick<Project, "repositories" | "workspace">,
  typed: string,
): ReadonlyArray<string> =>
  repositories === undefined ? pathsOf(workspace, typed) : RepositoryPath.candidates(repositories, typed)

/** Finds the path of a file or folder in the index. If there is no such path, fails with the nearest ones. */
export const findPath = Effect.fn("findPath")(function* (
  project: Pick<Project, "displayPath" | "index" | "repositories" | "workspace">,
  typed: string,
) {
  const { displayPath, index } = project
  const paths = candidatesIn(project, typed)
  for (const path of paths) {
    if ((yield* index.filesIn(path)).length > 0) return path
  }
  const files = (yield* index.files).map(({ path }) => path)
  const wanted = paths.find((one) => !one.startsWith("../")) ?? typed
  return yield* new NoSuchSymbol({
    symbol: typed,
    problem: `no file or folder ${typed} in the index`,
    nearest: PathSimilarity.nearest(files, wanted).map(displayPath),
  })
})
