/**
 * Limits of the work for one text. The parser's work is counted, so that the outcome is the same on every machine. Time
 * is the last resort, for texts that are slow within a single step: processor time grows with the load of the machine.
 */
import type { Cut } from "../../../Symbols.ts"

export interface Limits {
  /** Calls of tree-sitter's progress callback, one for about a hundred operations of the parser. */
  readonly steps: number
  /** Pieces of the text that the lexer reads, of up to 5,000 characters each. */
  readonly reads: number
  /** Milliseconds of processor time in this thread, the walk included. */
  readonly time: number
}

/**
 * Returns the limits for a text of that length. Among 5,000 files of twelve languages none takes more than a fifth of
 * the steps and the reads, and on an idle machine none takes more than a fifteenth of the time.
 */
export const ofLength = (length: number): Limits => ({
  steps: 2_000 + length / 8,
  reads: 500 + length / 200,
  time: 4_000 + length / 250,
})

/** Counts the work for one text, from the creation of the meter. Each method returns whether a limit is exceeded. */
export interface Meter {
  readonly countStep: () => boolean
  readonly countRead: () => boolean
  readonly isLate: () => boolean
  /** The limit that was exceeded first. */
  readonly exceeded: () => Cut | undefined
}

export const makeMeter = (limits: Limits): Meter => {
  const isOver = stopwatch(limits.time)
  let steps = 0
  let reads = 0
  let exceeded: Cut | undefined
  const check = (isExceeded: boolean, limit: Cut): boolean => {
    if (isExceeded) exceeded ??= limit
    return exceeded !== undefined
  }
  const isLate = () => check(isOver(), "time")
  return {
    countStep: () => check(++steps > limits.steps, "work") || isLate(),
    countRead: () => check(++reads > limits.reads, "work") || isLate(),
    isLate,
    exceeded: () => exceeded,
  }
}

/** Returns a function that tells whether so many milliseconds of processor time have passed, counted from now. */
const stopwatch = (limit: number): (() => boolean) => {
  const begin = performance.now()
  let deadline: number | undefined
  return () => {
    const passed = performance.now() - begin
    // Processor time never exceeds the time that has passed, and reading the clock is fifteen times cheaper.
    if (passed < UNCHECKED_MS) return passed >= limit
    deadline ??= threadCpuMs() + limit - UNCHECKED_MS
    return passed > limit && threadCpuMs() > deadline
  }
}

/** Nearly every text is parsed in this time; processor time is not read before. */
const UNCHECKED_MS = 50

/** Returns the processor time of this thread, in milliseconds. */
const threadCpuMs = (): number => {
  // Node 22 can only measure the whole process.
  const { system, user } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (system + user) / 1_000
}
