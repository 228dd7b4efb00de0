/** Prints a run of `vibe index`: the specified lines on stdout, progress and summary on stderr. */
import * as path from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import { makeMutex } from "../../base/mutex.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { wrap } from "../../base/wrap.ts"
import type { IndexEvent } from "../../explore/IndexEvent.ts"
import * as IndexObserver from "../../explore/IndexObserver.ts"
import { AtWork } from "../../index/IndexError.ts"
import * as Project from "../../lookup/Project.ts"
import * as Retry from "../../model/Retry.ts"
import * as Screen from "../terminal/Screen.ts"
import * as Progress from "./Progress.ts"
import * as ReportText from "./ReportText.ts"

export interface Options {
  /** True if stdout is left to the report. */
  readonly json: boolean
  /** A notice that is printed on stderr when the run starts. */
  readonly notice?: string | undefined
}

export const layer = ({ json, notice }: Options): Layer.Layer<IndexObserver.IndexObserver, never, Screen.Screen> =>
  Layer.effect(
    IndexObserver.IndexObserver,
    Effect.map(Screen.Screen, ({ err, out }) => ({
      watch: Effect.fnUntraced(function* ({ verbose }) {
        const bar = yield* progressBar(err)
        return Effect.fnUntraced(function* (event) {
          const lines = json ? [] : IndexObserver.lines(event, verbose)
          yield* bar.update(event)
          if (event._tag === "Finished" || event._tag === "Stopped") yield* bar.end
          const columns = yield* err.columns
          const remarks = event._tag === "Started" && notice !== undefined ? [notice] : notices(event, columns)
          if (lines.length + remarks.length === 0) return
          // Lines are wrapped only on a terminal, since a log or a script reads whole lines.
          const wrapped = err.isTerminal ? remarks.flatMap((line) => wrap(line, columns)) : remarks
          yield* bar.printing(
            Effect.zipRight(
              Effect.forEach(lines, (line) => Screen.line(out, line), { discard: true }),
              Effect.forEach(wrapped, (line) => Screen.line(err, line), { discard: true }),
            ),
          )
        })
      }),
    })),
  )

/** Lines for stderr, with and without `--verbose`. */
const notices = (event: IndexEvent, columns: number): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Waiting":
      return [`${new AtWork({ process: event.process }).message}; waiting`]
    case "Retrying":
      return [sanitizeLine(`${Retry.describe(event.attempt, event.delay)}: ${event.reason}`)]
    case "Replaced":
      return [sanitizeLine(`${event.by} answers instead: ${event.reason}`)]
    case "Compacted":
      return [sanitizeLine(`${plural(event.leftOut, "older tool result")} left out: ${event.reason}`)]
    case "Distributed":
      return [distributed(event)]
    case "Stalled":
      return [sanitizeLine(event.advice)]
    case "BatchEnded":
      return event.reason === undefined
        ? []
        : [
            sanitizeLine(
              `batch ${event.number} (${event.area}), ${event.explained} of ${event.symbols} explained: ${event.reason}`,
            ),
          ]
    case "PageFailed":
      return [sanitizeLine(`wiki${event.page === undefined ? "" : `, page ${event.page}`}: ${event.reason}`)]
    case "Stopped":
      return [ReportText.ofStopped(event)]
    case "Finished":
      return ReportText.of(event.report, {
        columns,
        displayPath: Project.displayPath(event.report.root, path.resolve(".")),
      })
    default:
      return []
  }
}

const distributed = ({
  batches,
  run,
  state,
  workers,
}: Extract<IndexEvent, { readonly _tag: "Distributed" }>): string => {
  const count = batches === 1 ? "1 batch" : `${batches} batches`
  return state === "running"
    ? `Run ${run}: ${count}, ${plural(workers, "worker")} there. It goes on without this process: 'vibe index --cluster' joins it again, and 'vibe index --cancel ${run}' ends it`
    : `Run ${run} has ended (${state}): what its workers answered is stored first`
}

/** Redraws at most ten times a second. */
const REDRAW = Schedule.spaced("100 millis")

const eraseLine = "\r\x1b[2K"

/**
 * A progress line that is redrawn on a terminal, and erased before a line of the log and when the scope closes; nothing
 * on other streams.
 */
const progressBar = Effect.fnUntraced(function* (err: Screen.Stream) {
  const startedAt = yield* Clock.currentTimeMillis
  const elapsed = Effect.map(Clock.currentTimeMillis, (now) => Duration.millis(now - startedAt))
  const progress = yield* Ref.make(Progress.start)
  const update = (event: IndexEvent) =>
    Effect.flatMap(elapsed, (at) => Ref.update(progress, (progress) => Progress.next(progress, event, at)))
  /** Lines of several events are printed one after the other. */
  const exclusively = makeMutex()
  if (!err.canRedraw) return { update: () => Effect.void, printing: exclusively, end: Effect.void }

  const drawn = yield* Ref.make("")
  const erase = Effect.flatMap(Ref.getAndSet(drawn, ""), (line) => (line === "" ? Effect.void : err.write(eraseLine)))
  /** Prints lines in place of the progress line, which is not drawn meanwhile. */
  const printing = (lines: Effect.Effect<void>) => exclusively(Effect.zipRight(erase, lines))
  const draw = Effect.gen(function* () {
    const line = Progress.line(yield* Ref.get(progress), yield* elapsed, yield* err.columns)
    if ((yield* Ref.getAndSet(drawn, line)) !== line) yield* err.write(eraseLine + err.style.quiet(line))
  }).pipe(exclusively)
  yield* Effect.addFinalizer(() => erase)
  yield* Effect.locallyScopedWith(FiberRef.currentLoggers, HashSet.map(logAfter(erase)))
  const drawing = yield* Effect.forkScoped(Effect.repeat(draw, REDRAW))
  return { update, printing, end: Effect.zipRight(Fiber.interrupt(drawing), erase) }
})

/**
 * Runs `erase` before each line of a logger. Loggers are synchronous, and so are the effects that they wait for here.
 */
const logAfter =
  (erase: Effect.Effect<void>) =>
  <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
    Logger.make((line) => {
      Effect.runSync(erase)
      return logger.log(line)
    })
