/** Work on what comes from outside, in turns of the event loop: a Ctrl-C and timers get theirs between two of them. */

/** The next turn of the event loop: what has come from outside meanwhile is handled first. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** So many steps of a microsecond or two. */
const stepsOfTurn = 1000

/** Does work that yields at each of its steps. */
export const inTurns = async <A>(work: Generator<void, A>): Promise<A> => {
  for (let steps = 1; ; steps++) {
    const { done, value } = work.next()
    if (done === true) return value
    if (steps % stepsOfTurn === 0) await nextTurn()
  }
}
