/**
 * The order in which a newcomer should read the symbols of a project: its beginnings, and what it is built on. Pure.
 */

export interface Candidate {
  /** The number of its file. */
  readonly file: number
  readonly score: number
}

/** How many symbols that much is built on follow one way in: a map must name more of them. */
const USED_FOR_EACH = 2

/**
 * Returns the positions of all candidates, the one with the highest score first. The second of a file counts half, the
 * third a third, so that one large file does not hide the others.
 */
export const rank = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<number> => {
  const scores = Float64Array.from(candidates, ({ score }) => score)
  // Sorting is stable, so that equal candidates stay in their order.
  const byScore = (positions: ReadonlyArray<number>) =>
    positions.toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
  const positions = Array.from(candidates.keys())
  const before = new Map<number, number>()
  for (const position of byScore(positions)) {
    const { file = 0, score = 0 } = candidates[position] ?? {}
    const nth = (before.get(file) ?? 0) + 1
    before.set(file, nth)
    scores[position] = score / nth
  }
  return byScore(positions)
}

/** Returns at most `limit` of two orders in turn: the next way in, the two next that most is built on, and so on. */
export const interleave = (
  ways: ReadonlyArray<number>,
  used: ReadonlyArray<number>,
  limit: number,
): ReadonlyArray<number> => {
  const found = new Set<number>()
  for (const [turn, each] of used.slice(0, limit).entries()) {
    const way = turn % USED_FOR_EACH === 0 ? ways[turn / USED_FOR_EACH] : undefined
    if (way !== undefined) found.add(way)
    found.add(each)
  }
  return Array.from(found).slice(0, limit)
}
