/** The indexed folder that a command reads from. */
import * as path from "node:path"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Files from "../../code/Files.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as Ownership from "../../config/Ownership.ts"
import { IndexError, NotIndexed, NotOwned } from "../../indexing/IndexError.ts"
import * as IndexStore from "../../indexing/IndexStore.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import * as Failure from "../Failure.ts"
import * as Screen from "../terminal/Screen.ts"

/**
 * Opens the index of `root`, else of the nearest folder that has one, from the current folder upwards, and brings it
 * up to date, so that no answer is about code that is gone. What cannot be brought up to date still answers. One that
 * belongs to another user is passed over, and is an error where it is that of `root`.
 */
export const open = Effect.fn("Project.open")(function* (root: Option.Option<string>) {
  const store = yield* IndexStore.IndexStore
  const { err } = yield* Screen.Screen
  if (Option.isSome(root)) yield* requireOwn(root.value)
  const folder = Option.isSome(root) ? root.value : yield* nearest(path.resolve("."))
  const workspace = yield* Workspace.open(folder)
  const { index, outdated } = yield* store.openExisting(workspace)
  if (outdated !== undefined) {
    yield* Screen.line(err, sanitizeLine(`vibe: the index may be out of date: ${outdated.message}`))
  }
  return { workspace, index }
})

/** Fails with `NotOwned` where the index of a folder belongs to another user, and the folder is not named as safe. */
export const requireOwn = (folder: string): Effect.Effect<void, ConfigError | IndexError, Files.Files> =>
  Effect.flatMap(findOtherOwner(folder), (owner) =>
    Option.isNone(owner) ? Effect.void : notOwned(folder, owner.value),
  )

const notOwned = (folder: string, owner: number): IndexError =>
  new IndexError({ path: path.resolve(folder, ".vibe"), reason: new NotOwned({ owner }) })

/** None where the user has named the folder as safe. */
const findOtherOwner = Effect.fnUntraced(function* (folder: string) {
  const owner = yield* Ownership.findOtherOwner(path.resolve(folder, ".vibe"))
  if (Option.isNone(owner)) return owner
  // Not loaded before they are needed: hardly any folder belongs to another.
  const { isSafeFolder } = yield* Effect.promise(() => import("../../config/Sources.ts"))
  return (yield* isSafeFolder(folder)) ? Option.none() : owner
})

const nearest = Effect.fnUntraced(function* (start: string) {
  const files = yield* Files.Files
  const { err } = yield* Screen.Screen
  for (let folder = start; ; folder = path.dirname(folder)) {
    const found = yield* Effect.option(files.stat(path.join(folder, ".vibe")))
    if (Option.exists(found, ({ kind }) => kind === "folder")) {
      const owner = yield* findOtherOwner(folder)
      if (Option.isNone(owner)) return folder
      yield* Screen.line(err, Failure.line(notOwned(folder, owner.value)))
    }
    if (folder === path.dirname(folder)) {
      return yield* new IndexError({ path: start, reason: new NotIndexed() })
    }
  }
})
