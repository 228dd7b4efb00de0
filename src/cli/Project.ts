/** The indexed folder that a command reads from. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { FileError } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"
import * as Workspace from "../code/Workspace.ts"
import { IndexError, NotIndexed } from "../indexing/IndexError.ts"
import * as IndexStore from "../indexing/IndexStore.ts"
import { printableLine } from "../message/Printable.ts"
import * as Screen from "./Screen.ts"

/**
 * Opens the index of `root`, else of the nearest folder that has one, from the current folder upwards, and brings it
 * up to date, so that no answer is about code that is gone. What cannot be brought up to date still answers.
 */
export const open = Effect.fn("Project.open")(function* (root: Option.Option<string>) {
  const store = yield* IndexStore.IndexStore
  const { err } = yield* Screen.Screen
  const folder = Option.isSome(root) ? root.value : yield* nearest(path.resolve("."))
  const workspace = yield* Workspace.open(folder)
  const { index, outdated } = yield* store.openExisting(workspace)
  if (outdated !== undefined) {
    yield* Screen.line(err, printableLine(`vibe: the index may be out of date: ${outdated.message}`))
  }
  return { workspace, index }
})

const nearest = (start: string): Effect.Effect<string, FileError | IndexError, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    for (let folder = start; ; folder = path.dirname(folder)) {
      const found = yield* Effect.option(files.stat(path.join(folder, ".vibe")))
      if (Option.exists(found, ({ kind }) => kind === "folder")) return folder
      if (folder === path.dirname(folder)) {
        return yield* new IndexError({ path: start, reason: new NotIndexed() })
      }
    }
  })
