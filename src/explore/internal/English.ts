/** Tells whether texts are English. Pure. */

/**
 * Says why a text is not in English. Another script is certainly another language. Otherwise, several words that hold
 * sentences of one other language together are evidence, if no English ones are there. Names, capitals and lists are no
 * evidence.
 */
export const findForeign = (text: string): string | undefined => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters >= 8 && 2 * latin < letters) return "write in English"
  const words = wordsOf(text)
  if (words.length < MIN_FOREIGN_WORDS || words.some((word) => english.has(word))) return undefined
  const isForeign = foreign.some((language) => words.filter((word) => language.has(word)).length >= MIN_EVIDENCE)
  return isForeign ? FOREIGN : undefined
}

const MIN_FOREIGN_WORDS = 8
const MIN_EVIDENCE = 3

const english: ReadonlySet<string> = new Set(
  (
    "the of to for and or with from by at are be been its it is that this these those which whose when where if " +
    "into not their they them than then what how but have had can may must should does each " +
    "every any only once before after without through between while until because both either used using same other why who has"
  ).split(" "),
)

/** Words of German, French, Spanish, Italian, Portuguese, Dutch and Polish that are no words of English too. */
const foreign: ReadonlyArray<ReadonlySet<string>> = [
  "der das den dem ein eine einen einem einer eines und oder nicht ist sind wird werden mit von vom für auf aus beim zu zum zur im sich über unter nach wenn dass auch durch ohne",
  "le la les un une du de et ou dans pour avec sur qui que est sont ne pas ce cette ces au aux en se sa ses sans",
  "el la los las un una unos de del y en para por que es se su sus al lo como sin este esta",
  "il lo la gli le un una di della dei delle che è sono si al alla da nel nella come senza",
  "os um uma de da dos das ou em para por com que é são não se ao na como sem",
  "de het een en voor op dat zijn niet naar bij uit om als wordt worden",
  "na nie się jest są dla przez od że który która które oraz lub",
].map((words) => new Set(words.split(" ")))

/** Returns the words of a text in small letters: no names, capitals and code. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(/[\p{L}\p{N}_$.'’-]+/gu) ?? [])
    .map((word) => word.replace(/[.'’-]+$/, ""))
    .filter((word) => /^\p{Ll}[\p{Ll}'’-]*$/u.test(word))

/**
 * Finds the texts of a call that are not English, with the reason. If all texts together have next to none of the words
 * that hold English sentences together, these are all texts that are more than a list of names. This needs no words of
 * the other language, and works for texts that are too short to be judged alone.
 *
 * Such words are 30 % of purposes that capable models have written, and at least 8 % of any consecutive ones with 50
 * words together: of 6,367 purposes of five repositories, whole and cut to twelve words, in groups of 10, 40 and 150
 * none is taken for foreign. In groups of ten short texts in Spanish, German, Portuguese, Dutch, Swedish, Turkish and
 * French they are 0 to 2 %, in messages of a program in these and other languages at most 5 % (Dutch has `of`, Slovak
 * `to`).
 */
export const findForeignIn = (texts: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const distinct = Array.from(new Set(texts), (text) => ({ text, words: wordsOf(text) }))
  const all = distinct.flatMap(({ words }) => words)
  const isEnglish = (word: string) => english.has(word) && !shared.has(word)
  if (all.length < MIN_POOL || all.filter(isEnglish).length >= MIN_ENGLISH * all.length) return new Map()
  return new Map(distinct.filter(({ words }) => words.length >= MIN_PROSE).map(({ text }) => [text, FOREIGN] as const))
}

const MIN_POOL = 50
const MIN_ENGLISH = 0.06
const MIN_PROSE = 4

/** Words of English that are as frequent in Dutch, Danish or Norwegian. */
const shared: ReadonlySet<string> = new Set(["at", "is"])

const FOREIGN = "seems not to be English; write in English"

/**
 * Returns whether files have comments or texts in English: a fifth of those that are long enough has a `the`. The first
 * lines do not count, since any project may have an English licence.
 */
export const isEnglishCode = (files: Iterable<string>): boolean => {
  const bodies = Array.from(files, (file) => file.split("\n").slice(LICENCE_LINES).join("\n")).filter(
    (body) => body !== "",
  )
  return bodies.length > 0 && 5 * bodies.filter((body) => /\bthe\b/.test(body)).length >= bodies.length
}

const LICENCE_LINES = 30
