/**
 * The tokenizer of the search, for questions and for code. Nothing else in the program splits identifiers or stems
 * words for a search.
 *
 * A text is cut into runs of letters, digits and underscores. A run is split into parts at a change of case, at digits
 * and at underscores. Its words are the parts and, if there are several, the whole run, in lower case. Words that are
 * not stop words become terms by stemming.
 */

/** The words of a text, in order: `readFile2` → `read`, `file`, `2`, `readfile2`. */
export const words = (text: string): ReadonlyArray<string> => splitRuns(text).flatMap(wordsOfRun)

/** The parts of the identifiers of a text, in lower case and in order: `readFile2` → `read`, `file`, `2`. */
export const parts = (text: string): ReadonlyArray<string> =>
  splitRuns(text).flatMap((run) => splitIdentifier(run).map((part) => part.toLowerCase()))

/** The terms of a text, in order, as often as they occur. */
export const terms = (text: string): ReadonlyArray<string> => splitRuns(text).flatMap(termsOfRun)

/** Like `terms`, but without whole runs, so that terms that are adjacent in the text are adjacent here. */
export const partTerms = (text: string): ReadonlyArray<string> =>
  parts(text)
    .filter((word) => word.length <= MAX_WORD_LENGTH && !stopWords.has(word))
    .map(stemPart)

/** Stems a word and caches the result: a search splits some hundred names, which share few words. */
const stemPart = (word: string): string => {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MAX_STEMS) stems.clear()
  const term = stem(word)
  stems.set(word, term)
  return term
}

const stems = new Map<string, string>()

/** The most stems in the cache: about 1 MB. */
const MAX_STEMS = 10_000

/** The terms of two words that stand side by side, written as one: `clean up` → `cleanup`. */
export const joinedTerms = (text: string): ReadonlyArray<string> => {
  const runs = splitRuns(text)
  return runs
    .slice(1)
    .map((run, position) => `${runs[position]}${run}`.replaceAll("_", "").toLowerCase())
    .filter((word) => word.length <= MAX_WORD_LENGTH)
    .map(stem)
}

/**
 * The initials of three or four words that follow one another, as abbreviations are made: `server-sent events` → `sse`.
 */
export const initials = (text: string): ReadonlyArray<string> => {
  const runs = splitRuns(text)
  return [3, 4].flatMap((length) =>
    runs
      .slice(length - 1)
      .map((_, position) => runs.slice(position, position + length))
      .filter((words) => words.every(isWord))
      .map((words) =>
        stem(
          words
            .map(([first]) => first)
            .join("")
            .toLowerCase(),
        ),
      ),
  )
}

/** Returns whether a run is one word. The small words of a sentence ("a", "of", "to") are no part of a name. */
const isWord = (run: string): boolean => run.length >= 3 && (isBeyondAscii(run) ? /^\p{L}+$/u : /^[A-Za-z]+$/).test(run)

/**
 * Returns a text with one form for each letter, whether it was typed with a combining accent, in full width (`ｒｅａｄ`) or
 * as a ligature. Code has the plain form, and a keyboard for Chinese or Japanese often types another.
 */
export const normalize = (text: string): string => (isBeyondAscii(text) ? text.normalize("NFKC") : text)

/** The runs of letters, digits and underscores of a text, in order. */
export const splitRuns = (text: string): ReadonlyArray<string> =>
  (isBeyondAscii(text) ? normalize(text).match(/[\p{L}\p{M}\p{N}_]+/gu) : text.match(/\w+/g)) ?? []

// Most texts are ASCII, and the patterns for it match in half the time. V8 compiles a Unicode class at its first use,
// in up to a millisecond.
export const isBeyondAscii = (text: string): boolean => /[^\0-\x7f]/.test(text)

const wordsOfRun = (run: string): ReadonlyArray<string> => {
  if (/^[a-z]+$/.test(run)) return [run]
  const parts = splitIdentifier(run)
  const words = parts.map((part) => part.toLowerCase())
  return parts.length > 1 ? [...words, run.replaceAll("_", "").toLowerCase()] : words
}

/** `HTTPServer_v2` → `HTTP`, `Server`, `v`, `2`. */
const splitIdentifier = (run: string): ReadonlyArray<string> =>
  run.match(
    isBeyondAscii(run)
      ? /\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+/gu
      : /[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g,
  ) ?? []

/** The terms of one run. They depend on nothing but the run, so they can be cached. */
export const termsOfRun = (run: string): ReadonlyArray<string> =>
  wordsOfRun(run)
    .filter((word) => word.length <= MAX_WORD_LENGTH && !stopWords.has(word))
    .map(stem)

/** Longer words are data (hashes, Base64). */
const MAX_WORD_LENGTH = 64

/**
 * A stemmer for English: `cache`, `caches`, `cached`, `caching` → `cach`. Coarser than the classic ones, and no worse
 * on the questions of the retrieval benchmark.
 */
export const stem = (word: string): string => {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const singular = word.replace(/ies$/, "y").replace(/(ss|x|ch|sh)es$|([^su])s$/, "$1$2")
  const root = suffixes.exec(singular)?.[1] ?? singular
  return root.replace(/([^aeiouylsz])\1$/, "$1").replace(/(?<=...)y$/, "i")
}

/** Matches all suffixes at once, after a stem of at least three letters with a vowel. */
const suffixes = /^(.*?[aeiouy].*?(?<=^.{3,}))(?:(?:i[sz])?(?:at)?(?:ion|ing|ed|er|or|e))+$/

/**
 * Returns the terms of the words from which English makes a word by an ending that the stemmer keeps, the
 * longest first: `util` for the term of "utility". The stemmer keeps these endings because they often make
 * another word, as in `form` and `formal`.
 */
export const rootTerms = (term: string): ReadonlyArray<string> => {
  if (!/^[a-z]{4,}$/.test(term)) return []
  const roots = new Set<string>()
  for (let end = term.length - 1; end >= LEAST_ROOT; end--) {
    if (!isEnding.test(term.slice(end))) continue
    const root = term.slice(0, end)
    // The root may be a stem, as in "traversal", or have an ending that the stemmer removes, as in "management".
    roots.add(root).add(stemPart(root))
  }
  return Array.from(roots)
}

/** The least letters that remain without an ending. Fewer begin many other words. */
const LEAST_ROOT = 4

/** Matches one ending or two, such as those of "-fully". They are as the stemmer leaves them: `iti` is "-ity". */
const isEnding =
  /^(?:abiliti|ibiliti|abl|ibl|al|anc|enc|ant|ent|ari|ful|i|ic|ism|ist|iti|iv|less|li|ment|ness|ship){1,2}$/

const stopWords: ReadonlySet<string> = new Set(
  (
    "a about all also an and any are as at be been being between by can could did do does each for from had has have " +
    "how i if in into is it its me more most my no not of on or other our over per s should so some such t than that " +
    "the their them then there these they this those through to under up use used uses using via was we were what " +
    "when where which while who why will with within without would you your"
  ).split(" "),
)

/** The names in a question that are written as in code, each once: `readFile`, `Forest.append`, `$emit`. */
export const codeNames = (question: string): ReadonlyArray<string> =>
  Array.from(new Set(namesIn(question).filter(isCodeLike))).slice(0, MAX_CODE_NAMES)

/** The names in a text, each once: `Forest.append(), read file` → `Forest.append`, `read`, `file`. */
export const names = (text: string): ReadonlyArray<string> => Array.from(new Set(namesIn(text)))

/** The most names. A typed question has fewer; the limit bounds the work for a pasted text. */
const MAX_CODE_NAMES = 64

const namesIn = (question: string): ReadonlyArray<string> =>
  normalize(question).match(
    isBeyondAscii(question)
      ? /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu
      : /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g,
  ) ?? []

/** Returns whether a name has a change of case, `_`, `$` or a dot inside, which no plain word has. */
const isCodeLike = (name: string): boolean =>
  (isBeyondAscii(name) ? /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|[_$.]/u : /[a-z][A-Z]|[A-Z]{2}[a-z]|[_$.]/).test(name)
