/** Parses a question into its terms, how much each counts, and which words stand side by side. Pure. */
import { FILLER_WEIGHT, GUESS_WEIGHT, JOINED_WEIGHT, MAX_GUESS_SHARE } from "./Ranking.ts"
import * as Tokenizer from "./Tokenizer.ts"

export interface Question {
  /** The terms, each once. */
  readonly terms: ReadonlyArray<WeightedTerm>
  /** The terms that are words of the question, and not several words written as one. */
  readonly words: ReadonlySet<string>
  /** Pairs of words that follow one another, as terms with a space between them. */
  readonly pairs: ReadonlySet<string>
}

export interface WeightedTerm {
  readonly term: string
  /** How much the term counts beside the others: 1 for a telling word. */
  readonly weight: number
}

/**
 * Returns the part of a text that is searched for: its first 10,000 characters. They have more terms than `MAX_TERMS`
 * in all but text that repeats itself, and a question is taken apart once for each answer.
 */
export const beginningOf = (text: string): string => text.slice(0, MAX_CHARS)

const MAX_CHARS = 10_000

export const parse = (whole: string): Question => {
  const text = beginningOf(whole)
  const asked = Array.from(new Set(Tokenizer.terms(text)))
  const weights = new Map(asked.slice(0, MAX_TERMS).map((term) => [term, fillers.has(term) ? FILLER_WEIGHT : 1]))
  // Code writes `cleanup` or `cleanUp` for two words of a question, one of which may be a stop word, and `sse` for
  // "server-sent events".
  for (const written of [Tokenizer.joinedTerms(text), Tokenizer.initials(text)]) {
    for (const term of written.slice(0, MAX_TERMS)) if (!weights.has(term)) weights.set(term, JOINED_WEIGHT)
  }
  const words = Tokenizer.partTerms(text)
  return {
    words: new Set(words),
    terms: Array.from(weights, ([term, weight]) => ({ term, weight })),
    pairs: pairsOf(words),
  }
}

/**
 * Returns the terms to search for: those of the question, and a root (`Tokenizer.rootTerms`) of each word
 * that the index does not have. Code that says only `utils` answers a question about utilities. A word
 * that the index has needs none.
 */
export const searchedTerms = (
  { terms, words }: Question,
  isKnown: (term: string) => boolean,
): ReadonlyArray<WeightedTerm> => {
  const found = new Map(terms.map((each) => [each.term, each]))
  for (const { term, weight } of terms) {
    const root = words.has(term) && !isKnown(term) ? Tokenizer.rootTerms(term).find(isKnown) : undefined
    if (root !== undefined && !found.has(root)) found.set(root, { term: root, weight })
  }
  return Array.from(found.values())
}

/**
 * Returns the terms of identifiers that the code may use, without those of the question. Together they count at most a
 * share of the question, so that many or wrong ones do not drown it.
 */
export const guessedTerms = ({ terms }: Question, identifiers: ReadonlyArray<string>): ReadonlyArray<WeightedTerm> => {
  const asked = new Set(terms.map(({ term }) => term))
  const guessed = new Set(identifiers.flatMap(Tokenizer.terms))
  const added = Array.from(guessed)
    .slice(0, MAX_TERMS)
    .filter((term) => !asked.has(term))
  const sum = terms.reduce((sum, { weight }) => sum + weight, 0)
  const most = sum === 0 ? GUESS_WEIGHT : Math.min(GUESS_WEIGHT, (MAX_GUESS_SHARE * sum) / guessed.size)
  return added.map((term) => ({ term, weight: most * (fillers.has(term) ? FILLER_WEIGHT : 1) }))
}

/** The most terms. A typed question has fewer; the limit bounds the work for a pasted text. */
const MAX_TERMS = 64

/** Returns the neighbours in a list of terms, as in `Question.pairs`. */
export const pairsOf = (terms: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(terms.slice(1).flatMap((term, position) => (term === terms[position] ? [] : [`${terms[position]} ${term}`])))

/**
 * Words that people put around what they ask for. They come from the question ("explain", "purpose"), from any software
 * ("mechanism", "architecture") and from any sentence ("specific", "ensure"). They occur in code too, so they are not
 * stop words. But a symbol with only these must not outrank one with the telling words of a question. The words of
 * programs (`class`, `type`, `error`) and of their operations (`handle`, `create`, `load`) are not among them: a
 * question that has one mostly asks for that.
 */
const fillers: ReadonlySet<string> = new Set(
  Tokenizer.terms(
    "explain describe show tell give find locate look see know mean understand please " +
      "purpose role responsible responsibility relationship relation relate interaction interact difference " +
      "reason rationale effect affect impact consequence implication influence benefit advantage tradeoff concern " +
      "architecture architectural design decision mechanism approach strategy logic behavior behaviour functionality " +
      "implementation implement system codebase code project software program feature aspect component " +
      "specific specifically particular certain various different multiple several general overall main primary " +
      "ensure guarantee maintain provide enable allow support prevent facilitate achieve serve involve occur happen " +
      "determine perform manage control flow step process way case situation scenario place thing work",
  ),
)
