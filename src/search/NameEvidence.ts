/** Measures what a name says about a question, beyond the single terms that they share. Pure. */
import * as Question from "./Question.ts"
import * as Tokenizer from "./Tokenizer.ts"

/**
 * How much each term of a question distinguishes symbols: its weight in the question times its inverse document
 * frequency.
 */
export type TermWeights = ReadonlyMap<string, number>

/**
 * Adds up the weights of the terms that the question shares with a name, times their share of the name. A name that is
 * in the question as a whole says more than a wordier one.
 */
export const cover = (weights: TermWeights, name: string): number => {
  const terms = new Set(Tokenizer.partTerms(name))
  let [sum, covered] = [0, 0]
  for (const term of terms) {
    const weight = weights.get(term)
    if (weight === undefined) continue
    sum += weight
    covered += 1
  }
  return covered === 0 ? 0 : (sum * covered) / terms.size
}

/** Adds up the weights of the words that stand side by side both in the question and in a name. */
export const pairs = (question: Question.Question, weights: TermWeights, name: string): number => {
  let sum = 0
  for (const pair of Question.pairsOf(Tokenizer.partTerms(name))) {
    if (!question.pairs.has(pair)) continue
    for (const term of pair.split(" ")) sum += weights.get(term) ?? 0
  }
  return sum
}

/**
 * Says whether a name has all words of a question, in any order, and no others (`all`), or others too (`more`).
 * `User.delete` has the words of "delete user". Undefined for a question of one word, which names no symbol of two.
 */
export const inWords = (words: ReadonlySet<string>, qualifiedName: string): "all" | "more" | undefined => {
  if (words.size < 2) return undefined
  const terms = new Set(Tokenizer.partTerms(qualifiedName))
  for (const word of words) if (!terms.has(word)) return undefined
  return terms.size === words.size ? "all" : "more"
}
