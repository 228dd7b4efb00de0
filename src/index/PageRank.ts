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
export const compute = (start: ArrayLike<number>, { from, to, weight }: Edges): Float64Array => {
  const nodes = start.length
  const edges = { from: Uint32Array.from(from), to: Uint32Array.from(to), weight: Float64Array.from(weight) }
  const sum = Array.from(start).reduce((total, value) => total + value, 0)
  const begin = Float64Array.from(start, (value) => (sum === 0 ? 1 / nodes : value / sum))
  const out = new Float64Array(nodes)
  for (const [edge, source] of edges.from.entries()) add(out, source, at(edges.weight, edge))
  let ranks: Float64Array = begin
  for (let round = 0; round < ROUNDS; round++) ranks = walkOn(begin, ranks, out, edges)
  return ranks
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
  for (let node = 0; node < out.length; node++) if (at(out, node) === 0) stopped += at(ranks, node)
  const again = 1 - DAMPING + DAMPING * stopped
  const next = new Float64Array(begin.length)
  for (let node = 0; node < next.length; node++) next[node] = at(begin, node) * again
  for (let edge = 0; edge < from.length; edge++) {
    const source = at(from, edge)
    add(next, at(to, edge), (DAMPING * at(ranks, source) * at(weight, edge)) / at(out, source))
  }
  return next
}

const at = (values: Float64Array | Uint32Array, position: number): number => values[position] ?? 0

const add = (values: Float64Array, position: number, amount: number): void => {
  values[position] = at(values, position) + amount
}
