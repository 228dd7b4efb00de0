/** Stores the answers of workers in the index of this process. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { endWith } from "../../base/concurrency.ts"
import * as Text from "../../base/Text.ts"
import type { Batch } from "../../explore/Batch.ts"
import type * as Batches from "../../explore/Batches.ts"
import * as BatchRequest from "../../explore/BatchRequest.ts"
import * as BatchRun from "../../explore/BatchRun.ts"
import { ExplorerError } from "../../explore/ExplorerError.ts"
import { IndexEvent } from "../../explore/IndexEvent.ts"
import { type IndexEntry, isOpen, versionOf } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import * as Message from "../../message/Message.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { BudgetReached, InvalidRequest, ModelError } from "../../model/ModelError.ts"
import * as BatchContent from "../BatchContent.ts"
import * as Run from "../Run.ts"
import type * as RunStore from "../RunStore.ts"
import { ofRun } from "./asker.ts"
import { toRow } from "./toRow.ts"

/** The number of answers that are stored at the same time. They arrive faster than one is stored. */
const STORING = 4

/** The time between two looks at the database. */
const POLL = "1 second"

/**
 * The number of batches in a row without a purpose after which a run is stopped. It is more than for one process, since
 * they only cost the time of others.
 */
const MAX_FRUITLESS = 20

interface Followed extends BatchRun.Outcome {
  /** The versions of the symbols that the run has asked for. */
  readonly asked: ReadonlySet<string>
}

const isEnded = ({ state }: RunStore.ListedBatch): boolean => state === "answered" || state === "refused"

/** Stores the answers of a run that has ended, whatever model wrote them. Asks for nothing more. */
export const collect = Effect.fnUntraced(function* (
  store: RunStore.Service,
  run: Run.Snapshot,
  settings: BatchRun.Settings,
): Effect.fn.Return<BatchRun.Outcome, BatchRun.Failure> {
  const rows = (yield* store.list(run.id)).filter(({ state }) => state === "answered")
  if (rows.length === 0) return { outcome: "complete", batches: 0 }
  yield* settings.watch(toDistributed(run))
  const failed = yield* Deferred.make<never, ExplorerError>()
  const numbers = new Map<string, number>()
  const generate: LanguageModel.Service["generate"] = ({ messages }) =>
    Effect.gen(function* () {
      const number = numbers.get(lastText(messages)) ?? (yield* Effect.dieMessage("a message that was not stored"))
      const { answer } = yield* store.read(run.id, number)
      if (answer === null) return yield* Effect.dieMessage(`batch ${number} of run ${run.id} has no answer`)
      const replied = yield* BatchContent.unpack(BatchContent.Answer, answer)
      return replied._tag === "Replied" ? replied.reply : yield* replied.error
    }).pipe(failWith(failed))
  const batches = Stream.fromIterable(rows).pipe(
    Stream.mapEffect((row) => readBatch(store, run.id, row, true, settings)),
    Stream.filter(({ isWanted }) => isWanted),
    Stream.tap(({ batch, number }) => Effect.sync(() => numbers.set(batch.sent.message, number))),
    Stream.map(({ batch }) => batch),
  )
  return yield* BatchRun.run({
    ...settings,
    model: { ...settings.model, generate },
    liteModel: undefined,
    plan: () =>
      Effect.succeed({ count: rows.length, symbols: rows.reduce((sum, { symbols }) => sum + symbols, 0), batches }),
    asksAgain: false,
    ...unlimited,
  }).pipe(endWith(Deferred.await(failed)))
})

/** Lifts all limits except that of the cost: a run of a cluster explains everything that is open. */
const unlimited = {
  parallel: STORING,
  maxRequests: Number.MAX_SAFE_INTEGER,
  requestsLeft: Number.MAX_SAFE_INTEGER,
} satisfies Partial<BatchRun.Settings>

/** Keeps failures of the database out of a model, which may fail only as models do: they end the run instead. */
const failWith =
  (failed: Deferred.Deferred<never, ExplorerError>) =>
  <A>(ask: Effect.Effect<A, ModelError | ExplorerError>): Effect.Effect<A, ModelError> =>
    Effect.catchTag(ask, "ExplorerError", (error) => Effect.zipRight(Deferred.fail(failed, error), Effect.never))

const toDistributed = (run: Run.Snapshot) =>
  IndexEvent.Distributed({
    run: run.id,
    state: run.state,
    batches: run.batches.answered + run.batches.refused + Run.countOpen(run),
    workers: run.workers,
  })

const lastText = (messages: ReadonlyArray<Message.Message>): string => {
  const last = messages.at(-1)
  return last === undefined ? "" : Message.text(last)
}

/**
 * Stores the answers of an open run as they arrive, until it has ended. It is the run of this process (`BatchRun`),
 * with a plan of the answered batches, and models that look an answer up. A repeated request becomes a batch of the
 * run.
 */
export const follow = Effect.fnUntraced(function* (
  store: RunStore.Service,
  run: Run.Snapshot,
  settings: BatchRun.Settings,
): Effect.fn.Return<Followed, BatchRun.Failure> {
  const { watch } = settings
  // This set is changed in place. A copy for each of thousands of batches would take longer than their answers.
  const asked = new Set<string>()
  const failed = yield* Deferred.make<never, ExplorerError>()
  /** The numbers of the stored batches. */
  const numbers = new WeakMap<Batch, number>()
  /** The batches whose messages are about to be sent: several may have one message. */
  const sending = new Map<string, Array<Batch>>()
  /** How often a message that was not stored was sent, by its digest. */
  const attempts = new Map<string, number>()
  const seen = new Set<number>()
  yield* watch(toDistributed(run))

  const answering = (model: LanguageModel.Service): LanguageModel.Service => {
    /**
     * Returns the number of the batch of a message. If it has none, the request is a repeated one, and becomes a batch
     * of the run.
     */
    const numberOf = Effect.fnUntraced(function* (message: string) {
      const [batch, ...others] = sending.get(message) ?? []
      if (others.length === 0) sending.delete(message)
      else sending.set(message, others)
      if (batch === undefined) return yield* Effect.dieMessage("a message of no batch")
      const known = numbers.get(batch)
      if (known !== undefined) return known
      const digest = Text.sha256(message)
      const attempt = (attempts.get(digest) ?? 0) + 1
      attempts.set(digest, attempt)
      const added = yield* store.add(run.id, yield* toRow(settings, model, batch, message, attempt))
      if (added !== undefined) seen.add(added)
      return added
    })
    const ask = Effect.fnUntraced(function* (message: string) {
      const number = yield* numberOf(message)
      if (number === undefined) {
        const now = yield* store.find(run.id)
        return yield* failUnanswered(store, run.id, model, now?.state ?? "cancelled", now?.reason)
      }
      while (!(yield* store.isEnded(run.id, number))) yield* Effect.sleep(POLL)
      const row = yield* store.read(run.id, number)
      return row.answer === null
        ? yield* failUnanswered(store, run.id, model, row.run, row.reason ?? undefined)
        : yield* BatchContent.unpack(BatchContent.Answer, row.answer)
    })
    const generate: LanguageModel.Service["generate"] = ({ messages }) =>
      Effect.gen(function* () {
        const message = lastText(messages)
        const answer = yield* failWith(failed)(ask(message))
        return answer._tag === "Replied" ? answer.reply : yield* toFailure(answer.error)
      })
    return { ...model, generate }
  }

  /**
   * Returns the batches for a model, as they end. If the run was ended, the last one may be a batch without an answer.
   */
  const answered = Effect.fnUntraced(function* (model: LanguageModel.Service) {
    const ofModel = Effect.map(store.list(run.id), (rows) => rows.filter((row) => row.model === String(model.id)))
    const all = yield* ofModel
    const earlier = new Set(all.filter(isEnded).map(({ number }) => number))
    const queue: Array<RunStore.ListedBatch> = []
    let notice: string | undefined
    let isOver = false
    const next = (): Effect.Effect<Batch, Option.Option<ExplorerError | IndexError>> =>
      Effect.gen(function* () {
        for (;;) {
          const row = queue.shift()
          if (row !== undefined) {
            const { batch, isWanted } = yield* readBatch(store, run.id, row, earlier.has(row.number), settings)
            for (const entry of batch.symbols) asked.add(versionOf(entry))
            if (!isWanted && !isOver) continue
            numbers.set(batch, row.number)
            return batch
          }
          if (isOver) return yield* Effect.fail(Option.none())
          const rows = yield* ofModel
          const fresh = rows.filter((row) => isEnded(row) && !seen.has(row.number))
          for (const row of fresh) seen.add(row.number)
          queue.push(...fresh)
          if (queue.length > 0) continue
          if (rows.every(({ number }) => seen.has(number))) return yield* Effect.fail(Option.none())
          const now = yield* store.find(run.id)
          if (now === undefined || !Run.isOpen(now)) {
            // The answer to this batch says why there are no more.
            isOver = true
            queue.push(...rows.filter((row) => !isEnded(row)).slice(0, 1))
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
    maxFruitless: MAX_FRUITLESS,
    onSend: (message, batch) => Effect.sync(() => sending.set(message, [...(sending.get(message) ?? []), batch])),
    ...unlimited,
  }).pipe(endWith(Deferred.await(failed)))
  if (outcome.isFruitless) {
    const reason = `${MAX_FRUITLESS} batches in a row were not explained`
    yield* store.stop(run.id, reason)
    yield* watch(IndexEvent.Stalled({ run: run.id, advice: describeStop(reason) }))
  }
  yield* store.complete
  return { ...outcome, asked }
})

/** Reads a batch as it was sent, with its symbols as they are now. `isWanted`: true if one of them is still open. */
const readBatch = Effect.fnUntraced(function* (
  store: RunStore.Service,
  run: string,
  { number, planned }: RunStore.ListedBatch,
  isEarlier: boolean,
  { index }: BatchRun.Settings,
) {
  const { content } = yield* store.read(run, number)
  const { area, entries, message, text } = yield* BatchContent.unpack(BatchContent.BatchContent, content)
  const now = new Map<string, IndexEntry>()
  for (const path of new Set(entries.map(({ path }) => path))) {
    for (const entry of yield* index.symbolsIn(path)) now.set(versionOf(entry), entry)
  }
  // A symbol that has changed since keeps its number. Its text is kept for its former source.
  const symbols = entries.map((entry) => now.get(versionOf(entry)) ?? entry)
  const isWanted = symbols.some((entry) => now.has(versionOf(entry)) && isOpen(entry))
  const batch = { area, text, symbols, tokens: 0, sent: { message, isFollowUp: !planned, isEarlier } }
  return { batch, number, isWanted }
})

const describeStop = (reason = "no reason is known"): string => `The run was stopped: ${reason}`

/**
 * Turns a refusal that has not stopped the run into one of its batch, such as after an hour with an overloaded
 * provider.
 */
const toFailure = (error: ModelError): ModelError =>
  ofRun.has(error.reason._tag) || BatchRequest.isOfBatch.has(error.reason._tag)
    ? error
    : new ModelError({ ...error, reason: new InvalidRequest({ message: error.reason.message }) })

/** Fails with the reason why a batch has no answer: its run has ended before. */
const failUnanswered = Effect.fnUntraced(function* (
  store: RunStore.Service,
  run: string,
  model: LanguageModel.Service,
  state: Run.State,
  reason: string | undefined,
): Effect.fn.Return<never, ModelError | ExplorerError> {
  const failed = (reason: ModelError["reason"]) => new ModelError({ model: String(model.id), reason })
  const ended = (message: string) => new ExplorerError({ reason: "ended", message })
  switch (state) {
    case "budget":
      return yield* failed(new BudgetReached({ message: "the next batch would exceed the limit of cost of the run" }))
    case "cancelled":
      return yield* ended("The run was cancelled")
    case "stopped":
      return yield* (yield* findStop(store, run)) ?? ended(describeStop(reason))
    case "planning":
    case "running":
    case "complete":
      // Another run of the repository has begun in the meantime.
      return yield* failed(
        new InvalidRequest({ message: "the run had ended; the next 'vibe index --cluster' asks for it" }),
      )
  }
})

/** Returns the failure of the model that has stopped a run. */
const findStop = Effect.fnUntraced(function* (store: RunStore.Service, run: string) {
  for (const { number, state } of yield* store.list(run)) {
    if (state !== "refused") continue
    const { answer } = yield* store.read(run, number)
    const refused = answer === null ? undefined : yield* BatchContent.unpack(BatchContent.Answer, answer)
    if (refused?._tag === "Refused" && ofRun.has(refused.error.reason._tag)) return refused.error
  }
  return undefined
})
