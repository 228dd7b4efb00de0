/** Provides the index of the served folder, which is opened on first use and brought up to date before each answer. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { makeMutex } from "../base/mutex.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { FileError } from "../code/FileError.ts"
import * as Watcher from "../code/Watcher.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Freshness from "../index/Freshness.ts"
import type { IndexError } from "../index/IndexError.ts"
import * as IndexStore from "../index/IndexStore.ts"
import type { RunProgress } from "../index/RunProgress.ts"
import * as FreshProject from "../lookup/FreshProject.ts"
import type { Project } from "../lookup/Project.ts"

export class ProjectIndex extends Context.Tag("vibe/server/ProjectIndex")<ProjectIndex, Service>() {}

export interface Service {
  readonly workspace: Workspace
  /**
   * The index, brought up to date. Fails with `NotIndexed` if there is none. `notice` says in what it is out of date.
   */
  readonly current: Effect.Effect<Current, FileError | IndexError>
  /** The index once all files are read. Makes an index if there is none. */
  readonly make: Effect.Effect<Current, FileError | IndexError>
  /** A run of another process that explores the folder, if there is one. */
  readonly elsewhere: Effect.Effect<Elsewhere | undefined>
}

interface Elsewhere {
  /** The progress of the run, if it is known. */
  readonly progress: RunProgress | undefined
}

export interface Current {
  readonly project: Project
  readonly notice: string | undefined
  /** True while files are read: the index has those that were read so far. */
  readonly isRefreshing: boolean
}

/** Makes the service. `workspace` has the selection of a new index. */
export const make = Effect.fnUntraced(function* (workspace: Workspace) {
  const store = yield* IndexStore.IndexStore
  const watcher = yield* Watcher.Watcher
  const scope = yield* Effect.scope
  const exclusively = makeMutex()
  let opened: FreshProject.FreshProject | undefined

  const open = (isMade: boolean) =>
    exclusively(
      Effect.suspend(() =>
        opened !== undefined
          ? Effect.succeed(opened)
          : FreshProject.open(workspace, { displayPath: () => (path) => path, isMade }).pipe(
              Effect.provideService(IndexStore.IndexStore, store),
              Effect.provideService(Watcher.Watcher, watcher),
              Scope.extend(scope),
              Effect.tap((now) =>
                Effect.sync(() => {
                  opened = now
                }),
              ),
            ),
      ),
    )

  const toCurrent = ({ project }: FreshProject.FreshProject, state: Freshness.State): Current => {
    if (Freshness.isRootGone(state)) opened = undefined
    const notice = Freshness.describe(state)
    return {
      project,
      notice: notice === undefined ? undefined : sanitizeLine(notice),
      isRefreshing: state._tag === "Refreshing",
    }
  }

  return ProjectIndex.of({
    workspace,
    current: Effect.flatMap(open(false), (now) => Effect.map(now.freshness.ensure(), (state) => toCurrent(now, state))),
    make: Effect.flatMap(open(true), (now) => Effect.map(now.freshness.refresh, (state) => toCurrent(now, state))),
    elsewhere: Effect.scoped(store.claim(workspace)).pipe(
      Effect.as(undefined),
      Effect.catchAll(({ reason }) => {
        if (reason._tag !== "AtWork") return Effect.succeed(undefined)
        const progress =
          reason.process === undefined ? Effect.succeed(undefined) : store.progressOf(workspace, reason.process)
        return Effect.map(progress, (progress): Elsewhere => ({ progress }))
      }),
    ),
  })
})

export const layer = (
  workspace: Workspace,
): Layer.Layer<ProjectIndex, never, IndexStore.IndexStore | Watcher.Watcher> =>
  Layer.scoped(ProjectIndex, make(workspace))
