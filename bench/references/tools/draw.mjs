/** The seeded draw that all makers of truths share. */

/** Mulberry32: the same numbers for the same seed on every machine. */
export const makeRandom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const shuffle = (values, random) => {
  const copy = [...values]
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[copy[index], copy[other]] = [copy[other], copy[index]]
  }
  return copy
}

/** How many symbols have a name that three candidates or more share, at least, where there are so many. */
const COMMON = 15

/** How many of the rest have a use from another file, at least: a uniform draw is mostly helpers of one file. */
const ABROAD = 30

/**
 * Draws candidates until each quota is full.
 *
 * @param candidates `{ name, kind, … }`, in a stable order
 * @param quotas how many of each kind
 * @param judge answers `undefined` where a candidate has no use outside of itself, and its truth otherwise
 */
export const draw = async (candidates, quotas, seed, judge) => {
  const random = makeRandom(seed)
  const count = new Map()
  for (const { name } of candidates) count.set(name, (count.get(name) ?? 0) + 1)
  const drawn = []
  const left = { ...quotas }
  const seen = new Set()
  const truths = new Map()
  const take = async (pool, most, isAbroad) => {
    let taken = 0
    for (const candidate of pool) {
      if (taken >= most || Object.values(left).every((number) => number <= 0)) return
      if (!(left[candidate.kind] > 0) || seen.has(candidate)) continue
      if (!truths.has(candidate)) truths.set(candidate, await judge(candidate))
      const truth = truths.get(candidate)
      if (truth === undefined || (isAbroad && truth.uses.every(({ path }) => path === truth.path))) continue
      seen.add(candidate)
      drawn.push(truth)
      left[candidate.kind]--
      taken++
    }
  }
  const shuffled = shuffle(candidates, random)
  await take(
    shuffled.filter(({ name }) => count.get(name) >= 3),
    COMMON,
    true,
  )
  await take(shuffled, ABROAD, true)
  await take(shuffled, Number.POSITIVE_INFINITY, false)
  return drawn
}

/** Places in a stable order, each line once. */
export const sortUses = (uses) => {
  const byPlace = new Map()
  for (const use of uses) {
    const key = `${use.path}:${use.line}`
    const known = byPlace.get(key)
    if (known === undefined) byPlace.set(key, { ...use, count: 1 })
    else known.count++
  }
  return [...byPlace.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
}
