/** For tests of what an interrupt may come in the middle of. */
import { Effect, type Exit, Scheduler } from "effect"

/**
 * Interrupts an effect after so many steps of its fibers, as a signal does where a slice of work is over
 * there; `null` where it does not end. It runs on the spot: what waits for the event loop counts as not
 * ending, unless it is interrupted.
 */
export const interruptAfter = (
  steps: number,
  effect: Effect.Effect<unknown, unknown>,
): Exit.Exit<unknown, unknown> | null => {
  const tasks: Array<() => void> = []
  let done = 0
  const scheduler = Scheduler.make(
    (task) => {
      tasks.push(task)
    },
    () => (++done === steps ? 0 : false),
  )
  const fiber = Effect.runFork(effect, { scheduler })
  for (let isInterrupted = false; ; ) {
    if (!isInterrupted && (done >= steps || tasks.length === 0)) {
      isInterrupted = true
      fiber.unsafeInterruptAsFork(fiber.id())
    }
    const task = tasks.shift()
    if (task === undefined) return fiber.unsafePoll()
    task()
  }
}
