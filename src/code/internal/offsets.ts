/** Offsets of a text in sorted lists: the starts of its lines, and binary searches. Pure. */

export const lineStarts = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the position of the last offset that is at most `offset`, such as its line; 0 if all are larger. */
export const lastUpTo = (offsets: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = offsets.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low
}

/** Returns the position of the first offset that is at least `offset`; the length of the list if all are smaller. */
export const firstFrom = (offsets: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
