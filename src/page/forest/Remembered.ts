/** What this browser remembers of the forest: hidden branches, and the child that was visited last below each parent. */

/** More are forgotten, the oldest first. */
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

/** A browser may have no storage, or a full one: then it remembers nothing. */
const write = (key: string, entries: ReadonlyArray<unknown>): void => {
  try {
    localStorage.setItem(`vibe.${key}`, JSON.stringify(entries.slice(-MAX_ENTRIES)))
  } catch {
    // Nothing depends on it.
  }
}

const isStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const isPairs = (value: unknown): value is ReadonlyArray<[string, string]> =>
  Array.isArray(value) && value.every((each) => isStrings(each) && each.length === 2)
