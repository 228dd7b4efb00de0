/** Vectors of length 1 in bytes: only their direction, at a quarter of the size of numbers. Pure. */

export interface Quantized {
  readonly values: Int8Array
  /** The number that 1 in `values` stands for. */
  readonly scale: number
}

/**
 * Returns the direction of a vector that is not zero. The largest value becomes 127. For 256 values with a normal
 * distribution the cosine of two such vectors differs by about .001 from that of the numbers.
 */
export const quantize = (vector: Float32Array): Quantized => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  const largest = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  const values = Int8Array.from(vector, (value) => Math.round((value / largest) * MAX))
  return { values, scale: largest / length / MAX }
}

const MAX = 127
