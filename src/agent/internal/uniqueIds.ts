/** Makes the ids of the calls on a path unique. */

/** Makes a function that returns the id itself if no earlier call has it, else the id with a number appended. */
export const make = (seen: Iterable<string>): ((id: string) => string) => {
  const taken = new Set(seen)
  // This has the last number of each id: if a provider sends no ids, every reply has the same ones.
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
