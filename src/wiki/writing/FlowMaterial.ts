/**
 * Gathers what a model is shown for the page of a flow: its calls, as far as they fit, and the sources that tell most.
 */
import * as Effect from "effect/Effect"
import type { Flow, Plan } from "../Plan.ts"
import * as Deciding from "./Deciding.ts"
import type * as FlowRequest from "./FlowRequest.ts"
import * as Material from "./Material.ts"
import type { MaterialLimits } from "./MaterialLimits.ts"
import * as Project from "./Project.ts"
import * as Sources from "./Sources.ts"
import * as ToldFlows from "./ToldFlows.ts"

/** Returns the calls that a flow tells of itself, beside the other flows of the plan; undefined if it has none. */
const ownCalls = Effect.fnUntraced(function* <E>(project: Project.Project<E>, { flows }: Plan, flow: Flow) {
  const all = yield* Effect.forEach(flows.includes(flow) ? flows : [...flows, flow], (each) =>
    Effect.gen(function* () {
      const start = Project.find(project, yield* project.symbolsIn(each.start.path), each.start)
      return { flow: each, calls: start === undefined ? [] : yield* project.callsFrom(start) }
    }),
  )
  return ToldFlows.divide(all.filter(({ calls }) => calls.length > 0)).find((own) => own.flow === flow)
})

/**
 * Gathers the material of a flow, whose numbers count on from those of the flows `before` it. Undefined if its start is
 * gone, nothing is known to be called from it, or other flows tell all of it.
 */
export const gather = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  plan: Plan,
  flow: Flow,
  limits: MaterialLimits,
  before: Material.Material = Material.empty,
) {
  const told = yield* ownCalls(project, plan, flow)
  const start = told?.calls[0]?.item
  if (told === undefined || start === undefined) return undefined
  const calls = withinTokens(told.calls, limits.flow)
  const items = calls.map(({ item }) => item)
  if (Material.of(items).items.length < 2) return undefined
  const material = Material.add(before, items)
  // The start decides the order of everything else, so it is shown as a whole even if little room is left for others.
  const own = yield* Sources.within(project, [start], START_SHARE * limits.sources, Number.POSITIVE_INFINITY)
  const left = Math.max(limits.sources - Sources.sizeOf(own), OTHERS_SHARE * limits.sources)
  const telling = (yield* mostTelling(project, calls)).slice(0, MAX_SOURCES - 1)
  const others = yield* Sources.within(project, telling, left)
  const input: FlowRequest.Input = {
    about: project.about,
    flow,
    parts: plan.parts,
    material,
    calls,
    others: told.others,
    sources: new Map([...own, ...others]),
  }
  return input
})

/** Gathers the material of some flows, so that a symbol of several has one number. */
export const gatherAll = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  plan: Plan,
  flows: ReadonlyArray<Flow>,
  limits: MaterialLimits,
) {
  const inputs: Array<FlowRequest.Input> = []
  for (const flow of flows) {
    const input = yield* gather(project, plan, flow, limits, inputs.at(-1)?.material)
    if (input !== undefined) inputs.push(input)
  }
  const material = inputs.at(-1)?.material ?? Material.empty
  return inputs.map((input) => ({ ...input, material }))
})

/**
 * Sorts the functions of a flow: those that decide, and that call others on it, say in which order and when. Near ones
 * say more than far ones.
 */
const mostTelling = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  calls: ReadonlyArray<FlowRequest.Call>,
) {
  const found = new Map<string, { readonly item: Material.Item; readonly weight: number }>()
  const start = calls[0] && Material.keyOf(calls[0].item)
  for (const [at, { depth, item }] of calls.entries()) {
    // A start that calls itself is shown as the start.
    if (item.entry === undefined || Material.keyOf(item) === start) continue
    if (item.entry.kind !== "function" && item.entry.kind !== "method") continue
    const isCaller = (calls[at + 1]?.depth ?? 0) > depth
    const decides = Deciding.weigh(item.entry, (yield* project.sourceOf(item)) ?? "", 0) ?? 0
    const weight = (decides + (isCaller ? CALLER : 0)) / (2 + depth)
    const known = found.get(Material.keyOf(item))
    if (known === undefined || known.weight < weight) found.set(Material.keyOf(item), { item, weight })
  }
  return Array.from(found.values())
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ item }) => item)
})

/** How much more a function says that calls others on the flow. */
const CALLER = 4

/** The most of the tokens for sources that the start of a flow takes, and the least that are left for the others. */
const START_SHARE = 1.5
const OTHERS_SHARE = 0.4

/** The most functions of a flow whose source is shown. */
const MAX_SOURCES = 8

/**
 * Keeps the calls that fit, in the order of the walk, each with its caller: first those that lead to most code and are
 * near to the start. What a program is for often lies behind a call that follows many of preparation.
 */
const withinTokens = (calls: ReadonlyArray<FlowRequest.Call>, maxTokens: number): ReadonlyArray<FlowRequest.Call> => {
  const callers = callersOf(calls)
  const weights = calls.map(({ item }) =>
    item.entry === undefined ? 0 : item.entry.endLine - item.entry.startLine + 1,
  )
  // The calls below one come after it, so each has all of its own when its caller is counted.
  for (let at = calls.length - 1; at > 0; at--) {
    const caller = callers[at]
    if (caller !== undefined) weights[caller] = (weights[caller] ?? 0) + (weights[at] ?? 0)
  }
  const byWeight = Array.from(calls.keys()).sort(
    (one, other) =>
      (weights[other] ?? 0) / (1 + (calls[other]?.depth ?? 0)) - (weights[one] ?? 0) / (1 + (calls[one]?.depth ?? 0)) ||
      one - other,
  )
  const kept = new Set<number>()
  let left = maxTokens
  // One more is kept in each round, since it makes room for those that it calls.
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const at of byWeight) {
      const caller = callers[at]
      const size = sizeOfCall(calls[at])
      if (kept.has(at) || size > left || (caller !== undefined && !kept.has(caller))) continue
      kept.add(at)
      left -= size
      isChanged = true
      break
    }
  }
  return calls.filter((_, at) => kept.has(at))
}

/** Returns the position of the caller of each call; undefined for the start. */
const callersOf = (calls: ReadonlyArray<FlowRequest.Call>): ReadonlyArray<number | undefined> => {
  const path: Array<number> = []
  return calls.map(({ depth }, at) => {
    path.length = depth
    path.push(at)
    return path[depth - 1]
  })
}

const sizeOfCall = (call: FlowRequest.Call | undefined): number =>
  call === undefined
    ? 0
    : Material.sizeOf(
        `${"  ".repeat(call.depth)}line 0000: ${call.item.entry?.qualifiedName} ${call.item.entry === undefined ? "" : Material.aboutOf(call.item.entry)} {part}`,
      )
