/** Lines that three texts have in common, and each of them once: where they surely belong together. Pure. */

/** Three versions of one text, in lines. */
export interface Lines {
  readonly user: ReadonlyArray<string>
  readonly base: ReadonlyArray<string>
  readonly model: ReadonlyArray<string>
}

/** Where a line stands in each of them. */
export type Anchor = Readonly<Record<keyof Lines, number>>

/** From the first line to the last, in the order that all three have; lines that were moved are left out. */
export const anchors = ({ base, model, user }: Lines): ReadonlyArray<Anchor> => {
  const [users, models] = [once(user), once(model)]
  const common = Array.from(once(base), ([line, base]) => ({ base, user: users.get(line), model: models.get(line) }))
  const found = common.filter((anchor): anchor is Anchor => anchor.user !== undefined && anchor.model !== undefined)
  return rising(
    rising(found, (anchor) => anchor.user),
    (anchor) => anchor.model,
  )
}

/** The lines that occur once, in their order, and where. */
const once = (lines: ReadonlyArray<string>): ReadonlyMap<string, number> => {
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

/** As many of the items as go up, in their order. */
const rising = <A>(items: ReadonlyArray<A>, height: (item: A) => number): ReadonlyArray<A> => {
  /** By length, the chain that ends lowest. */
  const chains: Array<Link<A>> = []
  for (const item of items) {
    let length = 0
    for (let above = chains.length; length < above; ) {
      const middle = (length + above) >> 1
      const chain = chains[middle]
      if (chain !== undefined && height(chain.item) < height(item)) length = middle + 1
      else above = middle
    }
    chains[length] = { item, before: chains[length - 1] }
  }
  const longest: Array<A> = []
  for (let link = chains.at(-1); link !== undefined; link = link.before) longest.push(link.item)
  return longest.reverse()
}
