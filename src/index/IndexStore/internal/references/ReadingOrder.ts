/**
 * The order in which a newcomer should read the symbols of a project: its beginnings, and what it is built on. Pure.
 */

export interface Candidate {
  readonly file: string
  /** How much is built on it: the share of the project that reaches it along the references. */
  readonly use: number
  /**
   * How much it sets going: the share of the project that it reaches along the references; 0 for a symbol that is no
   * way in.
   */
  readonly reach: number
  /** True if the project offers it to its importers or at its start. */
  readonly isOffered: boolean
}

/** The factor of the reach of symbols that the project offers to others. */
const OFFERED = 2

/** How many symbols that much is built on follow one way in: a map must name more of them. */
const USED_FOR_EACH = 2

/**
 * Orders all candidates, by their position: the next way in, by `reach`, then the two next symbols that most is built
 * on, by `use`, and so on. The second symbol of a file counts half in each of the two orders, the third a third, so
 * that one large file does not hide the others.
 */
export const order = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<number> => {
  const ways = rank(candidates, ({ isOffered, reach }) => reach * (isOffered ? OFFERED : 1)).filter(
    (position) => (candidates[position]?.reach ?? 0) > 0,
  )
  const found = new Set<number>()
  for (const [turn, used] of rank(candidates, ({ use }) => use).entries()) {
    const way = turn % USED_FOR_EACH === 0 ? ways[turn / USED_FOR_EACH] : undefined
    if (way !== undefined) found.add(way)
    found.add(used)
  }
  return Array.from(found)
}

const rank = (
  candidates: ReadonlyArray<Candidate>,
  scoreOf: (candidate: Candidate) => number,
): ReadonlyArray<number> => {
  const byScore = (scored: ReadonlyArray<Scored>) =>
    scored.toSorted((one, other) => other.score - one.score || one.position - other.position)
  const before = new Map<string, number>()
  const shared = byScore(
    candidates.map((candidate, position) => ({ file: candidate.file, position, score: scoreOf(candidate) })),
  ).map((scored) => {
    const nth = (before.get(scored.file) ?? 0) + 1
    before.set(scored.file, nth)
    return { ...scored, score: scored.score / nth }
  })
  return byScore(shared).map(({ position }) => position)
}

interface Scored {
  readonly file: string
  readonly position: number
  readonly score: number
}
