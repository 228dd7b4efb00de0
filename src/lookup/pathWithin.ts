/** The file or folder of an index that a path means, for searches in a part of the project. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../indexing/IndexStore.ts"

/**
 * Relative to the root, or absolute and inside it; a `./` or a slash at its end makes no difference. Fails as the workspace
 * does where there is no such file or folder; with no file of the index below it, an answer is empty.
 */
export const pathWithin = Effect.fnUntraced(function* (workspace: Workspace, index: Index, typed: string) {
  const relative = path.relative(workspace.root, path.resolve(workspace.root, typed)).replaceAll(path.sep, "/") || "."
  const [first] = yield* index.filesIn(relative)
  // What the index has is allowed; of anything else the workspace decides what may be said.
  if (first === undefined) {
    yield* Effect.catchIf(
      workspace.list(relative),
      ({ reason }) => reason._tag === "NotAFolder",
      () => workspace.read(relative),
    )
  }
  return relative
})
