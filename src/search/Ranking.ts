/**
 * The score of a symbol as an answer, and all weights in it. Tuned on the development questions of the retrieval
 * benchmark; the numbers are round because the optimum is flat.
 *
 *   retrieval score = (BM25 of the symbol + 0.75 × BM25 of its file) × weight of the file
 *   final score     = (retrieval score + evidence × weight of the file)
 *                     × weight of its kind × boost for a mention × boost for use × decay in its file
 *
 * The evidence is what its name, those of its callers and its purpose say beside BM25. A symbol with the whole question as its
 * name comes before all others, and then one that the question identifies by its name; also where they are in auxiliary files.
 * Then come symbols with names of the words of the question and no others.
 */

/** The weight of a word that questions of any subject have, see `Question`; any other word has 1. */
export const FILLER_WEIGHT = 0.5

/** The weight of words of a question that a name writes as one word, and of their initials. */
export const JOINED_WEIGHT = 0.5

/** The highest weight of a word of a guessed identifier, and of all of them together, as a share of the question. */
export const GUESS_WEIGHT = 0.5
export const MAX_GUESS_SHARE = 0.5

/** What all terms of `Feedback` count together, as a share of those of the question. */
export const FEEDBACK_WEIGHT = 0.1

/** For a file: what its name has of the question (`NameEvidence.cover`), beside the BM25 of the file. */
export const FILE_NAME_WEIGHT = 0.4

/** For a symbol: what its name has of the question (`NameEvidence.cover`, `NameEvidence.pairs`), beside its BM25. */
export const NAME_WEIGHT = 0.1
export const NAME_PAIR_WEIGHT = 0.1

/** An occurrence in the name of a caller counts as so many in the source of the symbol, see `Callers`. */
export const CALLER_WEIGHT = 1.5

/**
 * For a symbol: a purpose that has all words of a question adds this share of their weights (`PurposeEvidence`), one that has
 * `LEAST_PURPOSE_COVER` of them or fewer nothing. A shorter question is in many purposes, and mostly asks for a name.
 */
export const PURPOSE_COVER_WEIGHT = 0.5
export const LEAST_PURPOSE_COVER = 0.5
export const LEAST_PURPOSE_TERMS = 4

/**
 * What a cosine counts above the least of those of a search, see `Similarity`; beside the BM25 of the symbol, and for the
 * nearest of its symbols beside that of a file. Chosen so that the nearest symbols, which mostly are .1 to .3 above, get
 * what one telling word gives, and vectors that say nothing take nothing. Not tuned: that needs the vectors of real models,
 * and until then an unknown model must not harm.
 */
export const SIMILARITY_WEIGHT = 5

/**
 * The retrieval score: known from the posting lists alone. `fileWeight`: see `auxiliaryWeight`. A symbol scores with its
 * file, since the answer to a question mostly stands among others that match it too.
 */
export const retrievalScore = (symbolScore: number, fileScore: number, fileWeight: number): number =>
  (symbolScore + FILE_SCORE_SHARE * fileScore) * fileWeight

const FILE_SCORE_SHARE = 0.75

/**
 * The weight of auxiliary files: tests, examples, documentation, and what is generated or vendored (`code/FileClass`). That of
 * all others is 1.
 */
export const auxiliaryWeight = (question: string): number => (asksForTests.test(question) ? 0.7 : 0.5)

const asksForTests = /\b(?:tests?|testing|specs?)\b/i

/** A symbol to be ranked. */
export interface Candidate {
  readonly id: number
  readonly file: number
  readonly kind: string
  /** How many other files use it. */
  readonly usedBy: number
  /** The retrieval score and the weighted evidence. */
  readonly score: number
  readonly nameMatch: NameMatch | undefined
}

/**
 * The name is the whole question (`exact`), or is but for case, where another is exact (`alike`); or it is an identifier in
 * the question (`mentioned`), and all identifiers in the question together name this symbol alone (`identified`). A question
 * that names more symbols asks how they are related, and for none of them alone. `guessed`: it is none of these, but an
 * identifier that was guessed. `worded`: its words are those of the question; `covering`: they have them all, and others.
 */
export type NameMatch = "exact" | "alike" | "identified" | "mentioned" | "guessed" | "worded" | "covering"

/** Whether the identifiers of a question name one symbol. `named`: those that have one of the names. */
export const isIdentified = (named: ReadonlyArray<{ readonly id: number; readonly kind: string }>): boolean =>
  new Set(named.map(({ id }) => id)).size === 1 && named.every(({ kind }) => !minorKinds.has(kind))

/** Whether what uses a symbol tells what it is for. A type is used for what it holds, wherever that is. */
export const isDescribedByCallers = (kind: string): boolean => calledKinds.has(kind)

const calledKinds: ReadonlySet<string> = new Set(["function", "method", "class"])

export interface Ranked {
  readonly id: number
  readonly score: number
}

/** What the place of an answer among those of other indexes depends on. */
export interface Match {
  /** Without what puts it before others for its name. */
  readonly score: number
  readonly kind: string
  readonly nameMatch: NameMatch | undefined
}

/**
 * The answers of several indexes as one list, best first, with their final scores: as if they were ranked together, if their
 * scores weigh words alike (`Corpus`). Of equal scores those of the first index are first. O(n log n).
 */
export const merge = <A>(
  lists: ReadonlyArray<ReadonlyArray<A>>,
  matchOf: (answer: A) => Match,
): ReadonlyArray<{ readonly answer: A; readonly score: number }> => {
  const answers = lists.flat()
  const highest = answers.reduce((highest, answer) => Math.max(highest, matchOf(answer).score), 0)
  return answers
    .map((answer) => ({ answer, score: placed(matchOf(answer), highest) }))
    .sort((one, other) => other.score - one.score)
}

/**
 * The candidates with their final scores, best first; of equal scores the lower id first. `unplaced`: the score of `Match`.
 * O(n log n).
 */
export const rank = <A extends Candidate>(
  candidates: ReadonlyArray<A>,
): ReadonlyArray<A & { readonly unplaced: number }> => {
  const scored = candidates
    .map((candidate) => {
      const { kind, nameMatch, score, usedBy } = candidate
      const weight = (minorKinds.has(kind) ? MINOR_KIND_WEIGHT : 1) * nameBoost(nameMatch)
      return { ...candidate, score: score * weight * usageBoost(usedBy) }
    })
    .sort(byScore)
  const highest = scored[0]?.score ?? 0
  return decayWithinFiles(scored)
    .map((each) => ({ ...each, score: placed(each, highest), unplaced: each.score }))
    .sort(byScore)
}

/** Grows with the logarithm: 1.07 for a thousand files. */
const usageBoost = (usedBy: number): number => 1 + 0.01 * Math.log1p(usedBy)

/**
 * The score that puts an answer before others: an exact name, and one like it, before identified ones, these before those in
 * the words of the question, and these before all others, but by so little that the others are not less relevant for it.
 * Of exact and like names those of functions and types come before those of data.
 */
const placed = ({ kind, nameMatch, score }: Match, highest: number): number =>
  nameMatch === "exact" || nameMatch === "alike"
    ? // None is much less than another, so that all of them are shown.
      (4 - (nameMatch === "alike" ? 0.25 : 0) - (minorKinds.has(kind) ? 1 : 0)) * (highest + 1) + score / 5
    : nameMatch === "identified"
      ? score + highest + 1
      : nameMatch === "worded"
        ? highest + score / (highest + 1)
        : score

/** Their names are mostly common words, and there is little text beyond the name. */
const minorKinds: ReadonlySet<string> = new Set(["field", "constant", "variable"])
const MINOR_KIND_WEIGHT = 0.7

const MENTION_BOOST = 1.25

const nameBoost = (nameMatch: NameMatch | undefined): number =>
  nameMatch === undefined || nameMatch === "covering"
    ? 1
    : nameMatch === "guessed"
      ? 1 + GUESS_WEIGHT * (MENTION_BOOST - 1)
      : MENTION_BOOST

/** Each further answer from one file has three quarters of its score, so that one file does not fill the list. */
const FILE_DECAY = 0.75

const decayWithinFiles = <A extends Candidate>(sorted: ReadonlyArray<A>): ReadonlyArray<A> => {
  const seen = new Map<number, number>()
  return sorted.map((candidate) => {
    const before = seen.get(candidate.file) ?? 0
    // Each of them is an answer to all words of the question, not one that comes along with its file.
    const hasAll = candidate.nameMatch === "worded" || candidate.nameMatch === "covering"
    const earlier = hasAll ? Math.min(before, 1) : before
    seen.set(candidate.file, before + 1)
    return { ...candidate, score: candidate.score * FILE_DECAY ** earlier }
  })
}

const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || one.id - other.id
