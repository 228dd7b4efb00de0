/**
 * Counts documents, and in how many of them a word occurs: BM25 weighs words by this. A search in one index counts its
 * own documents. If the answers of several indexes go into one list, each search counts the documents of all. Otherwise
 * a word that is rare in one index would weigh more there, and scores could not be compared. Pure.
 */
import * as Bm25 from "./Bm25.ts"

/** The number of files and of symbols in which a word occurs. */
export interface Frequency {
  readonly files: number
  readonly symbols: number
}

export interface Corpus extends Frequency {
  /** The frequencies of the words of one question, for those that occur. */
  readonly terms: ReadonlyMap<string, Frequency>
}

/** The inverse document frequencies of a word. */
export interface Idf {
  readonly file: number
  readonly symbol: number
}

export const idf = (all: Frequency, ofTerm: Frequency): Idf => ({
  file: Bm25.idf(all.files, ofTerm.files),
  symbol: Bm25.idf(all.symbols, ofTerm.symbols),
})

/** Adds up several collections of documents. */
export const sum = (corpora: ReadonlyArray<Corpus>): Corpus => {
  const terms = new Map<string, Frequency>()
  for (const corpus of corpora) {
    for (const [term, frequency] of corpus.terms) terms.set(term, add(terms.get(term) ?? none, frequency))
  }
  return { ...corpora.reduce<Frequency>(add, none), terms }
}

const none: Frequency = { files: 0, symbols: 0 }

const add = (one: Frequency, other: Frequency): Frequency => ({
  files: one.files + other.files,
  symbols: one.symbols + other.symbols,
})
