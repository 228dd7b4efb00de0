/** In which order a newcomer should meet the symbols of a project: where it begins, and what it is built on. Pure. */

export interface Candidate {
  readonly file: string
  /** How much is built on it: how much of the project comes to it along the references. */
  readonly use: number
  /** How much it sets going: how much of the project it comes to along the references; 0 for what is no way in. */
  readonly reach: number
  /** Whether it is offered to whoever imports or starts the project. */
  readonly isOffered: boolean
}

/** How much the reach of a symbol counts that the project offers to others. */
const OFFERED = 2

/** How many symbols that much is built on follow one way in: there are more of them that a map must name. */
const USED_FOR_EACH = 2

/**
 * All candidates, by their position: the next way in, by `reach`, then the next two that most is built on, by `use`, and so
 * on. The second symbol of a file counts half in each of the two, the third a third, so that one large file does not hide the
 * others.
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
