/** Runs `vibe worker`. */

import { randomBytes } from "node:crypto"
import * as os from "node:os"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Models from "../../app/Models.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import * as Worker from "../../cluster/Worker.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as Cost from "../../model/Cost.ts"
import * as ClusterLayer from "../index/clusterLayer.ts"
import { Version } from "../Table.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

const PARALLEL = 3

/** Never succeeds: it ends with an interrupt, or if this worker may not take part. */
export const run = Effect.fn("cli.worker")(function* ({ json, parallel }: Input) {
  const { err, out } = yield* Screen.Screen
  const slots = Option.getOrElse(parallel, () => PARALLEL)
  const id = `${os.hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`
  return yield* Worker.serve({
    id,
    version: yield* Version,
    parallel: slots,
    onEvent: (event) =>
      json
        ? Screen.line(out, sanitizeJson({ worker: id, ...toJson(event) }))
        : Effect.forEach(lineOf(event, slots), (line) => Screen.line(err, sanitizeLine(line)), { discard: true }),
  })
}, Effect.scoped)

const lineOf = (event: Worker.WorkerEvent, slots: number): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Ready":
      return [`Waiting for batches, ${slots} at a time; Ctrl-C ends this worker, and another takes what it has begun`]
    case "Asked":
      return []
    case "Answered":
      return [
        `batch ${event.batch.number} of run ${event.batch.run}: ${event.reason ?? `answered, ${Cost.describe(event.cost)}`}`,
      ]
    case "Waiting":
      return [`${event.reason}; waiting for it`]
    case "Recovered":
      return [`batch ${event.batch.number} of run ${event.batch.run}: lost by its worker, asked by this one`]
  }
}

const toJson = (event: Worker.WorkerEvent): object => {
  switch (event._tag) {
    case "Ready":
      return { event: "ready" }
    case "Asked":
      return { event: "asked", ...event.batch, model: event.model }
    case "Answered":
      return { event: "answered", ...event.batch, cost: event.cost ?? null, reason: event.reason ?? null }
    case "Waiting":
      return { event: "waiting", reason: event.reason }
    case "Recovered":
      return { event: "recovered", ...event.batch }
  }
}

/** The settings of requests that the command line can change. */
type LayerOptions = Pick<AppConfig.RequestPolicy, "maxRetries" | "maxWait">

const none = { maxCost: Option.none(), maxRunTokens: Option.none(), record: Option.none(), replay: Option.none() }

export const layer = (options: LayerOptions) =>
  ClusterLayer.store("worker").pipe(
    Layer.provideMerge(Models.layer),
    Layer.provideMerge(RequestPolicy.layer({ ...none, ...options })),
    Layer.provide(Sources.layer(".")),
    Layer.provide(NodeFiles.layer),
  )
