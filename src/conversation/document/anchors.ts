/** Anchors of a three-way merge: lines that occur exactly once in each of the three texts. Pure. */

/** Three versions of one text, in lines. */
export interface Lines {
  readonly user: ReadonlyArray<string>
  readonly base: ReadonlyArray<string>
  readonly model: ReadonlyArray<string>
}

/** The index of a line in each of the texts. */
export type Anchor = Readonly<Record<keyof Lines, number>>

/** Finds the anchors, in the order that all three texts share. Moved lines are left out. */
export const anchors = ({ base, model, user }: Lines): ReadonlyArray<Anchor> => {
  const [users, models] = [uniqueLines(user), uniqueLines(model)]
  const common = Array.from(uniqueLines(base), ([line, base]) => ({
    base,
    user: users.get(line),
    model: models.get(line),
  }))
  const found = common.filter((anchor): anchor is Anchor => anchor.user !== undefined && anchor.model !== undefined)
  return longestIncreasing(
    longestIncreasing(found, (anchor) => anchor.user),
    (anchor) => anchor.model,
  )
}

/** Returns the indices of lines that occur once, in order. */
const uniqueLines = (lines: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  const again = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (found.has(line)) again.add(line)
    else found.set(line, index)
  }
  for (const line of again) found.delete(line)
  return found
}

interface Link<A> {
  readonly item: A
  readonly before: Link<A> | undefined
}

/** Finds the longest increasing subsequence, in O(n log n). */
const longestIncreasing = <A>(items: ReadonlyArray<A>, measure: (item: A) => number): ReadonlyArray<A> => {
  /** The chain with the lowest end for each length. */
  const chains: Array<Link<A>> = []
  for (const item of items) {
    let length = 0
    for (let above = chains.length; length < above; ) {
      const middle = (length + above) >> 1
      const chain = chains[middle]
      if (chain !== undefined && measure(chain.item) < measure(item)) length = middle + 1
      else above = middle
    }
    chains[length] = { item, before: chains[length - 1] }
  }
  const longest: Array<A> = []
  for (let link = chains.at(-1); link !== undefined; link = link.before) longest.push(link.item)
  return longest.reverse()
}
