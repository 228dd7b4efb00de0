/** Numbers as the database keeps many of them: one value of bytes, as this machine orders them. */

export const of = (numbers: Uint16Array | Int32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

export const numbers16 = (value: unknown): Uint16Array => {
  const { buffer, byteLength, byteOffset } = bytes(value)
  return new Uint16Array(buffer, byteOffset, byteLength / 2)
}

export const numbers32 = (value: unknown): Int32Array => {
  const { buffer, byteLength, byteOffset } = bytes(value)
  return new Int32Array(buffer, byteOffset, byteLength / 4)
}

export const joined = (all: ReadonlyArray<Int32Array>): Int32Array => {
  const joined = new Int32Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const each of all) {
    joined.set(each, at)
    at += each.length
  }
  return joined
}

/** The tables are strict: SQLite itself sees to it. */
const bytes = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value
  throw new TypeError("not a blob")
}
