/** Runs of the exploration that pages have started: one at a time, shown in all pages. */

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import { followRun } from "../explore/followRun.ts"
import type { IndexEvent } from "../explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../explore/IndexObserver.ts"
import { describeFailures, type Report } from "../explore/Report.ts"
import { decorateStore } from "../index/decorate.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import * as IndexStore from "../index/IndexStore.ts"
import { NOTHING } from "../index/Purposes.ts"
import * as RunProgress from "../index/RunProgress.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import type { Run } from "./api/Index.ts"
import { EventHub } from "./EventHub.ts"
import { Served } from "./Served.ts"

export class IndexRuns extends Context.Tag("vibe/server/IndexRuns")<IndexRuns, Service>() {}

export interface Service {
  /** The last run; it may have ended. */
  readonly last: Effect.Effect<Run | undefined>
  /**
   * Starts a run with this model; with `all` it goes on until no symbol is open. Returns undefined and starts nothing
   * if a run is in progress.
   */
  readonly start: (model: LanguageModel.Service, all: boolean) => Effect.Effect<Run | undefined>
  /** Stops the run, and waits until everything it has found is stored. Returns false if no run is in progress. */
  readonly stop: Effect.Effect<boolean>
}

/** The most purposes of a run that a page shows. */
const MAX_FOUND = 30

/** The least time between two events of a run's progress; pages read its state at each. */
const PAUSE = "300 millis"

/** The text that a page shows for a run that was stopped. */
export const STOPPED = "Stopped. What was found is kept."

/** The run while it is in progress, changed in place. */
type State = { -readonly [Name in keyof Run]: Run[Name] }

export const make = Effect.gen(function* () {
  const { folder } = yield* Served
  const { publish } = yield* EventHub
  const store = yield* IndexStore.IndexStore
  const scope = yield* Effect.scope
  let run: State | undefined
  let fiber: Fiber.RuntimeFiber<void> | undefined
  let isPublished = true

  /** Changes the state of the run; pages read it within `PAUSE`. */
  const change = (update: (run: State) => void) =>
    Effect.sync(() => {
      if (run !== undefined) update(run)
      isPublished = false
    })
  /** Makes pages read the state again, if it has changed since the last time. */
  const publishChange = Effect.suspend(() => {
    if (isPublished) return Effect.void
    isPublished = true
    return publish({ type: "index" })
  })

  /** The store of the run, which also shows each purpose that is recorded to pages. */
  const watched = decorateStore(store, () => ({
    onRecorded: (purposes) =>
      change((run) => {
        const found = purposes
          .filter(({ text }) => text !== NOTHING)
          .map(({ entry, text }) => foundOf(entry, text))
          .toReversed()
        run.found = [...found, ...run.found].slice(0, MAX_FOUND)
      }),
  }))

  const onEvent = (event: IndexEvent) => change((run) => Object.assign(run, followRun(run, event)))

  const orchestrator = yield* IndexingOrchestrator.make.pipe(
    Effect.provideService(IndexObserver.IndexObserver, { watch: () => Effect.succeed(onEvent) }),
    Effect.provideService(IndexStore.IndexStore, watched),
    Effect.provide(IndexTools.layer),
  )

  const start: Service["start"] = (model, all) =>
    Effect.gen(function* () {
      if (run?.state === "running") return undefined
      const startedAt = yield* Clock.currentTimeMillis
      run = {
        ...RunProgress.start(model.id, startedAt),
        state: "running",
        found: [],
      }
      const begun: Run = { ...run }
      const explored = orchestrator.runGuidedExploration(folder, false, { model, all }).pipe(
        Effect.exit,
        Effect.zip(Clock.currentTimeMillis),
        Effect.flatMap(([exit, endedAt]) =>
          change((run) => {
            run.endedAt = endedAt
            run.state = Exit.match(exit, {
              onSuccess: ({ outcome }) => (outcome === "unexplained" ? "failed" : "done"),
              onFailure: (cause) => (Cause.isInterruptedOnly(cause) ? "stopped" : "failed"),
            })
            run.activity = Exit.match(exit, {
              onSuccess: describeEnd,
              onFailure: (cause) => {
                if (Cause.isInterruptedOnly(cause)) return STOPPED
                const failure = Cause.squash(cause)
                return sanitizeLine(failure instanceof Error ? failure.message : String(failure))
              },
            })
          }),
        ),
      )
      const publishing = Effect.forever(Effect.zipRight(Effect.sleep(PAUSE), publishChange))
      fiber = yield* Effect.forkIn(
        Effect.scoped(Effect.zipRight(Effect.forkScoped(publishing), explored)).pipe(Effect.ensuring(publishChange)),
        scope,
      )
      return begun
    })

  return IndexRuns.of({
    last: Effect.sync(() => run && { ...run }),
    start,
    stop: Effect.suspend(() =>
      run?.state !== "running" || fiber === undefined
        ? Effect.succeed(false)
        : Effect.as(
            Effect.zipRight(
              Fiber.interrupt(fiber),
              Effect.flatMap(Clock.currentTimeMillis, (endedAt) =>
                change((run) => {
                  if (run.state !== "running") return
                  run.state = "stopped"
                  run.endedAt = endedAt
                  run.activity = STOPPED
                }),
              ),
            ),
            true,
          ).pipe(Effect.zipLeft(Effect.suspend(() => publish({ type: "index" })))),
    ),
  })
})

export const layer = Layer.scoped(IndexRuns, make)

const foundOf = ({ path, qualifiedName, startLine }: IndexEntry, text: string): Run["found"][number] => ({
  path,
  line: startLine,
  name: qualifiedName,
  text: sanitizeLine(text),
})

/** Says in a line what a run has written, and why it has ended before all symbols were explained. */
export const describeEnd = (
  report: Pick<
    Report,
    "batches" | "coveredSymbols" | "failedBatches" | "failures" | "majorSymbols" | "outcome" | "purposesWritten"
  >,
): string => {
  const { coveredSymbols, majorSymbols, outcome, purposesWritten } = report
  const why =
    outcome === "unexplained"
      ? sanitizeLine(` The run ended early: ${describeFailures(report)}`)
      : outcome === "budget"
        ? " The budget of this run is used up."
        : outcome === "partial"
          ? sanitizeLine(` However, ${describeFailures(report)}`)
          : outcome === "limit"
            ? " The requests of one exploration are used up."
            : ""
  return `${plural(purposesWritten, "purpose")} written; ${coveredSymbols} of ${majorSymbols} symbols have one.${why}`
}
