/** The file or folder of an index that a typed path means. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as PathSimilarity from "../search/PathSimilarity.ts"
import { NoSuchSymbol } from "./NoSuchSymbol.ts"
import type { Project } from "./Project.ts"

/** What a path may mean in the index: relative to the current folder first, then to the root. The root is `.`. */
export const meaningsOf = (root: string, typed: string): ReadonlyArray<string> =>
  [path.relative(root, path.resolve(typed)), path.normalize(typed)].map(
    (one) => one.replaceAll(path.sep, "/").replace(/\/$/, "") || ".",
  )

/** The path of a file or folder in the index; fails with the nearest ones where neither is there. */
export const findPath = Effect.fn("findPath")(function* (
  { displayPath, index, workspace }: Pick<Project, "displayPath" | "index" | "workspace">,
  typed: string,
) {
  const meanings = meaningsOf(workspace.root, typed)
  for (const meaning of meanings) {
    if ((yield* index.filesIn(meaning)).length > 0) return meaning
  }
  const files = (yield* index.files).map(({ path }) => path)
  const wanted = meanings.find((one) => !one.startsWith("../")) ?? typed
  return yield* noSuchPath(typed, PathSimilarity.nearest(files, wanted).map(displayPath))
})

/** The error of a path that the index does not have. */
export const noSuchPath = (typed: string, nearest: ReadonlyArray<string>): NoSuchSymbol =>
  new NoSuchSymbol({
    symbol: typed,
    problem: `no file ${path.extname(typed) !== "" ? "" : "or folder "}${typed} in the index`,
    nearest,
  })
