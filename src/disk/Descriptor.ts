/** Reading from a file that is open. */
import * as fs from "node:fs"

/**
 * The first bytes of a file, `most` of them at the most. It goes by what arrives, not by the size that the file has:
 * files of `/proc` say 0 and may never end, and others grow.
 */
export const readFirst = (descriptor: number, most: number, size: number): Uint8Array => {
  // One more than it says, so that the end is seen without growing.
  let bytes = new Uint8Array(Math.min(most, size + 1))
  let length = 0
  while (length < most) {
    if (length === bytes.length) {
      const longer = new Uint8Array(Math.min(most, bytes.length * 2))
      longer.set(bytes)
      bytes = longer
    }
    const count = fs.readSync(descriptor, bytes, length, bytes.length - length, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}
