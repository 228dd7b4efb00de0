/** The distance of a symbol's name from a name that was not found: for "did you mean". */
import * as EditDistance from "./EditDistance.ts"

/**
 * Returns a function for the distance of symbols from a name; undefined for those that are too far.
 * - 0: they differ only in case
 * - below 2: a typing error
 * - from 2: one of the names begins with the other
 * - from 3: one contains the other
 */
export const distanceFrom = (asked: string) => {
  const wanted = normalize(asked)
  const lastPart = wanted.slice(wanted.lastIndexOf(".") + 1)
  const fromLastPart = distance(lastPart)
  const fromWanted = distance(wanted)
  return (name: string, qualifiedName: string): number | undefined => {
    const ofName = fromLastPart(name.toLowerCase())
    if (lastPart === wanted) return ofName
    const ofQualified = fromWanted(qualifiedName.toLowerCase())
    // The right name in another container.
    const elsewhere = ofName === undefined ? undefined : ofName + 1
    return ofQualified === undefined || elsewhere === undefined
      ? (ofQualified ?? elsewhere)
      : Math.min(ofQualified, elsewhere)
  }
}

/** Returns whether a name contains that of its container: `Forest.append`, `Forest#append`. */
export const isQualified = (asked: string): boolean => normalize(asked).includes(".")

const normalize = (asked: string): string =>
  asked
    .replace(/\(.*$/s, "")
    .replaceAll(/::|->|#/g, ".")
    .toLowerCase()

const distance = (wanted: string) => {
  const edits = EditDistance.from(wanted, Math.max(1, Math.floor(wanted.length / 3)))
  return (name: string): number | undefined => {
    const count = edits(name)
    if (count !== undefined) return count
    if (Math.min(wanted.length, name.length) < 3) return undefined
    // The surplus is always less than 1. It orders names with the same beginning: the shortest is the nearest.
    const surplus = Math.abs(wanted.length - name.length) / 1000
    if (name.startsWith(wanted) || wanted.startsWith(name)) return 2 + surplus
    return name.includes(wanted) || wanted.includes(name) ? 3 + surplus : undefined
  }
}
