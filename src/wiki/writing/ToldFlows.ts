/**
 * Keeps flows from telling the same steps twice: what another flow begins with, or an earlier one tells, is one call in
 * this one, with the title of the page that goes on from there. Pure.
 */
import type { Flow } from "../Plan.ts"
import type { Call } from "./FlowRequest.ts"
import * as Material from "./Material.ts"

/** The calls of a flow, with what other pages tell of them. */
export interface Own {
  readonly flow: Flow
  readonly calls: ReadonlyArray<Call>
  /** The flows whose pages go on from some of its calls, in the order of these. */
  readonly others: ReadonlyArray<Flow>
}

/** A flow with fewer calls that no other one tells has no page of its own. */
const MIN_OWN = 1

/** A call further from the start of a flow is hardly one of the steps that its page tells. */
const MAX_TOLD_DEPTH = 2

/**
 * Cuts what stands below calls that other flows tell, flow by flow in the order of the plan. A flow that has next to
 * nothing of its own is left out.
 */
export const divide = (
  flows: ReadonlyArray<{ readonly flow: Flow; readonly calls: ReadonlyArray<Call> }>,
): ReadonlyArray<Own> => {
  const starts = new Map(
    flows.flatMap(({ calls: [start], flow }) => (start === undefined ? [] : [[Material.keyOf(start.item), flow]])),
  )
  const told = new Map<string, Flow>()
  return flows.flatMap(({ calls, flow }): ReadonlyArray<Own> => {
    const kept: Array<Call> = []
    const others = new Set<Flow>()
    let cutBelow: number | undefined
    let own = 0
    for (const [at, call] of calls.entries()) {
      if (cutBelow !== undefined && call.depth > cutBelow) continue
      cutBelow = undefined
      const key = Material.keyOf(call.item)
      const isCaller = (calls[at + 1]?.depth ?? 0) > call.depth
      const teller = at === 0 ? undefined : (starts.get(key) ?? (isCaller ? told.get(key) : undefined))
      if (teller === undefined || teller === flow) {
        kept.push(call)
        if (at > 0) own += 1
        continue
      }
      others.add(teller)
      cutBelow = call.depth
      const mark = `what it does is told in "${teller.title}"`
      kept.push({ ...call, mark: call.mark === undefined ? mark : `${call.mark}; ${mark}` })
    }
    if (own < MIN_OWN && others.size > 0) return []
    for (const [at, call] of kept.entries()) {
      const isCaller = (kept[at + 1]?.depth ?? 0) > call.depth
      const key = Material.keyOf(call.item)
      if (isCaller && call.depth <= MAX_TOLD_DEPTH && !told.has(key)) told.set(key, flow)
    }
    return [{ flow, calls: kept, others: Array.from(others) }]
  })
}
