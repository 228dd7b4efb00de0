/**
 * How much one text may cost. The work of the parser is counted, so that the outcome is the same on every machine. Time
 * is the last resort, for texts that are slow within a single step: the processor time that a text takes grows with the
 * load of the machine.
 */
import type { Cut } from "../../Symbols.ts"

export interface Limits {
  /** Calls of tree-sitter's progress callback: each is for about a hundred operations of the parser. */
  readonly steps: number
  /** Pieces of the text that the lexer asks for: each has up to 5,000 characters. */
  readonly reads: number
  /** Milliseconds of processor time in this thread, the walk included. */
  readonly time: number
}

/**
 * By the length of the text. Of 5,000 files of twelve languages none takes more than a fifth of the steps and the reads,
 * and on an idle machine none takes more than a fifteenth of the time.
 */
export const ofLength = (length: number): Limits => ({
  steps: 2_000 + length / 8,
  reads: 500 + length / 200,
  time: 4_000 + length / 250,
})

/** Counts what one text costs, from its creation on. Each count returns whether a limit was exceeded, now or before. */
export interface Meter {
  readonly countStep: () => boolean
  readonly countRead: () => boolean
  readonly isLate: () => boolean
  /** The limit that was exceeded first. */
  readonly exceeded: () => Cut | undefined
}

export const meter = (limits: Limits): Meter => {
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

/** Whether so many milliseconds of processor time have passed, counted from now. */
const stopwatch = (limit: number): (() => boolean) => {
  const begin = performance.now()
  let deadline: number | undefined
  return () => {
    const passed = performance.now() - begin
    // Processor time never exceeds the time that has passed, and reading the clock is fifteen times cheaper.
    if (passed < CHEAP) return passed >= limit
    deadline ??= processorTime() + limit - CHEAP
    return passed > limit && processorTime() > deadline
  }
}

/** Milliseconds in which nearly every text is done. */
const CHEAP = 50

/** Milliseconds that this thread has run, without those in which it waited for a processor. */
const processorTime = (): number => {
  // Node 22 has it for the process alone.
  const { system, user } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (system + user) / 1_000
}
