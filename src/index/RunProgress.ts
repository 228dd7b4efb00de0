/** The progress of a run of the exploration, with what it has used, and of a refresh of the index. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Shape from "../base/Shape.ts"
import type { ModelId } from "../message/ModelId.ts"

export interface RunProgress {
  /** The model, as `provider/name`. */
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The present activity of the run. */
  readonly activity: string
  /** The number of requests so far, and at its end. */
  readonly requests: number
  readonly expected: number
  /** Symbols to explain, once that is known. */
  readonly planned: number
  /** Purposes that are stored. */
  readonly written: number
  readonly tokens: { readonly input: number; readonly output: number }
  /** The cost in US dollars; undefined if a price is unknown. */
  readonly cost?: number | undefined
}

export const shape: Shape.Shape<RunProgress> = Shape.struct({
  model: Shape.text,
  startedAt: Shape.number,
  activity: Shape.text,
  requests: Shape.integer,
  expected: Shape.integer,
  planned: Shape.integer,
  written: Shape.integer,
  tokens: Shape.struct({ input: Shape.integer, output: Shape.integer }),
  cost: Shape.optional(Shape.number),
})

export const start = (model: ModelId, startedAt: number): RunProgress => ({
  model: String(model),
  startedAt,
  activity: "begins",
  requests: 0,
  expected: 0,
  planned: 0,
  written: 0,
  tokens: { input: 0, output: 0 },
})

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

/** The most files of a refresh that are named; more are only counted. */
export const MAX_REFRESH_PATHS = 3

/** Receives the progress of each refresh in this fiber, at the start of a phase and every few files. */
export const refreshObserver: FiberRef.FiberRef<(progress: RefreshProgress) => Effect.Effect<void>> =
  FiberRef.unsafeMake((_progress: RefreshProgress): Effect.Effect<void> => Effect.void)

/** Runs before all symbols are ranked, which takes tenths of a second where other answers take hundredths. */
export const beforeRanking: FiberRef.FiberRef<Effect.Effect<void>> = FiberRef.unsafeMake<Effect.Effect<void>>(
  Effect.void,
)
