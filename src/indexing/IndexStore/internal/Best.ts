/** The largest of many values, and where they stand: a heap of those found so far, the least of them on top. */

export interface Best {
  /** Returns what further values have to be above to be among the largest. */
  readonly offer: (position: number, value: number) => number
  /** Largest first. */
  readonly found: () => ReadonlyArray<Found>
}

export interface Found {
  readonly position: number
  readonly value: number
}

/** Of the `limit` largest values above 0. */
export const of = (limit: number): Best => {
  const heap = { positions: new Int32Array(limit), values: new Float64Array(limit) }
  let size = 0
  let least = 0
  return {
    offer: (position, value) => {
      if (value <= least) return least
      if (size < limit) rise(heap, size++, position, value)
      else sink(heap, position, value)
      if (size === limit) least = heap.values[0] ?? 0
      return least
    },
    found: () =>
      Array.from(heap.positions.subarray(0, size), (position, place) => ({
        position,
        value: heap.values[place] ?? 0,
      })).sort((one, other) => other.value - one.value || one.position - other.position),
  }
}

interface Heap {
  readonly positions: Int32Array
  readonly values: Float64Array
}

/** Adds a last one, and moves it up to where what is above it is not larger. */
const rise = ({ positions, values }: Heap, last: number, position: number, value: number): void => {
  let place = last
  while (place > 0) {
    const above = (place - 1) >> 1
    const other = values[above] ?? 0
    if (other <= value) break
    values[place] = other
    positions[place] = positions[above] ?? 0
    place = above
  }
  values[place] = value
  positions[place] = position
}

/** Puts one in the place of the least, and moves it down to where what is below it is not smaller. */
const sink = ({ positions, values }: Heap, position: number, value: number): void => {
  let place = 0
  for (let below = 1; below < values.length; below = 2 * place + 1) {
    if (below + 1 < values.length && (values[below + 1] ?? 0) < (values[below] ?? 0)) below += 1
    const other = values[below] ?? 0
    if (other >= value) break
    values[place] = other
    positions[place] = positions[below] ?? 0
    place = below
  }
  values[place] = value
  positions[place] = position
}
