/**
 * Scores symbols and files by vectors, as one more term of the sum. A symbol scores by how near its vector is to that
 * of the question, and a file by its nearest symbol. The caller computes the vectors. Pure.
 */
import { SIMILARITY_WEIGHT } from "./Ranking.ts"
import type { Position, ScoredFile } from "./Retrieval.ts"

/** A symbol near the question. */
export interface Similar extends Position {
  /** The cosine of its vector and that of the question. */
  readonly similarity: number
}

/** The scores that vectors add. */
export interface Similarity {
  /** The symbols with a score above 0, the nearest first. */
  readonly symbols: ReadonlyArray<Position & { readonly score: number }>
  /** The scores of files by their number, in the order of their nearest symbols. */
  readonly files: ReadonlyMap<number, number>
}

/** The number of the nearest files that are retrieved whatever words they have. */
const FILES_ALWAYS = 10

/** The number of the nearest symbols that are ranked whatever words they have. */
export const SYMBOLS_ALWAYS = 20

/**
 * A score is the weight times how far a cosine is above the least of all. The cosines of a model may begin at .1 or at
 * .6, and those of symbols that are not given are unknown. `within`: the files of the search, if it is restricted.
 */
export const of = (similar: ReadonlyArray<Similar>, within: ReadonlySet<number> | undefined): Similarity => {
  const least = similar.reduce((least, { similarity }) => Math.min(least, similarity), Number.POSITIVE_INFINITY)
  const symbols = similar
    .filter(({ file, similarity }) => similarity > least && (within?.has(file) ?? true))
    .map(({ file, similarity, symbol }) => ({ file, symbol, score: SIMILARITY_WEIGHT * (similarity - least) }))
    .sort((one, other) => other.score - one.score || one.file - other.file || one.symbol - other.symbol)
  const files = new Map<number, number>()
  for (const { file, score } of symbols) if (!files.has(file)) files.set(file, score)
  return { symbols, files }
}

/**
 * Returns the nearest files that are not among the found ones. `describe`: returns what the words of a file are worth.
 */
export const filesBeside = (
  { files }: Similarity,
  found: ReadonlyArray<ScoredFile>,
  describe: (file: number) => ScoredFile,
): ReadonlyArray<ScoredFile> => {
  const known = new Set(found.map(({ file }) => file))
  return Array.from(files.keys())
    .filter((file) => !known.has(file))
    .map(describe)
}

/** Adds to each file the score of its nearest symbol. */
export const addToFiles = ({ files }: Similarity, found: ReadonlyArray<ScoredFile>): ReadonlyArray<ScoredFile> =>
  found.map((each) => ({ ...each, score: each.score + (files.get(each.file) ?? 0) }))

/** Keeps the first `limit` files, and the nearest ones wherever they stand. */
export const keepFiles = (
  { files }: Similarity,
  sorted: ReadonlyArray<ScoredFile>,
  limit: number,
): ReadonlyArray<ScoredFile> => {
  const nearest = new Set(Array.from(files.keys()).slice(0, FILES_ALWAYS))
  return sorted.filter(({ file }, at) => at < limit || nearest.has(file))
}
