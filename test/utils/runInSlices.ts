/** For tests of what may come between two steps: the machine decides where a slice of the scheduler is over. */
import { Effect, type Exit, Scheduler, Utils } from "effect"

/** One step in so many is the last of its slice. */
const STEPS_PER_SLICE = 100

/**
 * Runs an effect in slices of random length, the same for the same seed; `null` where it does not end. It runs on the
 * spot: what waits for the event loop counts as not ending.
 */
export const runInSlices = <A, E>(seed: number, effect: Effect.Effect<A, E>): Exit.Exit<A, E> | null => {
  const tasks: Array<() => void> = []
  const random = new Utils.PCGRandom(seed)
  const scheduler = Scheduler.make(
    (task) => {
      tasks.push(task)
    },
    () => (random.number() * STEPS_PER_SLICE < 1 ? 0 : false),
  )
  const fiber = Effect.runFork(effect, { scheduler })
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task()
  return fiber.unsafePoll()
}
