/** The project that tool calls are about: opened with the first call, and brought up to date before each. */

import * as os from "node:os"
import * as path from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Files from "../../code/Files.ts"
import type * as Watcher from "../../code/Watcher.ts"
import * as Workspace from "../../code/Workspace.ts"
import type * as Forest from "../../forest/Forest.ts"
import * as Freshness from "../../index/Freshness.ts"
import { IndexError, NotIndexed } from "../../index/IndexError.ts"
import type * as IndexStore from "../../index/IndexStore.ts"
import * as FreshProject from "../../lookup/FreshProject.ts"
import { displayPath, type Project as IndexedProject } from "../../lookup/Project.ts"
import { Failed } from "../../tool/ToolError.ts"
import type * as LookupTools from "../../toolbox/LookupTools.ts"
import { latePages } from "../../wiki/reading/latePages.ts"
import type * as WikiStore from "../../wiki/WikiStore.ts"
import * as Project from "../project/Project.ts"
import type * as Screen from "../terminal/Screen.ts"

/**
 * The time that the first call waits for the structure of a project that has none: without it there is nothing to
 * answer from.
 */
const FIRST_LIMIT = "15 seconds"

const BEING_MADE = "the index is still being made: most of the code is missing yet"

export interface CurrentProject {
  /** The project as it is. */
  readonly opened: Effect.Effect<IndexedProject, Failed>
  /** The repositories that the project is made of; mostly the project alone. */
  readonly each: Effect.Effect<ReadonlyArray<IndexedProject>, Failed>
  /** The project brought up to date, as far as that can be done at once. */
  readonly current: Effect.Effect<LookupTools.Current, Failed>
}

/**
 * Makes the project, but opens nothing yet. A call fails if there is neither an index nor a git repository; the next
 * call looks again. If there is no index, its structure is made, which needs no model.
 */
export const make = Effect.fnUntraced(function* (root: Option.Option<string>) {
  const scope = yield* Effect.scope
  const runtime = yield* Effect.runtime<
    Files.Files | IndexStore.IndexStore | Screen.Screen | Watcher.Watcher | WikiStore.WikiStore
  >()
  let opened: FreshProject.FreshProject | undefined
  let opening: Fiber.RuntimeFiber<FreshProject.FreshProject, Failed> | undefined
  yield* Effect.addFinalizer(() => (opening === undefined ? Effect.void : Fiber.interrupt(opening)))

  // The first step yields, so that the fiber cannot end while it is being started: `opening` would then be set after
  // the end, and stay.
  const openOnce = Effect.zipRight(Effect.yieldNow(), open(root)).pipe(
    Scope.extend(scope),
    Effect.mapError(toFailed),
    Effect.tap((now) => {
      opened = now
    }),
  )
  const get = Effect.suspend(() => {
    if (opened !== undefined) return Effect.succeed(opened)
    // Opens in a fiber of its own, since the call that came first may be cancelled.
    const fiber = opening ?? Runtime.runFork(runtime)(openOnce)
    if (opening === undefined) {
      opening = fiber
      // The observer is called at once if the fiber has ended already.
      fiber.addObserver(() => {
        opening = undefined
      })
    }
    return Fiber.join(fiber)
  })

  const refreshed = Effect.gen(function* () {
    const { freshness, project } = yield* get
    // This is checked each time: another process may have removed the index, or made it anew. If it cannot be read, the
    // refresh says why.
    const isMade = Effect.orElseSucceed(project.index.isMade, () => true)
    const state = yield* freshness.ensure((yield* isMade) ? undefined : FIRST_LIMIT)
    return { project, state, isMade: yield* isMade }
  })
  const current = Effect.gen(function* () {
    const first = yield* refreshed
    if (Freshness.isRootGone(first.state)) opened = undefined
    // The index may have been made again in the meantime.
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
  const fresh = yield* FreshProject.open(given, {
    // A user who names a folder starts the server elsewhere, and the agent works in that folder.
    displayPath: (top) => displayPath(top, Option.isSome(root) ? top : path.resolve(".")),
    isMade: true,
    isWatchLate: true,
  })
  return { ...fresh, project: { ...fresh.project, pages: yield* latePages(fresh.project) } }
})

const describeUnmade = (state: Freshness.Refreshing | Freshness.Outdated): string =>
  state._tag === "Refreshing" || state.error.reason._tag === "AtWork"
    ? BEING_MADE
    : `most of the code may be missing in the index, which cannot be made: ${state.error.message}`

/**
 * Finds the folder of the project. A home is none, though it may have a `.git`: to index it would take long, and find
 * what is private.
 */
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

/** The conversations of the user, which `vibe mcp` opens when they are first searched. */
export class Conversations extends Context.Tag("vibe/cli/mcp/Conversations")<
  Conversations,
  { readonly open: Effect.Effect<Forest.Service, { readonly message: string }, Scope.Scope> }
>() {}
