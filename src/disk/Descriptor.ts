/** Reads from an open file. */
import * as fs from "node:fs"

/**
 * Reads the first bytes of a file, at most `maxBytes`. `size` is only a hint: files of `/proc` have size 0 and may be
 * endless, and others grow.
 */
export const readFirst = (descriptor: number, maxBytes: number, size: number): Uint8Array => {
  // The buffer has one byte more than the size, so that the end of the file is found without enlarging it.
  let bytes = new Uint8Array(Math.min(maxBytes, size + 1))
  let length = 0
  while (length < maxBytes) {
    if (length === bytes.length) {
      const longer = new Uint8Array(Math.min(maxBytes, bytes.length * 2))
      longer.set(bytes)
      bytes = longer
    }
    const count = fs.readSync(descriptor, bytes, length, bytes.length - length, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}
