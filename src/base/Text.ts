/** Treats a text as a whole: its digest, its lines by their offsets, and the pattern that matches it as it is. */
import type * as Crypto from "node:crypto"

/** Returns the SHA-256 of a text in hexadecimal digits. */
export const sha256 = (text: string): string => {
  // The module is loaded by the first text: most commands find no file changed, and would wait for all of node:crypto.
  crypto ??= process.getBuiltinModule("node:crypto")
  return crypto.hash("sha256", text)
}

let crypto: typeof Crypto | undefined

/**
 * Returns the source of a pattern that matches a text as it is, such as the name of a symbol: `$scope` and `:+:` have
 * characters that mean something in a pattern.
 */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** Returns the offset at which each line of a text begins. */
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
