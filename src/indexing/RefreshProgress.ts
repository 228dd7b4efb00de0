/** How far `Index.refresh` has come, for a display. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

/**
 * - `walking`: the files are listed; their number is not known yet
 * - `parsing`: `done` of `total` new and changed files are parsed
 * - `resolving`: what depends on all files together
 */
export interface RefreshProgress {
  readonly phase: "walking" | "parsing" | "resolving"
  readonly done: number
  readonly total: number
  /** The share of the parsing that is done, 0 to 1: large files of a language with an outline take most of the time. */
  readonly share: number
  /** The new and changed files while they are parsed, where they are few. */
  readonly paths?: ReadonlyArray<string> | undefined
}

/** More files are counted only. */
export const MAX_PATHS = 3

/** Receives the progress of each refresh in this fiber, at the start of a phase and every few files. */
export const observer: FiberRef.FiberRef<(progress: RefreshProgress) => Effect.Effect<void>> = FiberRef.unsafeMake(
  (_progress: RefreshProgress): Effect.Effect<void> => Effect.void,
)
