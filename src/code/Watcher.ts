/**
 * Notices changes of the files of a workspace: a port with adapters for Node.js (`Watcher/Node`) and for tests (here).
 * It reports where something may have changed, and never what: the files themselves show that.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { FileError } from "./FileError.ts"
import type { Workspace } from "./Workspace.ts"

export class Watcher extends Context.Tag("vibe/code/Watcher")<Watcher, Service>() {}

export interface Service {
  /**
   * Watches the files that are neither ignored nor left out, until the scope closes. Fails if the root cannot be
   * listed.
   */
  readonly watch: (workspace: Workspace) => Effect.Effect<Watch, FileError, Scope.Scope>
}

export interface Watch {
  readonly mode: Effect.Effect<Mode>
  /**
   * Takes what may have changed since the last call. The first time, and while it is polling, that is anything.
   * Whatever was written before the call is in it.
   */
  readonly take: Effect.Effect<Changes>
  /**
   * Waits until something may have changed and then nothing more for `QUIET`, in all at most `MAX_DELAY` after the
   * first change. It takes nothing. While it is polling it waits for the interval, or twenty times as long as the
   * caller took for the last changes.
   */
  readonly settled: Effect.Effect<void>
}

/** The way in which changes are noticed. */
export type Mode =
  | {
      readonly _tag: "Events"
      /** The number of folders that are watched, each by itself; undefined if the system watches all together. */
      readonly folders: number | undefined
    }
  | { readonly _tag: "Polling"; readonly reason: PollingReason }

/**
 * - `TooManyFolders`: more than the system allows to watch (`fs.inotify.max_user_watches` in Linux)
 * - `TooManyWatchers`: more processes than it allows to (`fs.inotify.max_user_instances`)
 * - `NoEvents`: a file system of another machine, which reports no changes that are made there
 * - `Asked`: the caller has chosen it
 */
export type PollingReason = "TooManyFolders" | "TooManyWatchers" | "NoEvents" | "Asked"

export type Changes =
  | {
      readonly _tag: "Paths"
      /**
       * Root-relative paths with `/`, of files and folders that may be new, changed, removed, or none of it. Empty if
       * nothing was noticed.
       */
      readonly paths: ReadonlyArray<string>
    }
  /** Anything may have changed. */
  | { readonly _tag: "Anything" }
  /** The root was moved or removed, or another folder is in its place. Nothing more is noticed. */
  | { readonly _tag: "RootGone"; readonly root: string }

/**
 * The time without a change after which changes are reported: tools write several files at once, and a file in several
 * steps.
 */
export const QUIET: Duration.DurationInput = "150 millis"

/** The longest delay of a report while files change without a pause. */
export const MAX_DELAY: Duration.DurationInput = "2 seconds"

/**
 * The most paths that are reported one by one: beyond it a refresh of all files is as quick. Linux keeps 16,384 events
 * for a process by default.
 */
export const MAX_PATHS = 1_000

/** The shortest time between two looks at all files. */
export const POLL_INTERVAL: Duration.DurationInput = "5 seconds"

/** The reports of an adapter, which the watch collects. */
export interface Notes {
  readonly change: (path: string) => void
  readonly anything: () => void
  readonly rootGone: () => void
  readonly poll: (reason: PollingReason) => void
  /** Returns whether `take` will return `Anything`. */
  readonly isAnything: () => boolean
  /** The paths that `take` will return. */
  readonly paths: () => Iterable<string>
  readonly isPolling: () => boolean
}

/** The part of a watch that all adapters share. `before` runs at the start of each `take`. */
export const makeWatch = (
  root: string,
  folders: () => number | undefined,
  before: (notes: Notes) => Effect.Effect<void>,
): { readonly notes: Notes; readonly watch: Watch } => {
  const paths = new Set<string>()
  let isAnything = true
  let isGone = false
  let polling: PollingReason | undefined
  let version = 0
  let noticed = Deferred.unsafeMake<void>(FiberId.none)
  let settledAt: number | undefined

  const note = () => {
    version += 1
    Deferred.unsafeDone(noticed, Effect.void)
  }
  const notes: Notes = {
    change: (path) => {
      if (isAnything) return note()
      if (paths.size >= MAX_PATHS) return notes.anything()
      paths.add(path)
      note()
    },
    anything: () => {
      isAnything = true
      paths.clear()
      note()
    },
    rootGone: () => {
      isGone = true
      note()
    },
    poll: (reason) => {
      polling ??= reason
      notes.anything()
    },
    isAnything: () => isAnything,
    paths: () => paths,
    isPolling: () => polling !== undefined,
  }

  const take = Effect.sync((): Changes => {
    const taken: Changes = isGone
      ? { _tag: "RootGone", root }
      : isAnything
        ? { _tag: "Anything" }
        : { _tag: "Paths", paths: [...paths] }
    isAnything = polling !== undefined
    paths.clear()
    if (!isGone) noticed = Deferred.unsafeMake<void>(FiberId.none)
    return taken
  })

  const quiet = (left: Duration.Duration): Effect.Effect<void> =>
    Effect.suspend(() => {
      const before = version
      return Effect.zipRight(
        Effect.sleep(QUIET),
        Effect.suspend(() => {
          const rest = Duration.subtract(left, QUIET)
          return version === before || isGone || Duration.lessThanOrEqualTo(rest, 0) ? Effect.void : quiet(rest)
        }),
      )
    })

  const interval = Effect.map(Clock.currentTimeMillis, (now) => {
    const spent = settledAt === undefined ? 0 : now - settledAt
    return Duration.max(POLL_INTERVAL, Duration.millis(20 * spent))
  })

  return {
    notes,
    watch: {
      mode: Effect.sync(
        (): Mode =>
          polling === undefined ? { _tag: "Events", folders: folders() } : { _tag: "Polling", reason: polling },
      ),
      take: Effect.zipRight(
        Effect.suspend(() => before(notes)),
        take,
      ),
      settled: Effect.suspend(() =>
        polling === undefined
          ? Effect.zipRight(Deferred.await(noticed), quiet(Duration.decode(MAX_DELAY)))
          : Effect.flatMap(interval, Effect.sleep),
      ).pipe(
        Effect.zipRight(Clock.currentTimeMillis),
        Effect.flatMap((now) =>
          Effect.sync(() => {
            settledAt = now
          }),
        ),
      ),
    },
  }
}

/** Makes a watch of the folder at `root` for tests, which notices what the test says. */
export const makeMemory = (root: string): { readonly notes: Notes; readonly layer: Layer.Layer<Watcher> } => {
  const { notes, watch } = makeWatch(
    root,
    () => undefined,
    () => Effect.void,
  )
  return { notes, layer: Layer.succeed(Watcher, { watch: () => Effect.succeed(watch) }) }
}
