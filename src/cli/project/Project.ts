/** Opens the index that a command reads. */
import * as path from "node:path"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import { FileError, NotAFolder } from "../../code/FileError.ts"
import * as Files from "../../code/Files.ts"
import * as LinkedWorktree from "../../code/LinkedWorktree.ts"
import * as Selection from "../../code/Selection.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as Ownership from "../../config/Ownership.ts"
import { IndexError, NotIndexed, NotOwned } from "../../index/IndexError.ts"
import * as IndexStore from "../../index/IndexStore.ts"
import { displayPath, type Project } from "../../lookup/Project.ts"
import * as Failure from "../Failure.ts"
import * as Screen from "../terminal/Screen.ts"

/**
 * Opens the index of `root`, or else of the nearest folder that has one, from the current folder upwards. It refreshes
 * the index, so that no result is about code that is gone; if that fails, it prints a warning and uses the index as it
 * is. An index of another user is skipped, or is an error if it is that of `root`. With `refresh: "later"` the index is
 * opened as it is.
 */
export const open = Effect.fn("Project.open")(function* (
  root: Option.Option<string>,
  options?: { readonly refresh?: "now" | "later" | undefined },
) {
  const store = yield* IndexStore.IndexStore
  const { err } = yield* Screen.Screen
  if (Option.isSome(root)) yield* requireOwn(root.value)
  const folder = Option.isSome(root) ? root.value : yield* requireNearest(path.resolve("."))
  const { index, outdated, workspace } = yield* store.openExisting(
    yield* Workspace.open(folder, yield* selectionFor(folder)),
    options,
  )
  if (outdated !== undefined) {
    yield* Screen.line(err, sanitizeLine(`vibe: the index may be out of date: ${outdated.message}`))
  }
  const project: Project = { workspace, index, displayPath: displayPath(workspace.root, path.resolve(".")) }
  return project
})

/** Opens the same for a folder that the user names in place of `root`: the nearest index from there upwards. */
export const openAt = Effect.fn("Project.openAt")(function* (
  root: Option.Option<string>,
  within: Option.Option<string>,
  command: string,
) {
  yield* requireOne(root, within, command)
  if (Option.isNone(within)) return yield* open(root)
  yield* requireFolder(within.value)
  return yield* open(Option.some(yield* requireNearest(path.resolve(within.value))))
})

/**
 * Opens the same for a path that may be of any project. If it is a file or folder, this is the project around it;
 * otherwise the path changes nothing.
 */
export const openAround = Effect.fn("Project.openAround")(function* (
  root: Option.Option<string>,
  named: Option.Option<string>,
) {
  const files = yield* Files.Files
  if (Option.isSome(root) || Option.isNone(named)) return yield* open(root)
  const place = path.resolve(named.value)
  const stat = yield* Effect.option(files.stat(place))
  if (Option.isNone(stat)) {
    // A relative path may start at the root of the index around the current folder.
    if (path.isAbsolute(named.value)) yield* requireFolder(named.value)
    return yield* open(root)
  }
  return yield* open(Option.some(yield* requireNearest(stat.value.kind === "folder" ? place : path.dirname(place))))
})

/**
 * Finds the folder of the index around a file or folder that is outside of the current folder, by its path (`../b`,
 * `/b/c.ts`, `/b/c.ts:NAME`). Returns `None` for any other text, and if the user has named a root.
 */
export const findElsewhere = Effect.fnUntraced(function* (root: Option.Option<string>, text: string) {
  const files = yield* Files.Files
  const isElsewhere = path.isAbsolute(text) || /^\.\.(?:[\\/]|$)/.test(text)
  if (Option.isSome(root) || !isElsewhere) return Option.none<string>()
  for (const named of [text, text.replace(/:[^:\\/]*$/, "")]) {
    const place = path.resolve(named)
    const stat = yield* Effect.option(files.stat(place))
    if (Option.isSome(stat)) return yield* findNearest(stat.value.kind === "folder" ? place : path.dirname(place))
  }
  return Option.none<string>()
})

/** Fails if a path is no folder, with the path as it was typed. A link to a folder counts as one. */
export const requireFolder = Effect.fnUntraced(function* (typed: string) {
  const files = yield* Files.Files
  const toError = Effect.mapError(({ reason }: FileError) => new FileError({ path: typed, reason }))
  const { kind } = yield* toError(Effect.flatMap(files.realPath(path.resolve(typed)), files.stat))
  if (kind !== "folder") return yield* new FileError({ path: typed, reason: new NotAFolder() })
})

/** Fails if a folder is named in two ways. */
export const requireOne = (
  root: Option.Option<string>,
  within: Option.Option<string>,
  command: string,
): Effect.Effect<void, UsageError> =>
  Option.isSome(root) && Option.isSome(within)
    ? Effect.fail(new UsageError({ message: `'${within.value}' and --root are two folders`, command }))
    : Effect.void

/**
 * Says on stderr what is wrong with the settings of a folder, for a command that does without them. It takes 7 % of the
 * time of a query if the folder has a file of settings, and nothing otherwise: the file is not looked for in the
 * folders above.
 */
export const warnOfSettings = Effect.fnUntraced(function* (folder: string) {
  const files = yield* Files.Files
  if (!(yield* Effect.isSuccess(files.stat(path.join(folder, ".vibe", "config.toml"))))) return
  const { err } = yield* Screen.Screen
  yield* Effect.catchAll(configuredSelection(folder), (error) =>
    Screen.line(err, sanitizeLine(`vibe: the settings are not used: ${Failure.sentence(error)}`)),
  )
})

/**
 * The selection of files for a new index, by the settings, when a command that reads makes it, as in a fresh clone. An
 * existing index has the selection that `vibe index` stored.
 */
export const selectionFor = Effect.fnUntraced(function* (folder: string) {
  const files = yield* Files.Files
  if (yield* Effect.isSuccess(files.stat(path.join(folder, ".vibe", "index.db")))) return Selection.none
  return yield* configuredSelection(folder)
})

/** The selection of files in a folder, by the settings. */
export const configuredSelection = Effect.fnUntraced(function* (folder: string) {
  // The modules are loaded on demand, once for each clone.
  const [AppConfig, Sources] = yield* Effect.promise(() =>
    Promise.all([import("../../config/AppConfig.ts"), import("../../config/Sources.ts")]),
  )
  return yield* Effect.provide(AppConfig.selection, Sources.layer(folder))
})

/** Fails with `NotOwned` if the index of a folder belongs to another user, and the folder is not named as safe. */
export const requireOwn = (folder: string): Effect.Effect<void, ConfigError | IndexError, Files.Files> =>
  Effect.flatMap(findOtherOwner(folder), (owner) =>
    Option.isNone(owner) ? Effect.void : notOwned(folder, owner.value),
  )

const notOwned = (folder: string, owner: number): IndexError =>
  new IndexError({ path: path.resolve(folder, ".vibe"), reason: new NotOwned({ owner }) })

/** Returns `None` if the index is the user's own, or the user has named the folder as safe. */
const findOtherOwner = Effect.fnUntraced(function* (folder: string) {
  const owner = yield* Ownership.findOtherOwner(path.resolve(folder, ".vibe"))
  if (Option.isNone(owner)) return owner
  // The module is loaded on demand: folders of other users are rare.
  const { isSafeFolder } = yield* Effect.promise(() => import("../../config/Sources.ts"))
  return (yield* isSafeFolder(folder)) ? Option.none() : owner
})

const requireNearest = (start: string) =>
  Effect.flatMap(
    findNearest(start),
    Option.match({
      onNone: () => Effect.fail(new IndexError({ path: start, reason: new NotIndexed() })),
      onSome: Effect.succeed,
    }),
  )

/**
 * Finds the nearest folder with a `.vibe`, from `start` upwards. One of another user is skipped with a warning. A
 * linked worktree (`git worktree add`) has other code than the checkout around it, so an index of that checkout is
 * skipped.
 */
export const findNearest = (start: string) => searchUpwards(start, undefined)

/** Finds the same up to `top`; `top` if there is none. Both are real paths. */
export const findNearestWithin = (start: string, top: string) =>
  Effect.map(
    searchUpwards(start, top),
    Option.getOrElse(() => top),
  )

const searchUpwards = Effect.fnUntraced(function* (start: string, top: string | undefined) {
  const files = yield* Files.Files
  const { err } = yield* Screen.Screen
  let shared: string | undefined
  for (let folder = start; ; folder = path.dirname(folder)) {
    const found = yield* Effect.option(files.stat(path.join(folder, ".vibe")))
    const isOther = shared !== undefined && (yield* LinkedWorktree.isCopyIn(files, shared, folder))
    if (!isOther && Option.exists(found, ({ kind }) => kind === "folder")) {
      const owner = yield* findOtherOwner(folder)
      if (Option.isNone(owner)) return Option.some(folder)
      yield* Screen.line(err, Failure.line(notOwned(folder, owner.value)))
    }
    if (folder === top || folder === path.dirname(folder)) return Option.none()
    shared ??= yield* LinkedWorktree.sharedFolderOf(files, folder)
  }
})
