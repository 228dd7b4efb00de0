/**
 * Pseudo-relevance feedback by the relevance model RM3 (Abdul-Jaleel and others, 2004). It assumes that the question
 * means what the first answers have in common, and searches for their terms too, with little weight. Terms of the
 * question are among these, so the words of it that are in the names of the best answers count more than the others.
 * Pure.
 */
import type * as Question from "./Question.ts"
import { FEEDBACK_WEIGHT } from "./Ranking.ts"
import * as Tokenizer from "./Tokenizer.ts"

/** An answer to the question as it was asked. */
export interface Answer {
  readonly score: number
  readonly qualifiedName: string
  /** The beginning of its comment. */
  readonly doc: string
  /** The purpose that a model wrote; empty if there is none. */
  readonly purpose: string
}

/** How many answers are taken into account, and how many of their terms. */
const ANSWERS = 10
const TERMS = 12

/**
 * Returns the terms that the first answers are most about. Together they weigh `FEEDBACK_WEIGHT` of the question.
 * `idf`: the inverse document frequency of a term, which leaves out terms that any symbol has.
 */
export const terms = (
  question: ReadonlyArray<Question.WeightedTerm>,
  answers: ReadonlyArray<Answer>,
  idf: (term: string) => number,
): ReadonlyArray<Question.WeightedTerm> => {
  const shares = new Map<string, number>()
  for (const { doc, purpose, qualifiedName, score } of answers.slice(0, ANSWERS)) {
    const ofAnswer = Tokenizer.partTerms(`${qualifiedName} ${purpose === "" ? firstSentence(doc) : purpose}`)
    for (const term of ofAnswer) shares.set(term, (shares.get(term) ?? 0) + score / ofAnswer.length)
  }
  const best = Array.from(shares, ([term, share]) => ({ term, share, value: share * idf(term) }))
    .sort((one, other) => other.value - one.value || (one.term < other.term ? -1 : 1))
    .slice(0, TERMS)
  const [ofQuestion, ofBest] = [sum(question.map(({ weight }) => weight)), sum(best.map(({ share }) => share))]
  return best.map(({ share, term }) => ({ term, weight: (FEEDBACK_WEIGHT * ofQuestion * share) / ofBest }))
}

const firstSentence = (doc: string): string => /^[\s\S]*?[.!?](?=\s|$)/.exec(doc)?.[0] ?? doc

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, number) => sum + number, 0)
