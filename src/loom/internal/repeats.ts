/** Tells a model that goes round in circles that it does (FAULTS D6). */
import type * as Block from "../../message/Block.ts"
import { isObject } from "../../message/Json.ts"
import type * as ToolResult from "../../tool/ToolResult.ts"

/** What came of the calls of one turn. */
export type Results = ReadonlyMap<Block.ToolUse, ToolResult.ToolResult>

/**
 * Sees the turns of one run in their order, and gives back their results. One that the same call has had in two turns
 * before says so at its end. A call that is made twice in one turn, or whose result changes, is no repetition.
 */
export const make = (): ((results: Results) => Results) => {
  const turns = new Map<string, number>()
  return (results) => {
    const keys = new Map(Array.from(results, ([call, { text }]) => [call, keyOf(call, text)]))
    for (const key of new Set(keys.values())) turns.set(key, (turns.get(key) ?? 0) + 1)
    return new Map(
      Array.from(results, ([call, result]) => {
        const count = turns.get(keys.get(call) ?? "") ?? 0
        return [call, count < 3 ? result : { ...result, text: `${result.text}\n\n${notice(count)}` }]
      }),
    )
  }
}

const notice = (count: number): string =>
  `(Notice: this call has now had this same result ${count} times. Do something else, or finish.)`

/** A model that writes its arguments in another order makes the same call. */
const keyOf = ({ name, parameters }: Block.ToolUse, text: string): string =>
  JSON.stringify([name, parameters, text], (_, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
