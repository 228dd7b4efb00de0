/** Detects a model that repeats its calls: adds a notice to their results, and reports when the run should end. */

import { isObject } from "../../base/Json.ts"
import type * as Block from "../../message/Block.ts"
import type * as ToolResult from "../../tool/ToolResult.ts"

/** The results of the calls of one round. */
export type Results = ReadonlyMap<Block.ToolUse, ToolResult.ToolResult>

interface Seen {
  /** The results. A result that the same call has had in two earlier rounds has a notice at its end. */
  readonly results: Results
  /** Describes what the model repeats, once it is unlikely to stop by itself. */
  readonly repetitionOf: string | undefined
}

/**
 * Makes a function that receives the rounds of one run in order. A call that is made twice in one round, or that
 * returns another result, is not a repetition. `isKnown` says whether there is a tool of that name.
 */
export const make = (isKnown: (tool: string) => boolean): ((results: Results) => Seen) => {
  const counts = new Map<string, number>()
  const rounds: Array<string> = []
  let unknownRounds = 0
  return (results) => {
    const keys = new Map(Array.from(results, ([call, { text }]) => [call, keyOf(call, text)]))
    const round = new Set(keys.values())
    for (const key of round) counts.set(key, (counts.get(key) ?? 0) + 1)
    rounds.push([...round].sort().join("\n"))
    const calls = [...results.keys()]
    unknownRounds = calls.some(({ name }) => isKnown(name)) ? 0 : unknownRounds + 1
    const countOf = (call: Block.ToolUse) => counts.get(keys.get(call) ?? "") ?? 0
    return {
      results: new Map(
        Array.from(results, ([call, result]) => {
          const count = countOf(call)
          return [call, count < NOTICE_AFTER ? result : { ...result, text: `${result.text}\n\n${notice(count)}` }]
        }),
      ),
      repetitionOf: findRepetition({ call: calls.find((call) => countOf(call) >= STOP_AFTER), unknownRounds, rounds }),
    }
  }
}

/** The number of rounds with the same call and result until the model gets a notice, and until its run ends. */
const NOTICE_AFTER = 3
const STOP_AFTER = 5

/** The number of consecutive rounds with only unknown tools until the run ends. */
const MAX_UNKNOWN_ROUNDS = 3

/** The repetitions of a cycle of rounds until the run ends, and the lengths of cycles that are detected. */
const CYCLE_REPEATS = 4
const CYCLE_LENGTHS = [2, 3]

interface History {
  readonly call: Block.ToolUse | undefined
  readonly unknownRounds: number
  readonly rounds: ReadonlyArray<string>
}

const findRepetition = ({ call, unknownRounds, rounds }: History): string | undefined => {
  if (call !== undefined) return `the same call of ${call.name}, with the same result, ${STOP_AFTER} times`
  if (unknownRounds >= MAX_UNKNOWN_ROUNDS)
    return `calls of tools that are not there, ${MAX_UNKNOWN_ROUNDS} times in a row`
  const cycle = CYCLE_LENGTHS.find((length) => isCycle(rounds.slice(-CYCLE_REPEATS * length), length))
  return cycle === undefined ? undefined : `the same ${cycle} calls, with the same results, ${CYCLE_REPEATS} times`
}

const isCycle = (rounds: ReadonlyArray<string>, length: number): boolean =>
  rounds.length === CYCLE_REPEATS * length && rounds.every((round, at) => round === rounds[at % length])

const notice = (count: number): string =>
  `(Notice: this call has now had this same result ${count} times. Do something else, or finish.)`

/** Makes the key of a call. The order of arguments does not matter. */
const keyOf = ({ name, parameters }: Block.ToolUse, text: string): string =>
  JSON.stringify([name, parameters, text], (_, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
