/**
 * Retrieves in two stages from posting lists: first the best files, then the best symbols of only these files. So the
 * second stage scores a few hundred symbols and not all of an index. Pure; O(postings of the terms + files).
 */
import * as Bm25 from "./Bm25.ts"
import type * as Corpus from "./Corpus.ts"
import { NEW_WORD_WEIGHT, PURPOSE_WEIGHT } from "./Documents.ts"
import * as DocumentTable from "./DocumentTable.ts"
import * as Posting from "./Posting.ts"
import { FILES, type PostingList, PURPOSES, SYMBOLS } from "./PostingLists.ts"
import type { WeightedTerm } from "./Question.ts"
import { retrievalScore } from "./Ranking.ts"
import * as TopK from "./TopK.ts"
import * as Unexplained from "./Unexplained.ts"

/** A term to search for. */
export interface Term extends WeightedTerm {
  /** All its posting lists. */
  readonly lists: TermLists
  readonly idf: Corpus.Idf
}

type TermLists = ReadonlyArray<PostingList>

/** The scores of all files, by their numbers. */
interface FileScores {
  /** The scores of their paths and texts; 0 if no term occurs. */
  readonly own: Float32Array
  /** The scores of the purposes of their symbols; only for files with a term in one of them. */
  readonly ofPurposes: ReadonlyMap<number, number>
}

export const scoreFiles = (documents: DocumentTable.DocumentTable, terms: ReadonlyArray<Term>): FileScores => {
  const own = new Float32Array(documents.entries.length)
  const ofPurposes = new Map<number, number>()
  for (const { idf, lists, weight: termWeight } of terms) {
    const purposes = highestImpacts(lists.filter(({ collection }) => collection === PURPOSES))
    const weight = (termWeight * idf.file) / Posting.MAX_IMPACT
    for (const { block, collection, postings } of lists) {
      if (collection === FILES) Bm25.addPostings(ofBlock(own, block), everyFile, postings, weight)
    }
    for (const [file, impact] of purposes) {
      ofPurposes.set(file, (ofPurposes.get(file) ?? 0) + weightOfPurposes(lists) * weight * impact)
    }
  }
  return { own, ofPurposes }
}

/** Returns the score of a file from its text and its purposes. */
export const fileScore = ({ ofPurposes, own }: FileScores, file: number): number =>
  (own[file] ?? 0) + (ofPurposes.get(file) ?? 0)

export interface ScoredFile {
  readonly file: number
  readonly score: number
  /** 1, or the weight of an auxiliary file. */
  readonly weight: number
}

interface FileLimits {
  readonly limit: number
  /** The weight of auxiliary files. */
  readonly auxiliaryWeight: number
  /** The files to which the search is restricted; undefined if it is not. */
  readonly within: ReadonlySet<number> | undefined
}

/** The best files. */
export const topFiles = (
  documents: DocumentTable.DocumentTable,
  fileScores: FileScores,
  { auxiliaryWeight, limit, within }: FileLimits,
): ReadonlyArray<ScoredFile> => {
  const scores = fileScores.ofPurposes.size === 0 ? fileScores.own : fileScores.own.slice()
  if (scores !== fileScores.own)
    for (const file of fileScores.ofPurposes.keys()) scores[file] = fileScore(fileScores, file)
  const weightOf = (entry: number) =>
    DocumentTable.isLive(entry) ? (DocumentTable.isAuxiliary(entry) ? auxiliaryWeight : 1) : 0
  const top = TopK.make(limit)
  let least = 0
  for (let file = 0; file < scores.length; file++) {
    const score = scores[file] ?? 0
    // No weight is above 1, so most files are passed over here.
    if (score <= least || within?.has(file) === false) continue
    least = top.offer(file, score * weightOf(documents.entries[file] ?? 0))
  }
  return top.sorted().map(({ position: file }) => ({
    file,
    score: scores[file] ?? 0,
    weight: weightOf(DocumentTable.entry(documents, file)),
  }))
}

/** Returns the same files with what purposes would add to unexplained symbols, see `Unexplained`. */
export const completeFiles = (
  documents: DocumentTable.DocumentTable,
  scores: FileScores,
  files: ReadonlyArray<ScoredFile>,
  explained: Explained,
): ReadonlyArray<ScoredFile> => {
  if (explained.size === 0) return files
  const scored = files.map(({ file }) => ({
    own: scores.own[file] ?? 0,
    ofPurpose: scores.ofPurposes.get(file) ?? 0,
    explained: Unexplained.shareOfFile(
      explained.get(file)?.length ?? 0,
      DocumentTable.symbolCount(DocumentTable.entry(documents, file)),
    ),
  }))
  const gain = Unexplained.averageGain(scored)
  return files.map((file, position) => {
    const known = scored[position]
    return known === undefined ? file : { ...file, score: Unexplained.score(known, gain) }
  })
}

/** The numbers of the symbols that models have explained, by the number of their file. */
export type Explained = ReadonlyMap<number, ReadonlyArray<number>>

interface ScoredSymbol extends Position {
  /** See `Ranking`. */
  readonly retrievalScore: number
}

/** The scores of the symbols of some files. */
export interface SymbolScores {
  /** Adds the scores of further terms. */
  readonly add: (terms: ReadonlyArray<Term>) => void
  /**
   * Adds scores that do not come from terms. The first `always` of these symbols are among the best whatever they
   * score.
   */
  readonly addSimilar: (symbols: ReadonlyArray<Position & { readonly score: number }>, always: number) => void
  /** Returns the `limit` best symbols among those in which any term occurs, and the first of a file if none has any. */
  readonly top: (limit: number) => ReadonlyArray<ScoredSymbol>
  /** Returns the impacts of a term in the sources of these symbols, in their order; 0 if it does not occur. */
  readonly impacts: (lists: TermLists, symbols: ReadonlyArray<Position>) => Uint8Array
}

/** The position of a symbol in the index. */
export interface Position {
  /** The number that `PostingLists.Writer.add` has returned. */
  readonly file: number
  /** The number of the symbol in its file, in the order in which it was added. */
  readonly symbol: number
}

export const symbolScores = (
  documents: DocumentTable.DocumentTable,
  files: ReadonlyArray<ScoredFile>,
  explained: Explained,
): SymbolScores => {
  const { firstSymbols, size } = numberSymbols(documents, files)
  const own = new Float32Array(size)
  const ofPurposes = new Float32Array(size)
  const isExplained = new Uint8Array(size)
  for (const [file, symbols] of explained) {
    const first = firstSymbols[file] ?? -1
    if (first >= 0) for (const symbol of symbols) isExplained[first + symbol] = 1
  }
  const scored = (at: number): Unexplained.Scored => ({
    own: own[at] ?? 0,
    ofPurpose: ofPurposes[at] ?? 0,
    explained: isExplained[at] ?? 0,
  })
  /**
   * Averages over the best `limit` symbols of the code. Tests do not count: how well they are explained says nothing
   * about the code.
   */
  const averageGain = (limit: number): number => {
    if (explained.size === 0) return 0
    const best = TopK.make(limit)
    for (const { file, weight } of files) {
      const first = firstSymbols[file] ?? 0
      const end = first + DocumentTable.symbolCount(DocumentTable.entry(documents, file))
      if (weight === 1) for (let at = first; at < end; at++) if ((own[at] ?? 0) > 0) best.offer(at, own[at] ?? 0)
    }
    return Unexplained.averageGain(best.sorted().map(({ position }) => scored(position)))
  }
  const ofSimilar = new Map<number, number>()
  const always = new Set<number>()
  return {
    addSimilar: (symbols, count) => {
      symbols.forEach(({ file, score, symbol }, at) => {
        const first = firstSymbols[file] ?? -1
        if (first < 0) return
        ofSimilar.set(first + symbol, score)
        if (at < count) always.add(first + symbol)
      })
    },
    add: (terms) => {
      for (const { idf, lists, weight: termWeight } of terms) {
        const weight = (termWeight * idf.symbol) / Posting.MAX_IMPACT
        for (const { block, collection, postings } of lists) {
          if (collection === FILES) continue
          const [scores, ofCollection] =
            collection === PURPOSES ? [ofPurposes, weightOfPurposes(lists) * weight] : [own, weight]
          Bm25.addPostings(scores, ofBlock(firstSymbols, block), postings, ofCollection)
        }
      }
    },
    top: (limit) => {
      const gain = averageGain(limit)
      const top = TopK.make(limit)
      const fileOf = new Int32Array(size)
      const others = new Map<number, number>()
      for (const { file, score: fileScore, weight } of files) {
        const first = firstSymbols[file] ?? 0
        const count = DocumentTable.symbolCount(DocumentTable.entry(documents, file))
        let isAnyFound = false
        for (let at = first; at < first + count; at++) {
          const score = Unexplained.score(scored(at), gain) + (ofSimilar.get(at) ?? 0)
          if (score > 0) {
            isAnyFound = true
            top.offer(at, retrievalScore(score, fileScore, weight))
          }
          if (always.has(at)) others.set(at, retrievalScore(score, fileScore, weight))
          fileOf[at] = file
        }
        // Its path or the text outside of its symbols has a word of the question, and the first symbol stands for it.
        if (!isAnyFound && count > 0) top.offer(first, retrievalScore(0, fileScore, weight))
      }
      const best = top.sorted()
      for (const { position } of best) others.delete(position)
      const all = [...best, ...Array.from(others, ([position, value]) => ({ position, value }))]
      return all.map(({ position: at, value }) => {
        const file = fileOf[at] ?? 0
        return { file, symbol: at - (firstSymbols[file] ?? 0), retrievalScore: value }
      })
    },
    impacts: (lists, symbols) => {
      const ofAll = new Uint8Array(size)
      for (const { block, collection, postings } of lists) {
        if (collection === SYMBOLS) copyImpacts(ofAll, ofBlock(firstSymbols, block), postings)
      }
      return Uint8Array.from(symbols, ({ file, symbol }) => {
        const first = firstSymbols[file] ?? -1
        return first < 0 ? 0 : (ofAll[first + symbol] ?? 0)
      })
    },
  }
}

const copyImpacts = (impacts: Uint8Array, firstSymbols: Int32Array, postings: Int32Array): void => {
  for (const posting of postings) {
    const first = firstSymbols[Posting.fileInBlock(posting)] ?? -1
    if (first >= 0) impacts[first + Posting.symbol(posting)] = Posting.impact(posting)
  }
}

const weightOfPurposes = (lists: TermLists): number =>
  lists.some(({ collection }) => collection === SYMBOLS) ? PURPOSE_WEIGHT : NEW_WORD_WEIGHT

/** Counts the files and symbols of an index in which a term occurs, in their text or in a purpose. */
export const frequencyOf = (lists: TermLists): Corpus.Frequency => ({
  files: Math.max(
    documentFrequency(lists, FILES),
    highestImpacts(lists.filter(({ collection }) => collection === PURPOSES)).size,
  ),
  symbols: Math.max(documentFrequency(lists, SYMBOLS), documentFrequency(lists, PURPOSES)),
})

/** Numbers the symbols of these files, one file after the other. `firstSymbols`: by file; -1 for all other files. */
const numberSymbols = (documents: DocumentTable.DocumentTable, files: ReadonlyArray<ScoredFile>) => {
  const firstSymbols = new Int32Array(documents.entries.length).fill(-1)
  let size = 0
  for (const { file } of files) {
    firstSymbols[file] = size
    size += DocumentTable.symbolCount(DocumentTable.entry(documents, file))
  }
  return { firstSymbols, size }
}

/** Each file of a block is its own document. */
const everyFile = Int32Array.from({ length: Posting.FILES_PER_BLOCK }, (_, file) => file)

const ofBlock = <A>(byFile: { readonly subarray: (start: number, end: number) => A }, block: number): A =>
  byFile.subarray(block * Posting.FILES_PER_BLOCK, (block + 1) * Posting.FILES_PER_BLOCK)

/** Counts the documents of a collection in which a term occurs, including removed ones. */
const documentFrequency = (lists: TermLists, collection: number): number =>
  lists.reduce((sum, list) => (list.collection === collection ? sum + list.postings.length : sum), 0)

/**
 * Returns, for each file, the highest impact of a term in the purposes of its symbols. A sum would favour files with
 * many purposes.
 */
const highestImpacts = (lists: TermLists): ReadonlyMap<number, number> => {
  const highest = new Map<number, number>()
  for (const { block, postings } of lists) {
    for (const posting of postings) {
      const file = block * Posting.FILES_PER_BLOCK + Posting.fileInBlock(posting)
      highest.set(file, Math.max(highest.get(file) ?? 0, Posting.impact(posting)))
    }
  }
  return highest
}
