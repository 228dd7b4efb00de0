/** The folder that a command reviews: that of the nearest index in the repository, or the top of the repository. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Files from "../../code/Files.ts"
import * as Revisions from "../../review/Revisions.ts"
import * as Project from "../project/Project.ts"

export interface Reviewed {
  readonly repository: Revisions.Repository
  /** The folder, as a real path. */
  readonly folder: string
  /** The path of `root` in the repository, with `/`; empty at the top. */
  readonly inRepository: string
}

/**
 * Finds the folder that is reviewed. `root` is the folder that the user names; without it, the search goes upwards from
 * `within`, by default the current folder, in the repository.
 */
export const find = Effect.fn("Reviewed.find")(function* (
  root: Option.Option<string>,
  within: Option.Option<string> = Option.none(),
  command = "",
) {
  const files = yield* Files.Files
  yield* Project.requireOne(root, within, command)
  const named = Option.orElse(root, () => within)
  if (Option.isSome(named)) yield* Project.requireFolder(named.value)
  const start = yield* files.realPath(path.resolve(Option.getOrElse(named, () => ".")))
  const repository = yield* Revisions.open(start)
  const top = yield* files.realPath(repository.top)
  const nearest = Option.isSome(root) ? start : yield* Project.findNearestWithin(start, top)
  yield* Project.requireOwn(nearest)
  const inRepository = path.relative(top, nearest).replaceAll(path.sep, "/")
  const reviewed: Reviewed = { repository: { ...repository, top }, folder: nearest, inRepository }
  return reviewed
})
