/** Searches for symbols: turns the text of a question into ranked symbols. See README.md in this folder. */
import type { Statements } from "../disk/Sqlite.ts"
import * as Bm25 from "./Bm25.ts"
import * as Candidates from "./Candidates.ts"
import * as Corpus from "./Corpus.ts"
import * as DocumentTable from "./DocumentTable.ts"
import * as Feedback from "./Feedback.ts"
import * as FileName from "./FileName.ts"
import * as PostingCache from "./PostingCache.ts"
import * as Question from "./Question.ts"
import * as Ranking from "./Ranking.ts"
import * as Retrieval from "./Retrieval.ts"
import * as Similarity from "./Similarity.ts"
import * as Tokenizer from "./Tokenizer.ts"

/**
 * The number of files that are also scored by their names, and how many of them go into the second stage of retrieval.
 */
const FILES_SCORED = 100
const FILES_RETRIEVED = 60

/** The number of symbols of these files that go into the ranking. */
const SYMBOLS_RETRIEVED = 120

/**
 * The most postings that a search reads for the question, and again for the feedback. This bounds its time whatever the
 * size of the index. The questions of the retrieval benchmark need fewer, on indexes of up to 25,000 symbols.
 */
const MAX_POSTINGS = 60_000

/**
 * The limit for a search in a part of the files. Its answers may have only words that are common in the whole index.
 */
const MAX_POSTINGS_WITHIN = 600_000

/** The most identifiers, which is more than anyone guesses. It bounds the work for a pasted text. */
export const MAX_IDENTIFIERS = 64
const MAX_IDENTIFIER_CHARS = 10_000

export interface Options {
  /** The most answers. */
  readonly limit: number
  /** Identifiers that the code may use. If they are more than `MAX_IDENTIFIERS`, the first ones are used. */
  readonly also?: ReadonlyArray<string> | undefined
  /** The files, by number, to which answers are restricted. `symbols` must have the names of only these files. */
  readonly within?: ReadonlySet<number> | undefined
  /** The symbols nearest to the question by their vectors; undefined if there are no vectors. */
  readonly similar?: ReadonlyArray<Similarity.Similar> | undefined
  /**
   * The counts by which words are weighed, if the answers go into one list with those of other indexes; by default
   * those of this index.
   */
  readonly corpus?: Corpus.Corpus | undefined
}

export interface Answer extends Ranking.Ranked {
  readonly match: Ranking.Match
}

/** Counts the words of a question in an index, see `Corpus`. */
export const corpus = (sql: Statements, text: string, also: ReadonlyArray<string> = []): Corpus.Corpus => {
  const { count, documents, read } = PostingCache.of(sql)
  const { files, symbols } = documents
  const question = Question.parse(text)
  const terms = new Map<string, Corpus.Frequency>()
  const ofQuestion = Question.searchedTerms(question, (term) => count(term) > 0)
  for (const asked of [ofQuestion, Question.guessedTerms(question, identifiersOf(also))]) {
    const isRead = new Set(selectRarest(count, asked, MAX_POSTINGS).map(({ term }) => term))
    for (const { term } of asked) {
      const postings = count(term)
      if (isRead.has(term)) terms.set(term, Retrieval.frequencyOf(read(term)))
      // The term is so common that its lists are not read. Then the exact count makes no difference.
      else if (postings > 0) terms.set(term, { files: Math.min(files, postings), symbols: Math.min(symbols, postings) })
    }
  }
  return { files, symbols, terms }
}

const identifiersOf = (also: ReadonlyArray<string>): ReadonlyArray<string> =>
  Tokenizer.names(also.join("\n").slice(0, MAX_IDENTIFIER_CHARS)).slice(0, MAX_IDENTIFIERS)

/** The best symbols, best first. */
export const search = (
  sql: Statements,
  symbols: Candidates.SymbolTable,
  typed: string,
  { also = [], corpus, limit, similar = [], within }: Options,
): ReadonlyArray<Answer> => {
  const text = Question.beginningOf(typed)
  const { count, documents, read } = PostingCache.of(sql)
  const maxPostings = within === undefined ? MAX_POSTINGS : MAX_POSTINGS_WITHIN
  const readLists = (terms: ReadonlyArray<Question.WeightedTerm>): ReadonlyArray<Retrieval.Term> => {
    const own = selectRarest(count, terms, maxPostings).map(({ term, weight }) => {
      const lists = read(term)
      const frequency = corpus?.terms.get(term)
      const idf =
        corpus === undefined || frequency === undefined
          ? Corpus.idf(documents, Retrieval.frequencyOf(lists))
          : Corpus.idf(corpus, frequency)
      return { term, weight, lists, idf }
    })
    // Terms that only other indexes have: the more they weigh, the less of the question is answered here.
    const others = terms.flatMap(({ term, weight }) => {
      const frequency = count(term) === 0 ? corpus?.terms.get(term) : undefined
      return corpus === undefined || frequency === undefined
        ? []
        : [{ term, weight, lists: [], idf: Corpus.idf(corpus, frequency) }]
    })
    return [...own, ...others]
  }
  const question = Question.parse(text)
  const identifiers = identifiersOf(also)
  const isKnown = (term: string) => count(term) > 0 || corpus?.terms.has(term) === true
  // The guesses have a budget of their own: they must not displace words of the question.
  const terms = [
    ...readLists(Question.searchedTerms(question, isKnown)),
    ...readLists(Question.guessedTerms(question, identifiers)),
  ]
  const weights = new Map(terms.map(({ idf, term, weight }) => [term, weight * idf.symbol]))

  const auxiliaryWeight = Ranking.auxiliaryWeight(text)
  const weightOfFile = (file: number) =>
    DocumentTable.isAuxiliary(DocumentTable.entry(documents, file)) ? auxiliaryWeight : 1
  const fileScores = Retrieval.scoreFiles(documents, terms)
  const near = similar.length === 0 ? undefined : Similarity.of(similar, within)
  const byWords = Retrieval.topFiles(documents, fileScores, { auxiliaryWeight, limit: FILES_SCORED, within })
  const ofFile = (file: number) => ({ file, score: Retrieval.fileScore(fileScores, file), weight: weightOfFile(file) })
  const top = near === undefined ? byWords : [...byWords, ...Similarity.filesBeside(near, byWords, ofFile)]
  // If no purpose has a word of the question, it makes no difference which symbols have a purpose.
  const explained = fileScores.ofPurposes.size === 0 ? noneExplained : symbols.explained(top.map(({ file }) => file))
  const complete = Retrieval.completeFiles(documents, fileScores, top, explained)
  const found = near === undefined ? complete : Similarity.addToFiles(near, complete)
  const paths = symbols.paths(found.map(({ file }) => file))
  // Symbols that the question names may be in files without any of its other words.
  const pathOf = (file: number) => paths.get(file) ?? symbols.paths([file]).get(file) ?? ""
  const fileNames = FileName.reader(text, weights, pathOf)
  const named = addFileNames(fileNames, found)
  const files =
    near === undefined ? named.slice(0, FILES_RETRIEVED) : Similarity.keepFiles(near, named, FILES_RETRIEVED)
  const scores = Retrieval.symbolScores(documents, files, explained)
  scores.add(terms)
  if (near !== undefined) scores.addSimilar(near.symbols, Similarity.SYMBOLS_ALWAYS)

  const completed = new Map(found.map(({ file, score }) => [file, score]))
  const scoreOfFile = (file: number) =>
    Ranking.retrievalScore(0, completed.get(file) ?? Retrieval.fileScore(fileScores, file), weightOfFile(file))
  const candidates = Candidates.reader(
    symbols,
    { text, identifiers, question, terms, weights, scores, scoreOfFile, weightOfFile, boostOfFile: fileNames.boost },
    SYMBOLS_RETRIEVED,
  )
  const answers = Ranking.rank(candidates()).map(({ row, score }) => ({ ...row, score }))
  const idf = (term: string) => Bm25.idf(documents.symbols + documents.files, count(term))
  scores.add(readLists(Feedback.terms(terms, answers, idf)))
  return Ranking.rank(candidates())
    .slice(0, limit)
    .map(({ id, kind, nameMatch, score, unplaced }) => ({
      id,
      score,
      // The score of an answer that its name does not put first may have been lowered since.
      match: { kind, nameMatch, score: nameMatch === undefined ? score : unplaced },
    }))
}

const noneExplained: Retrieval.Explained = new Map()

/** Adds what their names say to the scores of files. Returns them best first. */
const addFileNames = (
  fileNames: FileName.FileNames,
  files: ReadonlyArray<Retrieval.ScoredFile>,
): ReadonlyArray<Retrieval.ScoredFile> =>
  files
    .map((each) => ({ ...each, score: each.score + Ranking.FILE_NAME_WEIGHT * fileNames.cover(each.file) }))
    .sort((one, other) => other.score * other.weight - one.score * one.weight)

/**
 * Selects the rarest terms, which distinguish most, as far as the budget of postings goes. The rarest of all is always
 * among them.
 */
const selectRarest = (
  countOf: PostingCache.PostingCache["count"],
  terms: ReadonlyArray<Question.WeightedTerm>,
  maxPostings: number,
): ReadonlyArray<Question.WeightedTerm> => {
  let left = maxPostings
  return terms
    .map((each) => ({ ...each, count: countOf(each.term) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.count - other.count)
    .filter(({ count }, position) => {
      left -= count
      return position === 0 || left >= 0
    })
}
