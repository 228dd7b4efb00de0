/**
 * The k largest of many values, and their positions: a binary min-heap in two arrays. O(n log k), without allocation.
 */

export interface TopK {
  /** Returns the value that further ones have to exceed to be among the largest. */
  readonly offer: (position: number, value: number) => number
  /** Returns the largest first. If values are equal, the lower position comes first. */
  readonly sorted: () => ReadonlyArray<Positioned>
}

interface Positioned {
  readonly position: number
  readonly value: number
}

/** Keeps the `limit` largest values above 0. */
export const make = (limit: number): TopK => {
  const heap = { positions: new Int32Array(limit), values: new Float64Array(limit) }
  let size = 0
  let least = 0
  return {
    offer: (position, value) => {
      if (value <= least) return least
      if (size < limit) insert(heap, size++, position, value)
      else replaceLeast(heap, position, value)
      if (size === limit) least = heap.values[0] ?? 0
      return least
    },
    sorted: () =>
      Array.from(heap.positions.subarray(0, size), (position, slot) => ({
        position,
        value: heap.values[slot] ?? 0,
      })).sort((one, other) => other.value - one.value || one.position - other.position),
  }
}

interface Heap {
  readonly positions: Int32Array
  readonly values: Float64Array
}

/** Adds a value in the first free slot, and sifts it up. */
const insert = ({ positions, values }: Heap, free: number, position: number, value: number): void => {
  let slot = free
  while (slot > 0) {
    const parent = (slot - 1) >> 1
    const other = values[parent] ?? 0
    if (other <= value) break
    values[slot] = other
    positions[slot] = positions[parent] ?? 0
    slot = parent
  }
  values[slot] = value
  positions[slot] = position
}

/** Puts a value at the root of a full heap, and sifts it down. */
const replaceLeast = ({ positions, values }: Heap, position: number, value: number): void => {
  let slot = 0
  for (let child = 1; child < values.length; child = 2 * slot + 1) {
    if (child + 1 < values.length && (values[child + 1] ?? 0) < (values[child] ?? 0)) child += 1
    const other = values[child] ?? 0
    if (other >= value) break
    values[slot] = other
    positions[slot] = positions[child] ?? 0
    slot = child
  }
  values[slot] = value
  positions[slot] = position
}
