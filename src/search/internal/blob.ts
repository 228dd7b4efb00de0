/**
 * Converts arrays of numbers to database blobs and back, in the byte order of this machine: an index is a cache and is
 * never moved.
 */

export const toBlob = (numbers: Uint16Array | Int32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

export const toUint16Array = (value: unknown): Uint16Array => {
  const { buffer, byteLength, byteOffset } = bytesOf(value)
  return new Uint16Array(buffer, byteOffset, byteLength / 2)
}

export const toInt32Array = (value: unknown): Int32Array => {
  const { buffer, byteLength, byteOffset } = bytesOf(value)
  return new Int32Array(buffer, byteOffset, byteLength / 4)
}

/** The tables are strict, so SQLite guarantees the type; another value is a defect. */
const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value
  throw new TypeError("Expected a blob")
}
