/**
 * Computes the score of a symbol as an answer, and defines all weights in it. They are tuned on the development
 * questions of the retrieval benchmark; the numbers are round because the optimum is flat.
 *
 *   retrieval score = (BM25 of the symbol + 0.75 × BM25 of its file) × weight of the file
 *   final score     = (retrieval score + evidence × weight of the file)
 *                     × weight of its kind × boost for a mention × boost for the name of its file
 *                     × boost for agreement × boost for use × decay in its file
 *
 * The evidence is what its name, those of its callers and its purpose say beside BM25. A symbol whose name is the whole
 * question comes before all others, and then one that the question identifies by its name, even in an auxiliary file.
 * Then come symbols whose names have the words of the question and no others.
 */

/** The weight of a word that occurs in questions on any subject, see `Question`; any other word has 1. */
export const FILLER_WEIGHT = 0.5

/** The weight of words of a question that a name writes as one word, and of their initials. */
export const JOINED_WEIGHT = 0.5

/** The highest weight of a word of a guessed identifier, and of all of them together, as a share of the question. */
export const GUESS_WEIGHT = 0.5
export const MAX_GUESS_SHARE = 0.5

/** The weight of all terms of `Feedback` together, as a share of those of the question. */
export const FEEDBACK_WEIGHT = 0.1

/** The weight of what the name of a file shares with the question (`NameEvidence.cover`), beside its BM25. */
export const FILE_NAME_WEIGHT = 0.4

/**
 * Returns the factor of the symbols of a file whose name is in the question, by the share of the question that its
 * words are: up to 1.5, for a third of it or more.
 */
export const fileNameBoost = (share: number): number => 1 + FILE_NAME_BOOST * Math.min(1, share / FULL_BOOST_SHARE)

const FILE_NAME_BOOST = 0.5
const FULL_BOOST_SHARE = 1 / 3

/**
 * Returns the factor of the symbols of a file whose name has some words of the question, by the share of the name that
 * they are. It is up to 1.3 in a question of three words or fewer, less in a longer one, and 1 from seven words on. A
 * short question mostly says what the file is about, and a long one has words of the names of many files by chance.
 */
export const partialNameBoost = (share: number, words: number): number =>
  1 + PARTIAL_NAME_BOOST * share * Math.min(1, Math.max(0, (LONG_QUESTION - words) / (LONG_QUESTION - SHORT_QUESTION)))

const PARTIAL_NAME_BOOST = 0.3
const SHORT_QUESTION = 3
const LONG_QUESTION = 7

/**
 * The factor of the symbols of a file if the question writes its name with a capital letter, as it writes names of
 * types: one about "the Contravariant functor" asks for `Contravariant.scala`.
 */
export const CAPITALIZED_NAME_BOOST = 1.25

/**
 * The weights of what the name of a symbol shares with the question (`NameEvidence.cover`, `NameEvidence.pairs`),
 * beside its BM25.
 */
export const NAME_WEIGHT = 0.1
export const NAME_PAIR_WEIGHT = 0.1

/** How many occurrences in the source of a symbol one in the name of a caller counts as, see `Callers`. */
export const CALLER_WEIGHT = 1.5

/**
 * A purpose that has all words of a question adds this share of their weights to its symbol (`PurposeEvidence`). With
 * `LEAST_PURPOSE_COVER` of them or fewer, it adds nothing. A question of fewer than `LEAST_PURPOSE_TERMS` is in many
 * purposes, and mostly asks for a name.
 */
export const PURPOSE_COVER_WEIGHT = 0.5
export const LEAST_PURPOSE_COVER = 0.5
export const LEAST_PURPOSE_TERMS = 4

/**
 * The weight of a cosine above the least one of a search, see `Similarity`. It adds to the BM25 of the symbol, and the
 * nearest symbol of a file adds to that of the file. The nearest symbols are mostly .1 to .3 above the least, and so
 * get what one telling word gives; vectors that say nothing take nothing. It is not tuned: that needs the vectors of
 * real models, and until then an unknown model must not harm.
 */
export const SIMILARITY_WEIGHT = 5

/**
 * Returns the retrieval score, which needs only the posting lists. A symbol scores with its file, since the answer to a
 * question mostly stands among others that match it too. `fileWeight`: see `auxiliaryWeight`.
 */
export const retrievalScore = (symbolScore: number, fileScore: number, fileWeight: number): number =>
  (symbolScore + FILE_SCORE_SHARE * fileScore) * fileWeight

const FILE_SCORE_SHARE = 0.75

/**
 * Returns the weight of auxiliary files: tests, examples, documentation, and generated or vendored files
 * (`code/FileClass`). All other files weigh 1.
 */
export const auxiliaryWeight = (question: string): number => (asksForTests.test(question) ? 0.7 : 0.5)

const asksForTests = /\b(?:tests?|testing|specs?)\b/i

/** A symbol to be ranked. */
export interface Candidate {
  readonly id: number
  readonly file: number
  readonly kind: string
  /** True if it is a file with documentation of its own. */
  readonly isDocumented: boolean
  /** The number of other files that use it. */
  readonly usedBy: number
  /** The retrieval score and the weighted evidence. */
  readonly score: number
  readonly nameMatch: NameMatch | undefined
  /** The factor for the name of its file, see `FileName`. */
  readonly fileBoost: number
}

/**
 * How a question names a symbol:
 * - `exact`: the name is the whole question
 * - `alike`: it is, except for case, and another name is exact
 * - `identified`: the identifiers in the question name this symbol and no other
 * - `mentioned`: it is one of the identifiers in the question, which name several symbols. Such a question asks how
 *   they are related, and for none of them alone
 * - `guessed`: it is none of these, but an identifier that was guessed
 * - `worded`: its words are those of the question
 * - `covering`: its words include all of the question, and others
 */
export type NameMatch = "exact" | "alike" | "identified" | "mentioned" | "guessed" | "worded" | "covering"

/**
 * Returns whether the identifiers of a question name a single symbol. `named`: the symbols that have one of the names.
 */
export const isIdentified = (named: ReadonlyArray<{ readonly id: number; readonly kind: string }>): boolean =>
  new Set(named.map(({ id }) => id)).size === 1 && named.every(({ kind }) => !minorKinds.has(kind))

/**
 * Returns whether the callers of a symbol of this kind say what it is for. A type is used for what it holds, wherever
 * that is.
 */
export const isDescribedByCallers = (kind: string): boolean => calledKinds.has(kind)

const calledKinds: ReadonlySet<string> = new Set(["function", "method", "class"])

export interface Ranked {
  readonly id: number
  readonly score: number
}

/** The facts by which an answer is placed among those of other indexes. */
export interface Match {
  /** The score without the part that puts it before others for its name. */
  readonly score: number
  readonly kind: string
  readonly nameMatch: NameMatch | undefined
}

/**
 * Merges the answers of several indexes into one list, best first, with their final scores. The order is as if they
 * were ranked together, if their scores weigh words alike (`Corpus`). If scores are equal, the first index comes first.
 * O(n log n).
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
 * Returns the candidates with their final scores, best first. If scores are equal, the lower id comes first.
 * `unplaced`: the score of `Match`. O(n log n).
 */
export const rank = <A extends Candidate>(
  candidates: ReadonlyArray<A>,
): ReadonlyArray<A & { readonly unplaced: number }> => {
  const agreeing = countAgreeing(candidates)
  const scored = candidates
    .map((candidate) => {
      const { file, fileBoost, nameMatch, score, usedBy } = candidate
      const weight = (isMinor(candidate) ? MINOR_KIND_WEIGHT : 1) * nameBoost(nameMatch) * fileBoost
      const boost = usageBoost(usedBy, nameMatch) * agreementBoost(agreeing.get(file) ?? 1)
      return { ...candidate, score: score * weight * boost }
    })
    .sort(byScore)
  const highest = scored[0]?.score ?? 0
  return decayWithinFiles(scored)
    .map((each) => ({ ...each, score: placed(each, highest), unplaced: each.score }))
    .sort(byScore)
}

/**
 * The boost for use grows with the logarithm: 1.07 for a thousand files. It is 1.35 among symbols whose name is the
 * whole question, since nothing else in it tells the one that is meant from a private or an old one of the same name.
 */
const usageBoost = (usedBy: number, nameMatch: NameMatch | undefined): number =>
  1 + (isWholeName(nameMatch) ? 0.05 : 0.01) * Math.log1p(usedBy)

const isWholeName = (nameMatch: NameMatch | undefined): boolean => nameMatch === "exact" || nameMatch === "alike"

/**
 * Counts the candidates of each file that score at least half of its best one. If they are many, the file is about the
 * question, and not just one of its symbols.
 */
const countAgreeing = (candidates: ReadonlyArray<Candidate>): ReadonlyMap<number, number> => {
  const highest = new Map<number, number>()
  for (const { file, score } of candidates) highest.set(file, Math.max(score, highest.get(file) ?? 0))
  const counts = new Map<number, number>()
  for (const { file, score } of candidates) {
    if (score >= AGREEING_SHARE * (highest.get(file) ?? 0)) counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return counts
}

const AGREEING_SHARE = 0.5

/** The boost for agreement grows with the logarithm: 1.07 for two symbols of a file, 1.23 for ten. */
const agreementBoost = (symbols: number): number => 1 + 0.1 * Math.log(symbols)

/**
 * Returns the score that puts an answer before others for its name. An exact name comes first, then one like it, then
 * identified ones, then those in the words of the question, then all others. The differences are so small that the
 * others are not less relevant for it. Among exact and like names, those of functions and types come before those of
 * data.
 */
const placed = ({ kind, nameMatch, score }: Match, highest: number): number =>
  isWholeName(nameMatch)
    ? // No score is much less than another, so that all of them are shown.
      (4 - (nameMatch === "alike" ? 0.25 : 0) - (minorKinds.has(kind) ? 1 : 0)) * (highest + 1) + score / 5
    : nameMatch === "identified"
      ? score + highest + 1
      : nameMatch === "worded"
        ? highest + score / (highest + 1)
        : score

/** The kind of a file that is an answer itself, see `index/FileEntry`. */
const FILE_KIND = "file"

/**
 * Kinds whose names are mostly common words, and which have little text beyond the name; and files, which mostly only
 * export what answers the question.
 */
const minorKinds: ReadonlySet<string> = new Set(["field", "constant", "variable", FILE_KIND])
const MINOR_KIND_WEIGHT = 0.7

/** A file that says what it is for answers as a symbol does. */
const isMinor = ({ isDocumented, kind }: Candidate): boolean => minorKinds.has(kind) && !isDocumented

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
    // Each such symbol answers all words of the question, and does not just come along with its file.
    const hasAll = candidate.nameMatch === "worded" || candidate.nameMatch === "covering"
    const earlier = hasAll ? Math.min(before, 1) : before
    seen.set(candidate.file, before + 1)
    return { ...candidate, score: candidate.score * FILE_DECAY ** earlier }
  })
}

const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || one.id - other.id
