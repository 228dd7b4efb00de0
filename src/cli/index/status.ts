/** `vibe index --status RUN` and `--cancel RUN`: follow or cancel a run that workers answer. */
import * as Effect from "effect/Effect"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Run from "../../cluster/Run.ts"
import type * as RunStore from "../../cluster/RunStore.ts"
import * as Cost from "../../model/Cost.ts"
import * as Screen from "../terminal/Screen.ts"

/** The time between two looks at a run that is followed. */
const POLL = "2 seconds"

const find = (store: RunStore.Service, id: string) =>
  Effect.flatMap(store.find(id), (run) =>
    run === undefined
      ? Effect.fail(
          new UsageError({ message: `no run of the cluster is named '${id}', or several are`, command: "index" }),
        )
      : Effect.succeed(run),
  )

/** Prints the state of a run each time that it changes, until it has ended; once with `--json`. */
export const status = Effect.fn("cli.index.status")(function* (store: RunStore.Service, id: string, json: boolean) {
  const { err, out } = yield* Screen.Screen
  if (json) return yield* Screen.line(out, sanitizeJson(toJson(yield* find(store, id))))
  let before = ""
  for (;;) {
    const run = yield* find(store, id)
    const line = describe(run)
    if (line !== before) yield* Screen.line(out, sanitizeLine(line))
    before = line
    const advice = Run.adviceOf(run)
    if (advice !== undefined) yield* Screen.line(err, sanitizeLine(advice))
    if (!Run.isOpen(run)) return
    // The advice is printed once, and ends the command: the run goes on only once the user has acted.
    if (advice !== undefined) return
    yield* Effect.sleep(POLL)
  }
})

export const cancel = Effect.fn("cli.index.cancel")(function* (store: RunStore.Service, id: string, json: boolean) {
  const { err, out } = yield* Screen.Screen
  const found = yield* find(store, id)
  yield* store.cancel(found.id)
  const run = yield* find(store, found.id)
  if (json) return yield* Screen.line(out, sanitizeJson(toJson(run)))
  yield* Screen.line(
    err,
    Run.isOpen(found)
      ? `Run ${run.id} is cancelled; what is answered is stored by the next 'vibe index --cluster'`
      : `Run ${run.id} had ended already (${run.state})`,
  )
})

const describe = (run: Run.Snapshot): string => {
  const { answered, refused } = run.batches
  const all = answered + refused + Run.countOpen(run)
  return [
    `run ${run.id}, ${run.state}${run.reason === undefined ? "" : `: ${run.reason}`}`,
    `${answered} of ${all === 1 ? "1 batch" : `${all} batches`} answered`,
    ...(refused === 0 ? [] : [`${refused} refused by the model`]),
    `${run.batches.running} under way`,
    plural(run.workers, "worker"),
    ...(run.lost === 0
      ? []
      : [`at most ${Cost.formatDollars(run.lost)} for answers that were lost with their workers`]),
    `${Cost.formatDollars(run.spent)}${run.maxCost === undefined ? "" : ` of ${Cost.formatDollars(run.maxCost)}`}`,
  ].join(" · ")
}

const toJson = (run: Run.Snapshot): object => ({
  run: run.id,
  repository: run.repository,
  commit: run.commit,
  state: run.state,
  reason: run.reason ?? null,
  batches: run.batches,
  workers: run.workers,
  cost: run.spent,
  lost: run.lost,
  maxCost: run.maxCost ?? null,
  inputTokens: run.inputTokens,
  outputTokens: run.outputTokens,
  repeated: run.repeated,
  createdAt: run.createdAt.toISOString(),
  endedAt: run.endedAt?.toISOString() ?? null,
  advice: Run.adviceOf(run) ?? null,
})
