/**
 * Finds purposes of one call that put words of their file into a frame which most of the others have too: "Lets callers
 * handle … together with …. When does … matter?". Pure.
 *
 * A good purpose has words that the code does not have, or a sentence of its own. A family of symbols, such as the
 * verbs of HTTP, shares a frame, but is a small part of a call. Of 4,625 good purposes for flask, requests, xarray and
 * pytest it finds .95, .6 and .3 % in calls of 20, 40 and 100, all of them families of xarray. Of keywords of the file
 * in one of six frames, for the 678 symbols of flask, it finds 99 to 100 %; of keywords of the symbol's own source, of
 * which short symbols have few, 84, 87 to 93 and 100 %. A frame may be as light as "Uses … and … for ….", if the rest
 * of the sentences is equal: of such ones for requests it finds 83 %. Keywords without a frame pass.
 */
import * as Tokenizer from "../../search/Tokenizer.ts"

interface Sentence {
  readonly path: string
  readonly qualifiedName: string
  readonly text: string
  /** The text of the file. */
  readonly file: string
}

/** Finds such sentences, each with the number of others that have its frame. */
export const findFramed = <A extends Sentence>(sentences: ReadonlyArray<A>): ReadonlyMap<A, number> => {
  const all = sentences.map((sentence) => ({ sentence, words: wordsOf(sentence.text) }))
  const uses = new Map<string, number>()
  for (const { words } of all) for (const { word } of new Set(words)) uses.set(word, (uses.get(word) ?? 0) + 1)
  const least = Math.max(MIN_SHARED, MIN_SHARE_OF_WORD * all.length)
  const most = Math.max(MIN_SHARED, MAX_SHARE_OF_SLOT * all.length)
  const wordsIn = rememberWords()
  // These sentences consist of words of their file and of words that others have too. `own` counts the words of the
  // file alone.
  const filled = all.flatMap(({ sentence, words }) => {
    const inFile = wordsIn(sentence.file)
    const content = Array.from(new Set(words)).filter(({ weight }) => weight === 1)
    if (!content.every(({ word }) => inFile.has(word) || (uses.get(word) ?? 0) >= least)) return []
    const name = new Set(Tokenizer.words(sentence.qualifiedName))
    const own = content.filter(({ word }) => inFile.has(word) && !name.has(word) && (uses.get(word) ?? 0) < most)
    const isSlot = ({ weight, word }: Word) => weight === 1 && (uses.get(word) ?? 0) < most
    // The sentence with gaps for the words of its file.
    const frame = words.map((word) => (isSlot(word) ? "" : word.word)).join(" ")
    return [{ sentence, words, frame, own: own.length }]
  })
  const salads = filled.filter(({ own }) => own >= MIN_OWN)
  if (salads.length <= MIN_SHARED || salads.length < MIN_FILLED * all.length) return new Map()
  const compared = salads.slice(0, MAX_COMPARED)
  const enough = Math.max(MIN_SHARED, MIN_FRAMED * Math.min(all.length, MAX_COMPARED))
  return new Map(
    filled.flatMap(({ frame, own, sentence, words }) => {
      // If a sentence has few words of its file, there is no limit to how much it may be like the others.
      const alike = own < MIN_OWN ? Number.POSITIVE_INFINITY : MAX_ALIKE * sum(words)
      const sharing = compared.filter((other) => {
        if (isSameSymbol(other.sentence, sentence)) return false
        if (frame === other.frame) return true
        const shared = weighCommon(words, other.words)
        return shared >= MIN_FRAME && shared <= alike
      })
      return sharing.length >= enough ? [[sentence, sharing.length] as const] : []
    }),
  )
}

/** The least number of other sentences that share a frame. */
const MIN_SHARED = 4

/** Words outside of the file belong to a frame if this share of the sentences has them. */
const MIN_SHARE_OF_WORD = 0.05

/** A word of the file that this share of the sentences has may belong to the frame. */
const MAX_SHARE_OF_SLOT = 0.35

/**
 * The least number of its file's words in a suspicious sentence. `Step X of the run.` for a symbol `X` has none but the
 * name.
 */
const MIN_OWN = 3

/** The least share of the sentences that have only words of their file and of frames. */
const MIN_FILLED = 0.5

/** The least share of all sentences that have the frame of one. */
const MIN_FRAMED = 0.1

/** The most sentences that are compared, which limits the work for a call with thousands. */
const MAX_COMPARED = 200

/** The least weight of a frame: five function words, or two words with content. */
const MIN_FRAME = 1.6

/** Sentences that are more alike than this say the same about similar symbols. */
const MAX_ALIKE = 0.8

interface Word {
  readonly word: string
  readonly weight: number
}

/** The words of a text in order; equal words are one object. */
const wordsOf = (text: string): ReadonlyArray<Word> => {
  const known = new Map<string, Word>()
  return Tokenizer.splitRuns(text).map((run) => {
    const word = run.replaceAll("_", "").toLowerCase()
    const found = known.get(word) ?? { word, weight: Tokenizer.partTerms(word).length === 0 ? FUNCTION_WORD : 1 }
    known.set(word, found)
    return found
  })
}

const FUNCTION_WORD = 1 / 3

const sum = (words: ReadonlyArray<Word>): number => words.reduce((total, { weight }) => total + weight, 0)

const rememberWords = () => {
  const known = new Map<string, ReadonlySet<string>>()
  return (file: string): ReadonlySet<string> => {
    const words = known.get(file) ?? new Set(Tokenizer.words(file))
    known.set(file, words)
    return words
  }
}

const isSameSymbol = (one: Sentence, other: Sentence): boolean =>
  one.path === other.path && one.qualifiedName === other.qualifiedName

/** Returns the weight of the heaviest common subsequence of two texts. */
const weighCommon = (words: ReadonlyArray<Word>, others: ReadonlyArray<Word>): number => {
  const row = new Float64Array(others.length + 1)
  for (const { weight, word } of words) {
    let diagonal = 0
    for (let position = 0; position < others.length; position++) {
      const above = row[position + 1] ?? 0
      row[position + 1] = word === others[position]?.word ? diagonal + weight : Math.max(above, row[position] ?? 0)
      diagonal = above
    }
  }
  return row[others.length] ?? 0
}
