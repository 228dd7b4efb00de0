/** Tells a model that goes round in circles that it does, and its run when that will hardly end (FAULTS D2, D6). */
import type * as Block from "../../message/Block.ts"
import { isObject } from "../../message/Json.ts"
import type * as ToolResult from "../../tool/ToolResult.ts"

/** What came of the calls of one turn. */
export type Results = ReadonlyMap<Block.ToolUse, ToolResult.ToolResult>

export interface Seen {
  /** One that the same call has had in two turns before says so at its end. */
  readonly results: Results
  /** What the model goes on doing where it will hardly end by itself. */
  readonly repeated: string | undefined
}

/**
 * Sees the turns of one run in their order. A call that is made twice in one turn, or whose result changes, is no
 * repetition. `isKnown`: whether there is a tool of that name.
 */
export const make = (isKnown: (tool: string) => boolean): ((results: Results) => Seen) => {
  const counts = new Map<string, number>()
  const turns: Array<string> = []
  let strange = 0
  return (results) => {
    const keys = new Map(Array.from(results, ([call, { text }]) => [call, keyOf(call, text)]))
    const turn = new Set(keys.values())
    for (const key of turn) counts.set(key, (counts.get(key) ?? 0) + 1)
    turns.push([...turn].sort().join("\n"))
    const calls = [...results.keys()]
    strange = calls.some(({ name }) => isKnown(name)) ? 0 : strange + 1
    const countOf = (call: Block.ToolUse) => counts.get(keys.get(call) ?? "") ?? 0
    return {
      results: new Map(
        Array.from(results, ([call, result]) => {
          const count = countOf(call)
          return [call, count < TOLD ? result : { ...result, text: `${result.text}\n\n${notice(count)}` }]
        }),
      ),
      repeated: repeated({ call: calls.find((call) => countOf(call) >= MOST), strange, turns }),
    }
  }
}

/** Turns in which a call has had the same result, until the model is told, and until it is stopped (FAULTS D6, R8). */
const TOLD = 3
const MOST = 5

/** Turns in a row that call nothing there is (FAULTS D2). */
const STRANGE = 3

/** How often a model goes round, and how many turns that takes each time (FAULTS D6, R8). */
const ROUNDS = 4
const CIRCLES = [2, 3]

interface History {
  readonly call: Block.ToolUse | undefined
  readonly strange: number
  readonly turns: ReadonlyArray<string>
}

const repeated = ({ call, strange, turns }: History): string | undefined => {
  if (call !== undefined) return `the same call of ${call.name}, with the same result, ${MOST} times`
  if (strange >= STRANGE) return `calls of tools that are not there, ${STRANGE} times in a row`
  const circle = CIRCLES.find((length) => isCircle(turns.slice(-ROUNDS * length), length))
  return circle === undefined ? undefined : `the same ${circle} calls, with the same results, ${ROUNDS} times`
}

const isCircle = (turns: ReadonlyArray<string>, length: number): boolean =>
  turns.length === ROUNDS * length && turns.every((turn, at) => turn === turns[at % length])

const notice = (count: number): string =>
  `(Notice: this call has now had this same result ${count} times. Do something else, or finish.)`

/** A model that writes its arguments in another order makes the same call. */
const keyOf = ({ name, parameters }: Block.ToolUse, text: string): string =>
  JSON.stringify([name, parameters, text], (_, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
