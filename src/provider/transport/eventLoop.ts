/** Splits long work on received data into turns of the event loop, so that signals and timers are handled meanwhile. */

/** Resolves in the next turn of the event loop, after pending input and signals are handled. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** Each step takes a microsecond or two. */
const STEPS_PER_TURN = 1000

/** Runs a generator that yields at each step, in turns of `STEPS_PER_TURN`. */
export const runInTurns = async <A>(work: Generator<void, A>): Promise<A> => {
  for (let steps = 1; ; steps++) {
    const { done, value } = work.next()
    if (done === true) return value
    if (steps % STEPS_PER_TURN === 0) await nextTurn()
  }
}
