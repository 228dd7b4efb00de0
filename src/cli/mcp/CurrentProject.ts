/** The project that tool calls are about: opened with the first call, and brought up to date before each. */
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Files from "../../code/Files.ts"
import type * as Watcher from "../../code/Watcher.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as Freshness from "../../indexing/Freshness.ts"
import { IndexError, NotIndexed } from "../../indexing/IndexError.ts"
import type * as IndexStore from "../../indexing/IndexStore.ts"
import * as FreshProject from "../../lookup/FreshProject.ts"
import { displayPath, type Project as IndexedProject } from "../../lookup/Project.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import { Failed } from "../../tool/ToolError.ts"
import type * as LookupTools from "../../toolbox/LookupTools.ts"
import * as Project from "../project/Project.ts"
import type * as Screen from "../terminal/Screen.ts"

/** The first call waits so long for the structure of a project that has none: before, there is nothing to answer from. */
const FIRST_LIMIT = "15 seconds"

const BEING_MADE = "the index is still being made: most of the code is missing yet"

export interface CurrentProject {
  /** The project as it is. */
  readonly opened: Effect.Effect<IndexedProject, Failed>
  /** The repositories that it is made of; mostly itself alone. */
  readonly each: Effect.Effect<ReadonlyArray<IndexedProject>, Failed>
  /** The project brought up to date, as far as that can be done at once. */
  readonly current: Effect.Effect<LookupTools.Current, Failed>
}

/**
 * Opens nothing yet. Fails where there is neither an index nor a git repository; the next call looks again. Where there is no
 * index, the structure of it is made, which needs no model.
 */
export const make = Effect.fnUntraced(function* (root: Option.Option<string>) {
  const scope = yield* Effect.scope
  const runtime = yield* Effect.runtime<Files.Files | IndexStore.IndexStore | Screen.Screen | Watcher.Watcher>()
  let opened: FreshProject.FreshProject | undefined
  let opening: Fiber.RuntimeFiber<FreshProject.FreshProject, Failed> | undefined
  yield* Effect.addFinalizer(() => (opening === undefined ? Effect.void : Fiber.interrupt(opening)))

  // Not in the step that starts its fiber: `opening` would be set after it has ended, and stay.
  const openOnce = Effect.zipRight(Effect.yieldNow(), open(root)).pipe(
    Scope.extend(scope),
    Effect.mapError(toFailed),
    Effect.tap((now) => {
      opened = now
    }),
  )
  const get = Effect.suspend(() => {
    if (opened !== undefined) return Effect.succeed(opened)
    // In a fiber of its own: the call that came first may be cancelled.
    const fiber = opening ?? Runtime.runFork(runtime)(openOnce)
    if (opening === undefined) {
      opening = fiber
      // Called at once where the fiber has ended already.
      fiber.addObserver(() => {
        opening = undefined
      })
    }
    return Fiber.join(fiber)
  })

  const refreshed = Effect.gen(function* () {
    const { freshness, project } = yield* get
    // Each time: it may have been removed, or be made anew by another process. Where it cannot be read, the refresh says why.
    const isMade = Effect.orElseSucceed(project.index.isMade, () => true)
    const state = yield* freshness.ensure((yield* isMade) ? undefined : FIRST_LIMIT)
    return { project, state, isMade: yield* isMade }
  })
  const current = Effect.gen(function* () {
    const first = yield* refreshed
    if (Freshness.isRootGone(first.state)) opened = undefined
    // It may have been made again in the meantime.
    const { isMade, project, state } = opened === undefined ? yield* refreshed : first
    const notice = isMade || state._tag === "Current" ? Freshness.describe(state) : describeUnmade(state)
    return { project, notice: notice === undefined ? undefined : `(${sanitizeLine(notice)})` }
  })
  const project: CurrentProject = {
    opened: Effect.map(get, ({ project }) => project),
    each: Effect.map(get, ({ project }) => [project]),
    current,
  }
  return project
})

const open = Effect.fnUntraced(function* (root: Option.Option<string>) {
  const folder = yield* Option.match(root, {
    onNone: () => findFolder(path.resolve(".")),
    onSome: (root) => Effect.as(Project.requireOwn(root), root),
  })
  const given = yield* Workspace.open(folder, yield* Project.selectionFor(folder))
  return yield* FreshProject.open(given, {
    // The user who names a folder starts the server elsewhere, and the agent works in that folder.
    displayPath: (top) => displayPath(top, Option.isSome(root) ? top : path.resolve(".")),
    isMade: true,
  })
})

const describeUnmade = (state: Freshness.Refreshing | Freshness.Outdated): string =>
  state._tag === "Refreshing" || state.error.reason._tag === "AtWork"
    ? BEING_MADE
    : `most of the code may be missing in the index, which cannot be made: ${state.error.message}`

/** A home is no project, though it may have a `.git`: to index it would take long, and find what is private. */
const findFolder = Effect.fnUntraced(function* (start: string) {
  const indexed = yield* Project.findNearest(start)
  if (Option.isSome(indexed)) return indexed.value
  const files = yield* Files.Files
  for (let folder = start; folder !== os.homedir(); folder = path.dirname(folder)) {
    if (yield* Effect.isSuccess(files.stat(path.join(folder, ".git")))) return folder
    if (folder === path.dirname(folder)) break
  }
  return yield* new IndexError({ path: start, reason: new NotIndexed() })
})

const toFailed = (error: { readonly message: string }): Failed =>
  new Failed({
    message:
      error instanceof IndexError && error.reason._tag === "NotIndexed"
        ? `${error.message}; run 'vibe index .' in the folder of the project, or start the server with 'vibe mcp --root DIR'`
        : error.message,
  })
