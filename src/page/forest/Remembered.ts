/** Stores in this browser which branches are hidden, and which child was visited last below each parent. */

/** The most entries that are stored. The oldest ones are forgotten first. */
const MAX_ENTRIES = 5_000

export const readMap = (key: string): Map<string, string> => new Map(read(key, isPairs))

export const readSet = (key: string): Set<string> => new Set(read(key, isStrings))

export const writeMap = (key: string, map: ReadonlyMap<string, string>): void => write(key, [...map])

export const writeSet = (key: string, set: ReadonlySet<string>): void => write(key, [...set])

const read = <A>(key: string, isValid: (value: unknown) => value is ReadonlyArray<A>): ReadonlyArray<A> => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`vibe.${key}`) ?? "[]")
    return isValid(value) ? value : []
  } catch {
    return []
  }
}

/** Stores entries. A browser may have no storage, or a full one; then nothing is remembered. */
const write = (key: string, entries: ReadonlyArray<unknown>): void => {
  try {
    localStorage.setItem(`vibe.${key}`, JSON.stringify(entries.slice(-MAX_ENTRIES)))
  } catch {
    // The page works without the entries.
  }
}

const isStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const isPairs = (value: unknown): value is ReadonlyArray<[string, string]> =>
  Array.isArray(value) && value.every((each) => isStrings(each) && each.length === 2)
