/** The progress of `Index.refresh`, for a display. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

/**
 * The progress of a refresh. Its phases are:
 *
 * - `walking`: the files are listed; their number is not known yet
 * - `parsing`: `done` of `total` new and changed files are parsed
 * - `resolving`: the work that depends on all files together
 */
export interface RefreshProgress {
  readonly phase: "walking" | "parsing" | "resolving"
  readonly done: number
  readonly total: number
  /** The share of the parsing that is done, 0 to 1: large files of a language with an outline take most of the time. */
  readonly share: number
  /** The new and changed files while they are parsed; set only if there are few. */
  readonly paths?: ReadonlyArray<string> | undefined
}

/** The most files that are named; more are only counted. */
export const MAX_PATHS = 3

/** Receives the progress of each refresh in this fiber, at the start of a phase and every few files. */
export const observer: FiberRef.FiberRef<(progress: RefreshProgress) => Effect.Effect<void>> = FiberRef.unsafeMake(
  (_progress: RefreshProgress): Effect.Effect<void> => Effect.void,
)
