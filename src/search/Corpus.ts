/**
 * What BM25 weighs words by: how many documents there are, and in how many of them a word occurs. A search in one index counts its own
 * documents. Where the answers of several indexes go into one list, each counts those of all together: else a word that is
 * rare in one of them would weigh more there, and the scores of two indexes would not be comparable. Pure.
 */
import * as Bm25 from "./Bm25.ts"

/** In how many documents a word occurs. */
export interface Frequency {
  readonly files: number
  readonly symbols: number
}

export interface Corpus extends Frequency {
  /** Of the words of one question, those that occur. */
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

/** Several collections of documents as one. */
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
