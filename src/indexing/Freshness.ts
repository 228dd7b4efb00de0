/**
 * Keeps an open index up to date for as long as it answers: a question waits for a refresh up to a limit, and the refresh
 * goes on in the background after that. For processes that answer many questions, such as a server or a chat.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { FileError, Moved } from "../code/FileError.ts"
import type { Changes, Watch } from "../code/Watcher.ts"
import { endWith } from "../message/endWith.ts"
import { plural } from "../message/Plural.ts"
import type { IndexError } from "./IndexError.ts"
import type { Index, Refreshed } from "./IndexStore.ts"
import * as RefreshProgress from "./RefreshProgress.ts"

/** How current the answers of an index are. */
export type State = Current | Refreshing | Outdated

/** The index agrees with the files as they were when the question was asked. */
export interface Current {
  readonly _tag: "Current"
  readonly refreshed: Refreshed
}

/** A refresh is under way: answers are about what it has stored so far. */
export interface Refreshing {
  readonly _tag: "Refreshing"
  readonly phase: RefreshProgress.RefreshProgress["phase"]
  /** New and changed files that are not in the index yet; undefined while it is not known which files have changed. */
  readonly filesLeft: number | undefined
  /** The new and changed files, where they are known and few; those that are in already among them. */
  readonly paths: ReadonlyArray<string>
  /** All new and changed files; 0 while they are not known. */
  readonly changed: number
  /** No refresh has ended since the index was opened: nothing says yet that a file has changed. */
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
   * `DEFAULT_LIMIT`. One refresh runs at a time; it is not interrupted with the caller. Questions that come while one is
   * running share the next one.
   */
  readonly ensure: (limit?: Duration.DurationInput) => Effect.Effect<State>
  /** The same without a limit. */
  readonly refresh: Effect.Effect<State>
}

/** How long a question waits: about as long as a person takes an answer for immediate. */
export const DEFAULT_LIMIT: Duration.DurationInput = "300 millis"

export interface Options {
  /** Of the workspace of the index. Then only what it has noticed is refreshed, and most questions wait for nothing. */
  readonly watch?: Watch | undefined
}

/** Refreshes run in a fiber of the scope, which ends them. The index must be one of `IndexStore.openExisting`. */
export const make: (
  index: Pick<Index, "refresh" | "refreshPaths">,
  options?: Options,
) => Effect.Effect<Freshness, never, Scope.Scope> = Effect.fnUntraced(function* (index, { watch } = {}) {
  const requests = yield* Queue.sliding<void>(1)
  let progress: RefreshProgress.RefreshProgress = walking
  /** The questions that have come since the last refresh started wait for this. */
  let next = Deferred.unsafeMake<State>(yield* Effect.fiberId)
  /** Whether everything that `watch` has returned was refreshed. */
  let isKnown = false
  let isFirst = true

  const take: Effect.Effect<Changes> = watch === undefined ? Effect.succeed({ _tag: "Anything" }) : watch.take
  const refreshNoticed = Effect.flatMap(take, (changes) => {
    if (changes._tag === "RootGone") return new FileError({ path: changes.root, reason: new Moved() })
    const paths = isKnown && changes._tag === "Paths" ? changes.paths : undefined
    const refresh = paths === undefined ? index.refresh : index.refreshPaths(paths)
    if (paths !== undefined) progress = noticed(paths)
    isKnown = false
    return Effect.tap(refresh, () =>
      Effect.sync(() => {
        isKnown = true
      }),
    )
  })
  const observed = Effect.locally(refreshNoticed, RefreshProgress.observer, (reported) =>
    Effect.sync(() => {
      // The phases after the parsing are about the same files.
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
    // A defect is that of the questions that waited; the fiber goes on.
    yield* Deferred.done(asked, yield* Effect.exit(observed))
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

const walking: RefreshProgress.RefreshProgress = { phase: "walking", done: 0, total: 0, share: 0 }

/** What a watch has noticed may be a file that is as before, or a folder; the refresh will say. */
const noticed = (paths: ReadonlyArray<string>): RefreshProgress.RefreshProgress => ({
  phase: "parsing",
  done: 0,
  total: paths.length,
  share: 0,
  paths: paths.length > RefreshProgress.MAX_PATHS ? undefined : paths,
})

const toState = (progress: RefreshProgress.RefreshProgress, isFirst: boolean): Refreshing => {
  const { done, paths = [], phase, total } = progress
  const filesLeft = phase === "walking" ? undefined : total - done
  return { _tag: "Refreshing", phase, filesLeft, paths, changed: total, isFirst }
}

/** Whether the folder is no longer there: only a new index can be up to date again. */
export const isRootGone = (state: State): boolean =>
  state._tag === "Outdated" && state.error._tag === "FileError" && state.error.reason._tag === "Moved"

/**
 * What an answer says of its index, as a line without a full stop. None where it is current, nor where nothing says that a
 * file has changed: at the start, while the files are listed, and where none of them has.
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
