/**
 * Gives Node its turn while there is much to do. Reading, parsing and storing are synchronous, so to Node a run is
 * one long piece of work: with Effect's own scheduler a Ctrl-C, or a tick of the clock, waited for half a minute.
 */
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"

/** Of work in one go. */
const longestMs = 20

/** Looking at the clock costs as much as many a step of a fiber: do it every so many. */
const stepsBetweenLooks = 16

let begun = 0

const isOver = (): boolean => performance.now() - begun > longestMs

const waiting = new Scheduler.PriorityBuckets()

/** The first of those with the lowest number. */
const next = (): Scheduler.Task | undefined => {
  const [, tasks = []] = waiting.buckets[0] ?? []
  const task = tasks.shift()
  if (tasks.length === 0) waiting.buckets.shift()
  return task
}

let isRunning = false

const run = (): void => {
  begun = performance.now()
  try {
    for (let task = next(); task !== undefined; task = isOver() ? undefined : next()) task()
  } finally {
    isRunning = waiting.buckets.length > 0
    if (isRunning) setImmediate(run)
  }
}

/**
 * One queue for all fibers: Node runs all immediates that wait before it looks for a signal, so an immediate for each
 * fiber, as Effect's batched schedulers have it, would let hundreds of them work for 20 ms each.
 */
const scheduler = Scheduler.make(
  (task, priority) => {
    waiting.scheduleTask(task, priority)
    if (isRunning) return
    isRunning = true
    setImmediate(run)
  },
  (fiber) => (fiber.currentOpCount % stepsBetweenLooks === 0 && isOver() ? 0 : Scheduler.defaultShouldYield(fiber)),
)

export const given: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withScheduler(scheduler)
