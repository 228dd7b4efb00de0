/** Lets the workers of a cluster answer the batches of a run, and stores their answers in the index of this process. */
import { randomBytes } from "node:crypto"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Batches from "../explore/Batches.ts"
import * as BatchRequest from "../explore/BatchRequest.ts"
import * as BatchRun from "../explore/BatchRun.ts"
import { ExplorerError } from "../explore/ExplorerError.ts"
import { IndexEvent } from "../explore/IndexEvent.ts"
import * as Instruction from "../explore/Instruction.ts"
import { isOpen, versionOf } from "../index/IndexEntry.ts"
import * as Cost from "../model/Cost.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { Misconfigured, ModelError } from "../model/ModelError.ts"
import * as BatchContent from "./BatchContent.ts"
import { collect, follow } from "./internal/answers.ts"
import { otherVersion } from "./internal/asker.ts"
import { toRow } from "./internal/toRow.ts"
import * as Run from "./Run.ts"
import * as RunStore from "./RunStore.ts"

export interface Options {
  /**
   * The name of the repository, which is the same in every checkout: the address of its remote, or its first commit.
   */
  readonly repository: string
  /** The commit of the working tree. */
  readonly commit: string
  /** See `Worker.Options`. */
  readonly version: string
  /** The limit of cost for the whole run, in US dollars. */
  readonly maxCost: number | undefined
}

/** The number of batches that are written to the database in one transaction. */
const PLANNED = 20

/** The time between two looks at the database. */
const POLL = "1 second"

export const layer = (options: Options): Layer.Layer<never, never, RunStore.RunStore> =>
  Layer.effect(
    BatchRun.Explorer,
    Effect.map(RunStore.RunStore, (store) => ({
      resume: (settings) => resume(store, options, settings),
      explain: (settings) => explain(store, options, settings),
    })),
  )

/**
 * Joins an earlier run. This comes before the map, so that a starter which is refused, or joins a run, has paid for
 * nothing.
 */
const resume = Effect.fnUntraced(function* (
  store: RunStore.Service,
  options: Options,
  settings: BatchRun.Settings,
): Effect.fn.Return<BatchRun.Outcome | undefined, BatchRun.Failure> {
  const others = yield* store.otherVersions(options.version)
  if (others.length > 0) return yield* otherVersion(options.version, others)
  const found = yield* awaitPlan(store, options.repository)
  if (found !== undefined && Run.isOpen(found)) {
    const { isOver, outcome } = yield* join(store, options, found, settings)
    if (isOver) return outcome
  } else if (found?.version === options.version) {
    const { batches } = yield* collect(store, found, yield* adopt(store, found, settings))
    if (!(yield* hasOther(settings, new Set()))) return { outcome: "complete", batches }
  }
  if (options.maxCost === undefined) return undefined
  for (const { model } of BatchRun.sourcesOf(settings.model, settings.liteModel)) {
    if (model.price === undefined) return yield* unknownPrice(model)
  }
  return undefined
})

const explain = Effect.fnUntraced(function* (
  store: RunStore.Service,
  options: Options,
  settings: BatchRun.Settings,
): Effect.fn.Return<BatchRun.Outcome, BatchRun.Failure> {
  let batches = 0
  for (;;) {
    const run = yield* plan(store, options, settings)
    switch (run) {
      case "nothing":
        return { outcome: "complete", batches }
      case "budget":
        return { outcome: "budget", batches }
      case "taken":
        break
      default: {
        const { outcome, ...own } = yield* follow(store, run, settings)
        return { outcome, batches: batches + own.batches }
      }
    }
    const found = yield* awaitPlan(store, options.repository)
    if (found === undefined || !Run.isOpen(found)) continue
    // Another starter was faster while the map for this one was being written.
    if (settings.spent !== undefined && settings.spent > 0) yield* store.charge(found.id, settings.spent)
    const { isOver, outcome } = yield* join(store, options, found, settings)
    batches += outcome.batches
    if (isOver) return { ...outcome, batches }
  }
})

/**
 * Waits for the run of the repository to be planned, and returns it. If its starter was killed during the planning,
 * there is none.
 */
const awaitPlan = Effect.fnUntraced(function* (store: RunStore.Service, repository: string) {
  for (;;) {
    const run = yield* store.latest(repository)
    if (run?.state !== "planning") return run
    if (run.idle > Run.PLANNING_TIMEOUT) yield* store.remove(run.id)
    else yield* Effect.sleep(POLL)
  }
})

/** Returns whether the index has open symbols besides those in `asked`, by version. */
const hasOther = Effect.fnUntraced(function* ({ index }: BatchRun.Settings, asked: ReadonlySet<string>) {
  for (const { open, path } of yield* index.files) {
    if (open === 0) continue
    const entries = yield* index.symbolsIn(path)
    if (entries.some((entry) => isOpen(entry) && !asked.has(versionOf(entry)))) return true
  }
  return false
})

const modelsOf = ({ liteModel, model }: BatchRun.Settings): ReadonlyArray<string> =>
  BatchRun.sourcesOf(model, liteModel).map(({ model }) => String(model.id))

/**
 * Joins an open run. `isOver` is true if nothing is left to ask for. The run asked for its symbols already, so only new
 * ones would be worth another run.
 */
const join = Effect.fnUntraced(function* (
  store: RunStore.Service,
  { maxCost }: Options,
  run: Run.Snapshot,
  settings: BatchRun.Settings,
): Effect.fn.Return<{ readonly outcome: BatchRun.Outcome; readonly isOver: boolean }, BatchRun.Failure> {
  const models = modelsOf(settings)
  const refuse = (differs: string, give: string) =>
    new ExplorerError({
      reason: "refused",
      message: `Run ${run.id} of this repository ${differs}; ${give}, wait until it has ended, or end it with 'vibe index --cancel ${run.id}'`,
    })
  if (models.join() !== run.models.join()) {
    const differs = `explains with ${run.models.join(" and ")}, and this command with ${models.join(" and ")}`
    return yield* refuse(differs, "give the same models")
  }
  const isLimited = maxCost !== undefined && maxCost !== run.maxCost
  if (isLimited && maxCost > 0) {
    const limit = run.maxCost === undefined ? "has no limit of cost" : `may cost ${Cost.formatDollars(run.maxCost)}`
    const differs = `${limit}, and --max-cost of this command is ${Cost.formatDollars(maxCost)}`
    return yield* refuse(differs, "give the same limit or none")
  }
  const adopted = yield* adopt(store, run, settings)
  // Stores the answers that are there, and asks for nothing.
  if (isLimited) return { outcome: { ...(yield* collect(store, run, adopted)), outcome: "budget" }, isOver: true }
  const { asked, ...outcome } = yield* follow(store, run, adopted)
  const isCutShort = outcome.outcome === "budget" || outcome.outcome === "limit" || outcome.isFruitless === true
  const isOver = isCutShort || !(yield* hasOther(settings, asked))
  return { outcome, isOver }
})

/**
 * Returns the settings with the map and the prices of a run. The map becomes that of this index if it has none. The
 * prices say how much to reserve for repeated requests.
 */
const adopt = Effect.fnUntraced(function* (store: RunStore.Service, run: Run.Snapshot, settings: BatchRun.Settings) {
  const { index, liteModel, model, watch } = settings
  const request = yield* store.requestOf(run.id)
  const { map, prices } = yield* Effect.orDie(Schema.decodeUnknown(BatchContent.Sent)(request))
  if (map !== undefined && (yield* index.map) === undefined) {
    yield* index.recordMap(map)
    yield* watch(IndexEvent.Mapped({ map }))
  }
  const withPrice = (model: LanguageModel.Service): LanguageModel.Service => ({
    ...model,
    price: prices[String(model.id)] ?? model.price,
  })
  return { ...settings, map, model: withPrice(model), liteModel: liteModel && withPrice(liteModel) }
})

/**
 * Writes the open symbols to the database, for workers to answer. Returns `taken` if another starter was faster,
 * `nothing` if nothing can be sent, and `budget` if no batch is within the limit of cost. No worker is needed to find
 * that out.
 */
const plan = Effect.fnUntraced(function* (store: RunStore.Service, options: Options, settings: BatchRun.Settings) {
  const { index, liteModel, map, model, thinking, workspace } = settings
  const models = BatchRun.sourcesOf(model, liteModel)
  const { tools } = settings.toolsFor({ area: ".", text: "", symbols: [], tokens: 0 })
  const sent: BatchContent.Sent = {
    system: Instruction.system,
    tools: tools.map(({ description, name, parameters }) => ({ name, description, parameters })),
    toolChoice: BatchRequest.choiceOf(thinking),
    ...(thinking !== undefined && { thinking }),
    prices: Object.fromEntries(models.flatMap(({ model: { id, price } }) => (price ? [[String(id), price]] : []))),
    ...(map !== undefined && { map }),
  }
  const id = randomBytes(6).toString("hex")
  const isMine = yield* store.create({
    id,
    repository: options.repository,
    commit: options.commit,
    version: options.version,
    models: modelsOf(settings),
    request: Schema.encodeSync(BatchContent.Sent)(sent),
    maxCost: options.maxCost,
    spent: settings.spent ?? 0,
  })
  if (!isMine) return "taken" as const
  const cheapest = yield* Ref.make<number | undefined>(undefined)
  const write = Effect.forEach(
    models,
    ({ model, only }) =>
      Batches.plan(workspace, index, { ...BatchRun.limitsFor(model), only, summaries: false }).pipe(
        Stream.mapEffect((batch) =>
          Effect.flatMap(BatchRequest.messageOf(map, batch), (message) => toRow(settings, model, batch, message, 0)),
        ),
        Stream.tap(({ estimate }) => Ref.update(cheapest, (least = estimate) => Math.min(least, estimate))),
        Stream.grouped(PLANNED),
        Stream.runForEach((rows) => store.plan(id, Chunk.toReadonlyArray(rows))),
      ),
    { discard: true },
  )
  yield* Effect.onExit(write, (exit) => (exit._tag === "Success" ? Effect.void : Effect.ignore(store.remove(id))))
  const least = yield* Ref.get(cheapest)
  if (least === undefined) return yield* Effect.as(store.remove(id), "nothing" as const)
  if ((settings.spent ?? 0) + least > (options.maxCost ?? Number.POSITIVE_INFINITY)) {
    return yield* Effect.as(store.remove(id), "budget" as const)
  }
  yield* store.open(id)
  const run = yield* store.find(id)
  return run ?? (yield* new ExplorerError({ reason: "ended", message: "The run was removed while it was planned" }))
})

const unknownPrice = ({ id }: LanguageModel.Service): ModelError =>
  new ModelError({
    model: String(id),
    reason: new Misconfigured({
      message: `what it costs is not known, so its cost cannot be limited; set [models."${String(id)}".prices] in your own configuration file`,
    }),
  })
