/** Gathers what the request for a plan shows of each unit, within a limit of tokens. */
import * as Effect from "effect/Effect"
import * as Places from "../Places.ts"
import * as Material from "./Material.ts"
import type { DescribedUnit, Input, Neighbour } from "./PlanRequest.ts"
import * as Project from "./Project.ts"

/** The most symbols of a unit that are shown, and the most neighbours. */
const MAX_SYMBOLS = 6
const MAX_NEIGHBOURS = 4

/** The most characters of what a symbol is for. */
const MAX_PURPOSE = 80

/** Tokens of the README, of the task and of the frame of each unit. */
const FRAME = 900
const FRAME_OF_UNIT = 45

export const gather: <E>(project: Project.Project<E>, maxTokens: number) => Effect.Effect<Input, E> = Effect.fnUntraced(
  function* (project, maxTokens) {
    const { about, candidates, units } = project
    const shown = candidates.slice(0, MAX_CANDIDATES)
    const rest = maxTokens - FRAME - units.length * FRAME_OF_UNIT - shown.length * FRAME_OF_UNIT
    const each = Math.max(0, rest / Math.max(1, units.length))
    const counts = countUses(project)
    const described = yield* Effect.forEach(units, (unit) =>
      Effect.gen(function* () {
        const items = yield* Project.itemsOf(project, unit)
        const ranked = Material.byImportance(items).flatMap((item) =>
          item.entry === undefined || Material.saysLittle(item.entry) ? [] : [{ item, entry: item.entry }],
        )
        let left = each
        const symbolLines = ranked.slice(0, MAX_SYMBOLS).flatMap(({ entry, item }) => {
          const line = [Material.nameOf(item), ...Material.purposeOf(entry, MAX_PURPOSE)].join(" ")
          const cost = Material.sizeOf(line) + 1
          if (cost > left) return []
          left -= cost
          return [line]
        })
        const result: DescribedUnit = {
          ...unit,
          symbolLines,
          uses: neighboursOf(counts, unit.number, false),
          usedBy: neighboursOf(counts, unit.number, true),
        }
        return result
      }),
    )
    return { about, units: described, candidates: shown, heads: project.heads }
  },
)

/** The most candidates for flows that are shown. */
const MAX_CANDIDATES = 24

/** Counts the uses between units, by their numbers. */
const countUses = <E>({ heads, units, uses }: Project.Project<E>): ReadonlyMap<number, ReadonlyMap<number, number>> => {
  const unitOf = new Map(units.flatMap((unit) => Places.keysOf(unit, heads).map((key) => [key, unit.number] as const)))
  const counts = new Map<number, Map<number, number>>()
  for (const [key, used] of uses) {
    const from = unitOf.get(key)
    if (from === undefined) continue
    const own = counts.get(from) ?? new Map<number, number>()
    counts.set(from, own)
    for (const [other, count] of used) {
      const to = unitOf.get(other)
      if (to !== undefined && to !== from) own.set(to, (own.get(to) ?? 0) + count)
    }
  }
  return counts
}

const neighboursOf = (
  counts: ReadonlyMap<number, ReadonlyMap<number, number>>,
  unit: number,
  isUsedBy: boolean,
): ReadonlyArray<Neighbour> => {
  const all = isUsedBy
    ? Array.from(counts, ([other, used]) => ({ unit: other, count: used.get(unit) ?? 0 }))
    : Array.from(counts.get(unit) ?? [], ([other, count]) => ({ unit: other, count }))
  return all
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || one.unit - other.unit)
    .slice(0, MAX_NEIGHBOURS)
}
