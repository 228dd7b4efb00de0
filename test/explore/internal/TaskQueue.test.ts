/** Tests hold the order in which the batches of a run are sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { Batch } from "../../../src/explore/Batch.ts"
import * as TaskQueue from "../../../src/explore/internal/TaskQueue.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"

const model = Scripted.unsafeMake([], "own")
const lite = Scripted.unsafeMake([], "lite")

/** A plan of batches of so many tokens, which are their names, too. */
const planOf = (of: typeof model, ...sizes: ReadonlyArray<number>) => ({
  model: of,
  prepared: {
    count: sizes.length,
    symbols: sizes.length,
    batches: Stream.fromIterable(sizes).pipe(Stream.map(batchOf), Stream.rechunk(1)),
  },
})

const batchOf = (tokens: number): Batch => ({ area: String(tokens), text: "", symbols: [], tokens })

const taskOf = (tokens: number): TaskQueue.Task => ({ batch: batchOf(tokens), model, isFollowUp: true, isPart: false })

/** Takes all tasks that are left. */
const drain = Effect.fnUntraced(function* (queue: TaskQueue.TaskQueue) {
  const taken: Array<string> = []
  for (let task = yield* queue.next; task !== undefined; task = yield* queue.next) {
    taken.push(`${task.model === lite ? "lite " : ""}${task.batch.area}`)
  }
  return taken
})

describe("TaskQueue", () => {
  it.scoped("takes the next batch of the model that has had fewer tokens, of the first one if both had as many", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue.make([planOf(model, 10, 11, 12), planOf(lite, 4, 3, 3, 20, 1)])
      assert.deepStrictEqual(yield* drain(queue), ["10", "lite 4", "lite 3", "lite 3", "11", "lite 20", "12", "lite 1"])
    }),
  )

  it.scoped("goes on with one plan when the other has ended", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue.make([planOf(model), planOf(lite, 1, 2, 3)])
      assert.deepStrictEqual(yield* drain(queue), ["lite 1", "lite 2", "lite 3"])
      assert.deepStrictEqual(yield* drain(yield* TaskQueue.make([])), [])
    }),
  )

  it.scoped("sends what is put in front before all others, the last put first, each list in its order", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue.make([planOf(model, 1, 2)])
      yield* queue.put([taskOf(7), taskOf(8)])
      yield* queue.put([taskOf(9)])
      assert.deepStrictEqual(yield* drain(queue), ["9", "7", "8", "1", "2"])
    }),
  )

  it.scoped("loses no task by the question whether there is one", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue.make([planOf(model, 1, 2)])
      assert.isFalse(yield* queue.isEmpty)
      assert.isFalse(yield* queue.isEmpty)
      assert.deepStrictEqual(yield* drain(queue), ["1", "2"])
      assert.isTrue(yield* queue.isEmpty)
      assert.isUndefined(yield* queue.next)
    }),
  )
})
