/** A project that stays open in a process and is kept up to date while it is in use. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FileError } from "../code/FileError.ts"
import * as Watcher from "../code/Watcher.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Freshness from "../index/Freshness.ts"
import type { IndexError } from "../index/IndexError.ts"
import * as IndexStore from "../index/IndexStore.ts"
import type { DisplayPath, Project } from "./Project.ts"

export interface FreshProject {
  readonly project: Project
  readonly freshness: Freshness.Freshness
}

export interface Options {
  readonly displayPath: (root: string) => DisplayPath
  /**
   * True if a missing index is made, with the structure from a first refresh. Otherwise a missing index fails with
   * `NotIndexed`.
   */
  readonly isMade: boolean
  /** True to begin to watch after the first refresh, as `Freshness.Options` describes it. */
  readonly isWatchLate?: boolean | undefined
}

/** Opens an index as it is, and watches its files until the scope closes. */
export const open = (
  given: Workspace,
  { displayPath, isMade, isWatchLate }: Options,
): Effect.Effect<FreshProject, FileError | IndexError, IndexStore.IndexStore | Scope.Scope | Watcher.Watcher> =>
  Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    const existing = store.openExisting(given, { refresh: "later" })
    const { index, workspace } = yield* Effect.catchIf(
      existing,
      (error) => isMade && error.reason._tag === "NotIndexed",
      () => Effect.zipRight(Effect.scoped(store.open(given)), existing),
    )
    const watch = yield* Effect.flatMap(Watcher.Watcher, (watcher) => watcher.watch(workspace))
    const project: Project = { workspace, index, displayPath: displayPath(workspace.root) }
    const opened: FreshProject = {
      project,
      freshness: yield* Freshness.make(index, { watch, isWatchLate }),
    }
    return opened
  })
