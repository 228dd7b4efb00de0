/**
 * A scheduler of fibers that returns to Node's event loop every 20 ms. Reading, parsing and storing are synchronous, so
 * to Node a run is one long task: with Effect's own scheduler signals and timers waited for up to half a minute.
 */
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"

/** Milliseconds of work between two turns of the event loop. */
const MAX_SLICE_MS = 20

/** Reading the clock costs as much as many a step of a fiber, so it is read once in this many steps. */
const STEPS_PER_CLOCK_READ = 16

let sliceStart = 0

const isSliceOver = (): boolean => performance.now() - sliceStart > MAX_SLICE_MS

const queue = new Scheduler.PriorityBuckets()

/** The oldest task of the lowest priority number. */
const takeNext = (): Scheduler.Task | undefined => {
  const [, tasks = []] = queue.buckets[0] ?? []
  const task = tasks.shift()
  if (tasks.length === 0) queue.buckets.shift()
  return task
}

let isRunning = false

const run = (): void => {
  sliceStart = performance.now()
  try {
    for (let task = takeNext(); task !== undefined; task = isSliceOver() ? undefined : takeNext()) task()
  } finally {
    isRunning = queue.buckets.length > 0
    if (isRunning) setImmediate(run)
  }
}

/**
 * One queue for all fibers: Node runs all pending immediates before it handles a signal, so an immediate for each
 * fiber, as in Effect's batched schedulers, would let hundreds of them work for 20 ms each.
 */
const scheduler = Scheduler.make(
  (task, priority) => {
    queue.scheduleTask(task, priority)
    if (isRunning) return
    isRunning = true
    setImmediate(run)
  },
  (fiber) =>
    fiber.currentOpCount % STEPS_PER_CLOCK_READ === 0 && isSliceOver() ? 0 : Scheduler.defaultShouldYield(fiber),
)

export const withScheduler: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withScheduler(scheduler)
