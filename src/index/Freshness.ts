/**
 * Keeps an open index up to date for as long as it answers: a question waits for a refresh up to a limit, and the
 * refresh goes on in the background after that. It suits processes that answer many questions, such as a server or a
 * chat.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { endWith } from "../base/concurrency.ts"
import { plural } from "../base/Prose.ts"
import { FileError, Moved } from "../code/FileError.ts"
import type { Changes, Watch } from "../code/Watcher.ts"
import type { IndexError } from "./IndexError.ts"
import type { Index, Refreshed } from "./IndexStore.ts"
import * as RunProgress from "./RunProgress.ts"

/** How current the answers of an index are. */
export type State = Current | Refreshing | Outdated

/** The index agrees with the files as they were when the question was asked. */
export interface Current {
  readonly _tag: "Current"
  readonly refreshed: Refreshed
}

/** A refresh is under way: answers are about the part that it has stored so far. */
export interface Refreshing {
  readonly _tag: "Refreshing"
  readonly phase: RunProgress.RefreshProgress["phase"]
  /** New and changed files that are not in the index yet; undefined while it is not known which files have changed. */
  readonly filesLeft: number | undefined
  /** The new and changed files, if they are known and few; they include those that are already in the index. */
  readonly paths: ReadonlyArray<string>
  /** All new and changed files; 0 while they are not known. */
  readonly changed: number
  /** True if no refresh has ended since the index was opened: nothing shows yet that a file has changed. */
  readonly isFirst: boolean
}

/** The refresh failed: answers are about the files as they were before. The next question tries again. */
export interface Outdated {
  readonly _tag: "Outdated"
  readonly error: IndexError | FileError
}

export interface Freshness {
  /**
   * Brings the index up to date with the files as they are now, and waits for that at most `limit`, by default
   * `DEFAULT_LIMIT`. One refresh runs at a time; it is not interrupted with the caller. Questions that come while one
   * is running share the next one.
   */
  readonly ensure: (limit?: Duration.DurationInput) => Effect.Effect<State>
  /** Brings the index up to date without a limit. */
  readonly refresh: Effect.Effect<State>
}

/** How long a question waits: about as long as an answer still feels immediate. */
export const DEFAULT_LIMIT: Duration.DurationInput = "300 millis"

export interface Options {
  /**
   * Watches the workspace of the index. With it only the noticed changes are refreshed, and most questions do not wait.
   */
  readonly watch?: Watch | undefined
  /**
   * True to begin to watch only a second after the first refresh, for a process that answers its first question as soon
   * as it can: a watch lists all folders before it begins, and the refresh of all files lists them again.
   */
  readonly isWatchLate?: boolean | undefined
}

/** The first question is answered by then, and the next one of a model that reads the answer mostly comes later. */
const WATCH_DELAY: Duration.DurationInput = "1 second"

/**
 * Makes a freshness. Refreshes run in a fiber of the scope, which ends them. The index must be one of
 * `IndexStore.openExisting`.
 */
export const make: (
  index: Pick<Index, "refresh" | "refreshPaths">,
  options?: Options,
) => Effect.Effect<Freshness, never, Scope.Scope> = Effect.fnUntraced(function* (
  index,
  { isWatchLate = false, watch } = {},
) {
  const scope = yield* Effect.scope
  const requests = yield* Queue.sliding<void>(1)
  let progress: RunProgress.RefreshProgress = walking
  /** The questions that have come since the last refresh started wait for this. */
  let next = Deferred.unsafeMake<State>(yield* Effect.fiberId)
  /** True if everything that `watch` has returned was refreshed. */
  let isKnown = false
  let isFirst = true
  let isWatching = watch !== undefined && !isWatchLate

  const anything: Effect.Effect<Changes> = Effect.succeed({ _tag: "Anything" })
  const take = Effect.suspend(() => (watch !== undefined && isWatching ? watch.take : anything))
  /** Begins to watch, by a refresh of all files, which misses nothing. */
  const watchLater = Effect.zipRight(Effect.sleep(WATCH_DELAY), Queue.offer(requests, undefined))
  const refreshNoticed = Effect.flatMap(take, (changes) => {
    if (changes._tag === "RootGone") return new FileError({ path: changes.root, reason: new Moved() })
    const paths = isKnown && changes._tag === "Paths" ? changes.paths : undefined
    const refresh = paths === undefined ? index.refresh : index.refreshPaths(paths)
    if (paths !== undefined) progress = progressOf(paths)
    isKnown = false
    return Effect.tap(refresh, () =>
      Effect.sync(() => {
        isKnown = true
      }),
    )
  })
  const observed = Effect.locally(refreshNoticed, RunProgress.refreshObserver, (reported) =>
    Effect.sync(() => {
      // The phases after parsing concern the same files.
      progress = { paths: reported.total === progress.total ? progress.paths : undefined, ...reported }
    }),
  ).pipe(
    Effect.match({
      onSuccess: (refreshed): State => {
        isFirst = false
        return { _tag: "Current", refreshed }
      },
      onFailure: (error): State => ({ _tag: "Outdated", error }),
    }),
  )
  const refresh = Effect.gen(function* () {
    const asked = next
    next = yield* Deferred.make<State>()
    yield* Queue.takeAll(requests)
    progress = walking
    // A defect goes to the questions that waited; the fiber goes on.
    yield* Deferred.done(asked, yield* Effect.exit(observed))
    if (watch === undefined || isWatching) return
    isWatching = true
    yield* Effect.forkIn(watchLater, scope)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Queue.take(requests), refresh)))

  /** Waits for a refresh that starts after this. */
  const ask = Effect.suspend(() => {
    const refreshed = Deferred.await(next)
    return Effect.as(Queue.offer(requests, undefined), refreshed)
  })
  return {
    refresh: Effect.flatten(ask),
    ensure: (limit = DEFAULT_LIMIT) => {
      const tooLate = Effect.map(Effect.sleep(limit), () => toState(progress, isFirst))
      return Effect.flatMap(ask, endWith(tooLate))
    },
  }
})

const walking: RunProgress.RefreshProgress = { phase: "walking", done: 0, total: 0, share: 0 }

/** The paths that a watch has noticed may be unchanged files or folders; the refresh will tell. */
const progressOf = (paths: ReadonlyArray<string>): RunProgress.RefreshProgress => ({
  phase: "parsing",
  done: 0,
  total: paths.length,
  share: 0,
  paths: paths.length > RunProgress.MAX_REFRESH_PATHS ? undefined : paths,
})

const toState = (progress: RunProgress.RefreshProgress, isFirst: boolean): Refreshing => {
  const { done, paths = [], phase, total } = progress
  const filesLeft = phase === "walking" ? undefined : total - done
  return { _tag: "Refreshing", phase, filesLeft, paths, changed: total, isFirst }
}

/** Returns whether the folder is no longer there: then only a new index can be up to date again. */
export const isRootGone = (state: State): boolean =>
  state._tag === "Outdated" && state.error._tag === "FileError" && state.error.reason._tag === "Moved"

/**
 * Writes what an answer says about its index, as a line without a full stop. Undefined if the index is current, or if
 * nothing shows yet that a file has changed: at the start, while files are listed, and if no file has changed.
 */
export const describe = (state: State): string | undefined => {
  switch (state._tag) {
    case "Current":
      return undefined
    case "Outdated":
      return `the index may be out of date: ${state.error.message}`
    case "Refreshing":
      return describeRefreshing(state)
  }
}

const describeRefreshing = ({ changed, filesLeft, isFirst, paths }: Refreshing): string | undefined => {
  const refreshing = "the index is still being refreshed"
  if (filesLeft === undefined) return isFirst ? undefined : `${refreshing}: recent changes may be missing`
  if (changed === 0) return undefined
  const names = (count: number) => (paths.length > 0 ? paths.join(", ") : plural(count, "changed file"))
  const [isMany, left] = [Math.max(filesLeft, paths.length) > 1, names(filesLeft)]
  return filesLeft === 0
    ? `${refreshing}: uses in ${names(changed)} may be missing`
    : `${refreshing}: ${left} ${isMany ? "are" : "is"} not in yet`
}
