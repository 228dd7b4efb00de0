/** Where the largest of many numbers stand: a heap of those found so far, the least of them on top. */

/** Positions of the `limit` largest values above 0, largest first. */
export const positions = (values: Float32Array, limit: number): ReadonlyArray<number> => {
  const heap: Array<number> = []
  let least = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0
    if (value <= least) continue
    if (heap.length < limit) rise(heap, values, heap.push(at) - 1)
    else sink(heap, values, at)
    if (heap.length === limit) least = values[heap[0] ?? 0] ?? 0
  }
  return heap.sort((one, other) => (values[other] ?? 0) - (values[one] ?? 0) || one - other)
}

/** Moves the last one up to where what is above it is not larger. */
const rise = (heap: Array<number>, values: Float32Array, last: number): void => {
  const at = heap[last] ?? 0
  const value = values[at] ?? 0
  let place = last
  while (place > 0) {
    const above = (place - 1) >> 1
    const other = heap[above] ?? 0
    if ((values[other] ?? 0) <= value) break
    heap[place] = other
    place = above
  }
  heap[place] = at
}

/** Puts `at` in the place of the least, and moves it down to where what is below it is not smaller. */
const sink = (heap: Array<number>, values: Float32Array, at: number): void => {
  const value = values[at] ?? 0
  let place = 0
  for (;;) {
    let below = 2 * place + 1
    if (below >= heap.length) break
    const [left, right] = [values[heap[below] ?? 0] ?? 0, values[heap[below + 1] ?? -1] ?? Number.POSITIVE_INFINITY]
    if (right < left) below += 1
    const other = heap[below] ?? 0
    if ((values[other] ?? 0) >= value) break
    heap[place] = other
    place = below
  }
  heap[place] = at
}
