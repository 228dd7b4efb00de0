/**
 * Finds what users of a project do with it, such as install, parse or serve, by the verbs that its documents use. A
 * flow explains most if it begins at the function for one of them. Pure.
 */

/**
 * Verbs of what programs and libraries are asked to do. Those that any code has, such as
 * `get`, `set` and `add`, say nothing.
 */
const VERBS: ReadonlySet<string> = new Set(
  (
    "install uninstall update upgrade build compile bundle parse serve render load reload unload run start stop restart launch clean sync check " +
    "restore fetch commit push pull clone open close connect disconnect send receive import export format lint test publish deploy query " +
    "search index encode decode encrypt decrypt validate verify register authenticate authorize login logout upload download convert " +
    "generate execute dispatch listen match migrate log profile backup archive compress extract replay record watch schedule subscribe " +
    "unsubscribe emit crawl scan train predict evaluate transform tokenize highlight translate merge diff rebase bind invoke prompt complete"
  ).split(" "),
)

/** A verb that the documents have more rarely may be there by chance. */
const MIN_USES = 2

/** The most characters of documents that are read. */
const MAX_CHARS = 400_000

/**
 * Returns how often the documents have each verb, in any of its forms: `installs`, `installed` and
 * `installing` are uses of `install`.
 */
export const countIn = (documents: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [word] of documents
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .matchAll(/[a-z]{3,}/g)) {
    const verb = verbOf(word)
    if (verb !== undefined) counts.set(verb, (counts.get(verb) ?? 0) + 1)
  }
  return new Map(Array.from(counts).filter(([, count]) => count >= MIN_USES))
}

const verbOf = (word: string): string | undefined => {
  const stems = [
    word,
    word.replace(/(?:e?s|e?d|ing)$/, ""),
    word.replace(/(?:es|ed|ing)$/, "e"),
    word.replace(/([a-z])\1(?:ed|ing)$/, "$1"),
    word.replace(/s$/, ""),
    word.replace(/d$/, ""),
  ]
  return stems.find((stem) => VERBS.has(stem))
}

/**
 * Returns how often the documents have the verb that a function is named by, alone or with what it is done to:
 * `install`, `parse_args`, `ServeHTTP`. 0 for any other name.
 */
export const usesOf = (counts: ReadonlyMap<string, number>, name: string): number => {
  const [first = "", ...others] = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
  return others.length > MAX_OBJECT ? 0 : (counts.get(first.toLowerCase()) ?? 0)
}

/** The most words behind the verb: a longer name is that of a detail. */
const MAX_OBJECT = 1
