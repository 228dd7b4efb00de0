/** PageRank: how often a walk along edges, which now and then starts again, comes to each node. Pure. */

/** Edges between nodes, which are numbers from 0; the arrays have one length. */
export interface Edges {
  readonly from: ArrayLike<number>
  readonly to: ArrayLike<number>
  /** The weights of the edges, above 0. */
  readonly weight: ArrayLike<number>
}

/** How often the walk follows an edge, as in the paper of Brin and Page. */
const DAMPING = 0.85

/** After so many rounds less than a hundredth of the first distribution is left. */
const ROUNDS = 30

/**
 * Returns the share of each node; the sum is 1. `start` says how likely the walk begins at each node, in any unit; its
 * length is the number of nodes. O(rounds × (nodes + edges)); the same for the same input.
 */
export const compute = (start: ArrayLike<number>, edges: Edges): Float64Array => {
  const steps = Float64Array.from(start)
  const nodes = steps.length
  const sum = steps.reduce((total, value) => total + value, 0)
  const begin = steps.map((value) => (sum === 0 ? 1 / nodes : value / sum))
  const typed = {
    from: new Uint32Array(edges.from),
    to: new Uint32Array(edges.to),
    weight: new Float64Array(edges.weight),
  }
  const out = weigh(nodes, typed)
  let ranks: Float64Array = begin
  for (let round = 0; round < ROUNDS; round++) ranks = walkOn(begin, ranks, out, typed)
  return ranks
}

/** Returns the weight of the edges from each node together. */
const weigh = (nodes: number, { from, weight }: TypedEdges): Float64Array => {
  const out = new Float64Array(nodes)
  for (let edge = 0; edge < from.length; edge++) {
    const source = from[edge] ?? 0
    out[source] = (out[source] ?? 0) + (weight[edge] ?? 0)
  }
  return out
}

interface TypedEdges {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly weight: Float64Array
}

/**
 * Takes one round of the walk. It is a function of its own so that V8 optimises it after the first rounds: as a loop
 * within a function that runs twice, all rounds took twice the time.
 */
const walkOn = (begin: Float64Array, ranks: Float64Array, out: Float64Array, edges: TypedEdges): Float64Array => {
  const { from, to, weight } = edges
  // A walk that cannot go on starts again.
  let stopped = 0
  for (let node = 0; node < out.length; node++) if (out[node] === 0) stopped += ranks[node] ?? 0
  const again = 1 - DAMPING + DAMPING * stopped
  const next = begin.map((value) => value * again)
  for (let edge = 0; edge < from.length; edge++) {
    const source = from[edge] ?? 0
    const target = to[edge] ?? 0
    const amount = (DAMPING * (ranks[source] ?? 0) * (weight[edge] ?? 0)) / (out[source] ?? 1)
    next[target] = (next[target] ?? 0) + amount
  }
  return next
}
