/** Makes the ids of the calls on a path unique. */

/** Returns the id itself where no earlier call has it, else the id with a number appended. */
export const make = (seen: Iterable<string>): ((id: string) => string) => {
  const taken = new Set(seen)
  // The last number of each id: with providers that send no ids, every reply has the same ones.
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
