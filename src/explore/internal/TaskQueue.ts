/** The batches that a run has to send: first those that were put in front, then those of the plan, model by model. */
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { makeMutex } from "../../base/mutex.ts"
import type { FileError } from "../../code/FileError.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { Batch } from "../Batch.ts"
import type { Prepared } from "../Batches.ts"
import type { ExplorerError } from "../ExplorerError.ts"

/** One request. */
export interface Task {
  readonly batch: Batch
  readonly model: LanguageModel.Service
  /** True if its symbols are asked for once more. */
  readonly isFollowUp: boolean
  /** True for a part of a batch that was too long: it is not split again. */
  readonly isPart: boolean
}

export interface TaskQueue {
  readonly next: Effect.Effect<Task | undefined, IndexError | FileError | ExplorerError>
  /** Puts tasks before all others. */
  readonly put: (tasks: ReadonlyArray<Task>) => Effect.Effect<void>
  readonly isEmpty: Effect.Effect<boolean, IndexError | FileError | ExplorerError>
}

export const make = (
  plans: ReadonlyArray<{ readonly model: LanguageModel.Service; readonly prepared: Prepared }>,
): Effect.Effect<TaskQueue, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sources = yield* Effect.forEach(plans, ({ model, prepared }) =>
      Effect.map(Stream.toPull(prepared.batches), (pull): Source => ({ model, pull })),
    )
    const waiting = yield* Ref.make<ReadonlyArray<Task>>([])
    /** The sources that may have more, each with the tokens that were taken from it. */
    const open = yield* Ref.make<ReadonlyArray<readonly [source: Source, tokens: number]>>(
      sources.map((source) => [source, 0]),
    )
    const exclusively = makeMutex()
    const put: TaskQueue["put"] = (tasks) => Ref.update(waiting, (before) => [...tasks, ...before])
    const takeWaiting = Ref.modify(waiting, ([first, ...others]) => [first, others] as const)

    /** Takes the next batch of the source from which the fewest tokens were taken. */
    const pull: TaskQueue["next"] = Effect.gen(function* () {
      const all = yield* Ref.get(open)
      const [first] = all.toSorted(([, one], [, other]) => one - other)
      if (first === undefined) return undefined
      const [source, tokens] = first
      const pulled = yield* Effect.either(source.pull)
      if (Either.isLeft(pulled)) {
        if (Option.isSome(pulled.left)) return yield* Effect.fail(pulled.left.value)
        yield* Ref.set(
          open,
          all.filter(([other]) => other !== source),
        )
        return yield* pull
      }
      // The plan has one batch in each chunk. If there were several, the others would be sent next.
      const tasks = Array.from(
        pulled.right,
        (batch): Task => ({
          batch,
          model: source.model,
          isFollowUp: batch.sent?.isFollowUp ?? false,
          isPart: false,
        }),
      )
      const taken = tasks.reduce((sum, { batch }) => sum + batch.tokens, tokens)
      yield* Ref.set(
        open,
        all.map((each) => (each[0] === source ? [source, taken] : each)),
      )
      yield* put(tasks)
      return yield* takeWaiting
    })
    const next = exclusively(Effect.flatMap(takeWaiting, (task) => (task === undefined ? pull : Effect.succeed(task))))
    const isEmpty = Effect.flatMap(next, (task) =>
      task === undefined ? Effect.succeed(true) : Effect.as(put([task]), false),
    )
    return { next, put, isEmpty }
  })

interface Source {
  readonly model: LanguageModel.Service
  readonly pull: Effect.Effect<Chunk.Chunk<Batch>, Option.Option<IndexError | FileError | ExplorerError>>
}
