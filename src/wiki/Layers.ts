/**
 * Puts the parts of a project into an order in which each uses those below it, as far as their references allow. Pure.
 */

/** How often one part uses another. */
interface Use {
  readonly from: string
  readonly to: string
  readonly count: number
}

export interface Layers {
  /** The names of the parts of each layer, those first that use others. No downward use stays in a layer. */
  readonly layers: ReadonlyArray<ReadonlyArray<string>>
  /** The uses that lead upwards, or to the same layer, all the same, the most frequent first. */
  readonly upward: ReadonlyArray<Use>
}

/**
 * Finds the order by the heuristic of Eades, Lin and Smyth, which leaves few uses that lead upwards: it removes parts
 * that use nothing to the end and parts that nothing uses to the beginning, and else the part with most uses beyond
 * those of itself. A layer is then the longest way from the top. Parts without any use are left out. O(parts² × uses).
 */
export const of = (parts: ReadonlyArray<string>, uses: ReadonlyArray<Use>): Layers => {
  const own = uses.filter(({ from, to }) => from !== to && parts.includes(from) && parts.includes(to))
  const connected = parts.filter((name) => own.some(({ from, to }) => from === name || to === name))
  const order = orderOf(connected, own)
  const positionOf = new Map(order.map((name, at) => [name, at]))
  const isDownward = ({ from, to }: Use) => (positionOf.get(from) ?? 0) < (positionOf.get(to) ?? 0)
  const depths = new Map<string, number>()
  for (const name of order) {
    const above = own.filter((use) => use.to === name && isDownward(use))
    depths.set(name, Math.max(0, ...above.map(({ from }) => (depths.get(from) ?? 0) + 1)))
  }
  const deepest = Math.max(-1, ...depths.values())
  return {
    layers: Array.from({ length: deepest + 1 }, (_, depth) => connected.filter((name) => depths.get(name) === depth)),
    upward: own.filter((use) => !isDownward(use)).toSorted((one, other) => other.count - one.count),
  }
}

const orderOf = (parts: ReadonlyArray<string>, uses: ReadonlyArray<Use>): ReadonlyArray<string> => {
  const left = new Set(parts)
  const first: Array<string> = []
  const last: Array<string> = []
  while (left.size > 0) {
    const sum = (name: string, key: "from" | "to") =>
      uses.reduce((all, use) => all + (use[key] === name && left.has(use.from) && left.has(use.to) ? use.count : 0), 0)
    const weights = Array.from(left, (name) => ({ name, out: sum(name, "from"), in: sum(name, "to") }))
    const sink = weights.findLast((each) => each.out === 0)
    const source = weights.find((each) => each.in === 0)
    const [most] = weights.toSorted((one, other) => other.out - other.in - (one.out - one.in))
    const next = sink ?? source ?? most
    if (next === undefined) break
    left.delete(next.name)
    if (next === sink) last.unshift(next.name)
    else first.push(next.name)
  }
  return [...first, ...last]
}
