/** Has workers of a cluster answer the batches of a run, and stores what they answer in the index of this process. */
import { randomBytes } from "node:crypto"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Batch } from "../indexing/Batch.ts"
import { PURPOSE_TOKENS } from "../indexing/Batch.ts"
import * as Batches from "../indexing/Batches.ts"
import * as BatchRun from "../indexing/BatchRun.ts"
import * as Explorer from "../indexing/Explorer.ts"
import { ExplorerError } from "../indexing/ExplorerError.ts"
import { type IndexEntry, isOpen, versionOf } from "../indexing/IndexEntry.ts"
import type { IndexError } from "../indexing/IndexError.ts"
import { IndexEvent } from "../indexing/IndexEvent.ts"
import * as Instruction from "../indexing/Instruction.ts"
import { endWith } from "../message/endWith.ts"
import * as Message from "../message/Message.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "../model/Cost.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { BudgetReached, Misconfigured, ModelError } from "../model/ModelError.ts"
import { declarations } from "../model/Request.ts"
import * as BatchContent from "./BatchContent.ts"
import * as Run from "./Run.ts"
import * as RunStore from "./RunStore.ts"
import { otherVersion } from "./Worker.ts"

export interface Options {
  /** The same in every checkout of it: the address of its remote, or its first commit. */
  readonly repository: string
  /** The commit of the working tree. */
  readonly commit: string
  /** See `Worker.Options`. */
  readonly version: string
  /** In US dollars, for the whole run. */
  readonly maxCost: number | undefined
}

/** Purposes are stored by few at a time: answers arrive faster than one is stored. */
const STORING = 4

/** Batches that are written to the database in one transaction. */
const PLANNED = 20

/** Between two looks at the database. */
const POLL = "1 second"

/** A starter that has not written a batch for so many seconds while it planned was killed. */
const PLANNING_TIMEOUT = 60

export const layer = (options: Options): Layer.Layer<never, never, RunStore.RunStore> =>
  Layer.effect(
    Explorer.Explorer,
    Effect.map(RunStore.RunStore, (store) => ({ explain: (settings) => explain(store, options, settings) })),
  )

const explain = Effect.fnUntraced(function* (
  store: RunStore.Service,
  options: Options,
  settings: BatchRun.Settings,
): Effect.fn.Return<BatchRun.Outcome, BatchRun.Failure> {
  const others = yield* store.otherVersions(options.version)
  if (others.length > 0) return yield* otherVersion(options.version, others)
  const earlier = yield* awaitPlan(store, options.repository)
  const joined = earlier === undefined ? undefined : yield* follow(store, earlier, settings)
  if (joined !== undefined && earlier !== undefined && Run.isOpen(earlier)) {
    // What the run asked for was asked for: only what is new since would be worth another.
    if (joined.outcome !== "complete" || !(yield* hasOther(settings, joined.asked))) return joined
  }
  if (!(yield* hasOther(settings, new Set()))) return joined ?? { outcome: "complete", batches: 0 }
  const run = yield* plan(store, options, settings)
  if (run === "budget") return { outcome: "budget", batches: joined?.batches ?? 0 }
  const outcome = yield* follow(store, run, settings)
  return { ...outcome, batches: outcome.batches + (joined?.batches ?? 0) }
})

/** The run of the repository, once it is planned. Where its starter was killed while it planned, there is none. */
const awaitPlan = Effect.fnUntraced(function* (store: RunStore.Service, repository: string) {
  for (;;) {
    const run = yield* store.latest(repository)
    if (run?.state !== "planning") return run
    if (run.idle > PLANNING_TIMEOUT) yield* store.remove(run.id)
    else yield* Effect.sleep(POLL)
  }
})

/** Whether the index has open symbols beside those, by version. */
const hasOther = Effect.fnUntraced(function* ({ index }: BatchRun.Settings, asked: ReadonlySet<string>) {
  for (const { open, path } of yield* index.files) {
    if (open === 0) continue
    const entries = yield* index.symbolsIn(path)
    if (entries.some((entry) => isOpen(entry) && !asked.has(versionOf(entry)))) return true
  }
  return false
})

/**
 * Writes what is open to the database, for workers to answer. Where another starter was faster, its run. `budget`: no batch is
 * within the limit of cost, which no worker is needed to say.
 */
const plan = Effect.fnUntraced(function* (store: RunStore.Service, options: Options, settings: BatchRun.Settings) {
  const { index, liteModel, map, model, thinking, workspace } = settings
  const models = BatchRun.sourcesOf(model, liteModel)
  if (options.maxCost !== undefined) {
    for (const { model } of models) if (model.price === undefined) return yield* unknownPrice(model)
  }
  const { tools } = settings.toolsFor({ area: ".", text: "", symbols: [], tokens: 0 }, () => Effect.void)
  const sent: BatchContent.Sent = {
    system: Instruction.system,
    tools: tools.map(({ description, name, parameters }) => ({ name, description, parameters })),
    toolChoice: BatchRun.choiceOf(thinking),
    ...(thinking !== undefined && { thinking }),
  }
  const id = randomBytes(6).toString("hex")
  const isMine = yield* store.create({
    id,
    repository: options.repository,
    commit: options.commit,
    version: options.version,
    request: Schema.encodeSync(BatchContent.Sent)(sent),
    maxCost: options.maxCost,
    spent: settings.spent ?? 0,
  })
  if (isMine) {
    const cheapest = yield* Ref.make(Number.POSITIVE_INFINITY)
    const instruction = Tokens.estimate(sent.system + declarations(tools), [])
    const write = Effect.forEach(
      models,
      ({ model, only }) =>
        Batches.plan(workspace, index, { ...BatchRun.limitsFor(model), only }).pipe(
          Stream.mapEffect((batch) =>
            Effect.flatMap(BatchRun.messageOf(map, batch), (message) =>
              toRow(model, batch, message, true, instruction),
            ),
          ),
          Stream.tap(({ estimate }) => Ref.update(cheapest, (least) => Math.min(least, estimate))),
          Stream.grouped(PLANNED),
          Stream.runForEach((rows) => store.plan(id, Chunk.toReadonlyArray(rows))),
        ),
      { discard: true },
    )
    yield* Effect.onExit(write, (exit) => (exit._tag === "Success" ? Effect.void : Effect.ignore(store.remove(id))))
    if ((settings.spent ?? 0) + (yield* Ref.get(cheapest)) > (options.maxCost ?? Number.POSITIVE_INFINITY)) {
      yield* store.remove(id)
      return "budget" as const
    }
    yield* store.open(id)
  }
  const run = yield* awaitPlan(store, options.repository)
  return run ?? (yield* new ExplorerError({ reason: "ended", message: "The run was removed while it was planned" }))
})

const unknownPrice = ({ id }: LanguageModel.Service): ModelError =>
  new ModelError({
    model: String(id),
    reason: new Misconfigured({
      message: `what it costs is not known, so its cost cannot be limited; set [models."${String(id)}".prices] in your own configuration file`,
    }),
  })

/** `instruction`: the tokens of what is sent with each batch. */
const toRow = Effect.fnUntraced(function* (
  model: LanguageModel.Service,
  batch: Batch,
  message: string,
  planned: boolean,
  instruction: number,
) {
  const content = yield* BatchContent.pack(BatchContent.BatchContent, {
    area: batch.area,
    text: batch.text,
    message,
    entries: batch.symbols,
  })
  const symbols = planned ? batch.symbols.length : new Set(message.match(/^§\d+/gm)).size
  const usage: Usage.Usage = {
    ...Usage.none,
    inputTokens: instruction + Tokens.estimate(message, []),
    // A third more than answers have on average, as for the size of batches.
    outputTokens: Math.ceil((symbols * PURPOSE_TOKENS * 4) / 3),
  }
  const row: RunStore.NewBatch = {
    digest: BatchContent.digestOf(String(model.id), message),
    model: String(model.id),
    planned,
    symbols,
    tokens: batch.tokens,
    content,
    estimate: Cost.of(usage, model.price) ?? 0,
  }
  return row
})

/**
 * Stores the answers of a run as they arrive, until it has ended. It is the run of this process (`BatchRun`), with a plan of
 * what has been answered, and models that look an answer up; what it asks for once more becomes batches of the run.
 */
const follow = Effect.fnUntraced(function* (store: RunStore.Service, run: Run.Snapshot, settings: BatchRun.Settings) {
  const { watch } = settings
  const asked = yield* Ref.make<ReadonlySet<string>>(new Set())
  const failed = yield* Deferred.make<never, ExplorerError>()
  yield* watch(
    IndexEvent.Distributed({
      run: run.id,
      state: run.state,
      batches: run.batches.answered + run.batches.refused + Run.left(run),
      workers: run.workers,
    }),
  )
  const { tools } = settings.toolsFor({ area: ".", text: "", symbols: [], tokens: 0 }, () => Effect.void)
  const instruction = Tokens.estimate(Instruction.system + declarations(tools), [])

  /** The batch once it has ended, or its run. */
  const awaitEnd = Effect.fnUntraced(function* (number: number) {
    for (;;) {
      const row = yield* store.read(run.id, number)
      if (row.state === "answered" || row.state === "refused" || !Run.isOpen({ state: row.run })) return row
      yield* Effect.sleep(POLL)
    }
  })

  /** Looks answers up. A message without a row is one that is asked for once more: it becomes a batch of the run. */
  const answering = (model: LanguageModel.Service): LanguageModel.Service => {
    const ask = Effect.fnUntraced(function* (message: string) {
      const digest = BatchContent.digestOf(String(model.id), message)
      const known = yield* store.numberOf(run.id, digest)
      const number =
        known ?? (yield* store.add(run.id, yield* toRow(model, toBatch(message), message, false, instruction)))
      const row = yield* awaitEnd(number)
      return row.answer === null
        ? yield* unanswered(model, row)
        : yield* BatchContent.unpack(BatchContent.Answer, row.answer)
    })
    const generate: LanguageModel.Service["generate"] = ({ messages }) =>
      Effect.gen(function* () {
        const last = messages.at(-1)
        const answer = yield* ask(last === undefined ? "" : Message.text(last)).pipe(
          Effect.catchTag("ExplorerError", (error) => Effect.zipRight(Deferred.fail(failed, error), Effect.never)),
        )
        return answer._tag === "Replied" ? answer.reply : yield* answer.error
      })
    return { ...model, generate }
  }

  /** The batches of the plan for a model, as they end. The last may be one that is left where the run was ended. */
  const answered = Effect.fnUntraced(function* (model: LanguageModel.Service) {
    const all = yield* store.planned(run.id, String(model.id))
    const seen = new Set<number>()
    const queue: Array<number> = []
    let notice: string | undefined
    let isOver = false
    const next = (): Effect.Effect<Batch, Option.Option<ExplorerError | IndexError>> =>
      Effect.gen(function* () {
        for (;;) {
          const number = queue.shift()
          if (number !== undefined) {
            const batch = yield* readBatch(store, run.id, number, settings)
            yield* Ref.update(asked, (before) => new Set([...before, ...batch.symbols.map(versionOf)]))
            if (batch.isWanted || isOver) return batch
            continue
          }
          if (isOver) return yield* Effect.fail(Option.none())
          const rows = yield* store.planned(run.id, String(model.id))
          for (const { ended, number } of rows) {
            if (!ended || seen.has(number)) continue
            seen.add(number)
            queue.push(number)
          }
          if (queue.length > 0) continue
          if (seen.size >= rows.length) return yield* Effect.fail(Option.none())
          const now = yield* store.find(run.id)
          if (now === undefined || !Run.isOpen(now)) {
            // Its answer is why there is none.
            isOver = true
            queue.push(
              ...rows
                .filter(({ ended }) => !ended)
                .slice(0, 1)
                .map(({ number }) => number),
            )
            continue
          }
          const advice = Run.adviceOf(now)
          if (advice !== undefined && advice !== notice) yield* watch(IndexEvent.Stalled({ run: run.id, advice }))
          notice = advice
          yield* Effect.sleep(POLL)
        }
      }).pipe(Effect.mapError((error) => (Option.isOption(error) ? error : Option.some(error))))
    const prepared: Batches.Prepared = {
      count: all.length,
      symbols: all.reduce((sum, { symbols }) => sum + symbols, 0),
      batches: Stream.repeatEffectOption(Effect.suspend(next)),
    }
    return prepared
  })

  const { liteModel, model } = settings
  const outcome = yield* BatchRun.run({
    ...settings,
    model: answering(model),
    liteModel: liteModel && answering(liteModel),
    plan: answered,
    parallel: STORING,
    // The limit is that of the cost: whoever has workers wants all of it explained.
    maxRequests: Number.MAX_SAFE_INTEGER,
    requestsLeft: Number.MAX_SAFE_INTEGER,
  }).pipe(endWith(Deferred.await(failed)))
  yield* store.complete
  return { ...outcome, asked: yield* Ref.get(asked) }
})

/** A batch as it was sent, with its symbols as they are now. `isWanted`: one of them is open still. */
const readBatch = Effect.fnUntraced(function* (
  store: RunStore.Service,
  run: string,
  number: number,
  { index }: BatchRun.Settings,
) {
  const { content } = yield* store.read(run, number)
  const { area, entries, message, text } = yield* BatchContent.unpack(BatchContent.BatchContent, content)
  const now = new Map<string, IndexEntry>()
  for (const path of new Set(entries.map(({ path }) => path))) {
    for (const entry of yield* index.symbolsIn(path)) now.set(versionOf(entry), entry)
  }
  // One that has changed since keeps its number; what was written of it is kept for its former source.
  const symbols = entries.map((entry) => now.get(versionOf(entry)) ?? entry)
  const isWanted = symbols.some((entry) => now.has(versionOf(entry)) && isOpen(entry))
  return { area, text, symbols, tokens: 0, message, isWanted }
})

/** Of a message that is asked for once more, which is all that is stored of it. */
const toBatch = (message: string): Batch => ({
  area: "",
  text: "",
  symbols: [],
  tokens: Tokens.estimate(message, []),
})

/** Why a batch has no answer, where its run has ended before. */
const unanswered = (
  model: LanguageModel.Service,
  { reason, run }: RunStore.StoredBatch,
): Effect.Effect<never, ModelError | ExplorerError> =>
  run === "budget"
    ? Effect.fail(
        new ModelError({
          model: String(model.id),
          reason: new BudgetReached({ message: "the next batch would exceed the limit of cost of the run" }),
        }),
      )
    : Effect.fail(
        new ExplorerError({
          reason: "ended",
          message:
            run === "cancelled" ? "The run was cancelled" : `The run was stopped: ${reason ?? "no reason is known"}`,
        }),
      )
