/** Tells the calls of a path apart: an id names one of them. */

/** Gives each call an id that none before it has: the one asked for where it is free, else with a number behind it. */
export const make = (seen: Iterable<string>): ((id: string) => string) => {
  const taken = new Set(seen)
  // Where to count on: where a provider has no ids, the calls of each reply have the same ones.
  const counts = new Map<string, number>()
  return (id) => {
    let count = counts.get(id) ?? 1
    let distinct = id
    while (taken.has(distinct)) distinct = `${id}_${++count}`
    counts.set(id, count)
    taken.add(distinct)
    return distinct
  }
}
