/** The distance of a symbol's name from a name that was not found: for "did you mean". */
import * as EditDistance from "./EditDistance.ts"

/**
 * Returns a function for the distance of symbols from a name; undefined for those that are too far.
 * - 0: they differ only in case
 * - below 2: a typing error, from 1.5 in one word of the name: `InterfaceType` for `interfce`
 * - from 2: the name begins with the wanted one, or is at least its first half
 * - from 3: it contains the wanted one, or is at least half of it
 */
export const distanceFrom = (asked: string) => {
  const wanted = normalize(asked)
  const lastPart = wanted.slice(wanted.lastIndexOf(".") + 1)
  const fromLastPart = distance(lastPart)
  const fromWanted = distance(wanted)
  const fromWord = distanceOfWords(lastPart)
  return (name: string, qualifiedName: string): number | undefined => {
    const ofWhole = fromLastPart(name.toLowerCase())
    const ofName = ofWhole !== undefined && ofWhole < 2 ? ofWhole : (fromWord(name) ?? ofWhole)
    if (lastPart === wanted) return ofName
    const ofQualified = fromWanted(qualifiedName.toLowerCase())
    // The right name in another container.
    const elsewhere = ofName === undefined ? undefined : ofName + 1
    return ofQualified === undefined || elsewhere === undefined
      ? (ofQualified ?? elsewhere)
      : Math.min(ofQualified, elsewhere)
  }
}

/** The fewest letters of a word with a typing error: shorter words are near to many others. */
const MIN_LETTERS = 5

/**
 * Returns a function for the distance of the nearest word in a name. One typing error is allowed for each four letters,
 * fewer than for a whole name, since a name has several words that may be near by chance. The names of a codebase share
 * their words, so each word is compared once.
 */
const distanceOfWords = (wanted: string) => {
  if (!/^\p{L}+$/u.test(wanted) || wanted.length < MIN_LETTERS) return () => undefined
  const edits = EditDistance.from(wanted, Math.floor(wanted.length / 4))
  const compared = new Map<string, number | undefined>()
  const ofWord = (word: string): number | undefined => {
    // A word that differs by more letters in its length alone has at least as many errors.
    if (Math.abs(word.length - wanted.length) > wanted.length / 4) return undefined
    if (!compared.has(word)) compared.set(word, edits(word.toLowerCase()))
    return compared.get(word)
  }
  return (name: string): number | undefined => {
    // The word alone is compared as a whole name.
    if (name.length <= wanted.length) return undefined
    let nearest: number | undefined
    for (const word of name.match(WORDS) ?? []) {
      const near = ofWord(word)
      if (near !== undefined && near < (nearest ?? Number.POSITIVE_INFINITY)) nearest = near
    }
    // The surplus orders names with the same word: the shortest is the nearest.
    return nearest === undefined ? undefined : Math.min(1.4 + nearest / 10, 1.8) + Math.min(name.length, 99) / 1000
  }
}

/**
 * Matches each word of a name. A hundred thousand names are divided, so this is simpler than
 * what the index divides them by.
 */
const WORDS = /\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})/gu

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
    // Half of what was typed may be the name; less of it, such as `INT` of `interfce`, is there by chance.
    if (wanted.length < 3 || name.length < Math.max(3, wanted.length / 2)) return undefined
    // The surplus is always less than 1. It orders names with the same beginning: the shortest is the nearest.
    const surplus = Math.abs(wanted.length - name.length) / 1000
    if (name.startsWith(wanted) || wanted.startsWith(name)) return 2 + surplus
    return name.includes(wanted) || wanted.includes(name) ? 3 + surplus : undefined
  }
}
