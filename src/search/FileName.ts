/**
 * Measures what the name of a file says about a question. People ask for "the retry policy", and the code keeps it in
 * `retryPolicy.ts`. Pure.
 */
import * as NameEvidence from "./NameEvidence.ts"
import { fileNameBoost } from "./Ranking.ts"
import * as Tokenizer from "./Tokenizer.ts"

/**
 * Returns the name of a file, without its folders and its extension. A file that languages load for its folder has the
 * name of the folder: `extract` for `src/extract/mod.rs`.
 */
export const of = (path: string): string => {
  const [file = "", folder = ""] = path.split("/").reverse()
  const name = file.replace(/\.[^.]*$/, "")
  return folder !== "" && indexNames.has(name) ? folder : name
}

/** The names of files that stand for their folder, in lower case, in the languages that have them. */
const indexNames: ReadonlySet<string> = new Set(["index", "mod", "__init__", "init", "lib", "main"])

export interface FileNames {
  /** Returns the weight of the words that the name shares with the question, see `NameEvidence.cover`. */
  readonly cover: (file: number) => number
  /**
   * Returns the factor of all symbols of a file: above 1 if the question has all words of its name, the more the larger
   * their share of the question is. In a long question the words of some names occur by chance.
   */
  readonly boost: (file: number) => number
}

/** `pathOf`: returns the path of a file by its number. */
export const reader = (weights: NameEvidence.TermWeights, pathOf: (file: number) => string): FileNames => {
  const ofQuestion = Array.from(weights.values()).reduce((sum, weight) => sum + weight, 0)
  const boosts = new Map<number, number>()
  const boostOf = (file: number): number => {
    const terms = Array.from(new Set(Tokenizer.partTerms(of(pathOf(file)))), (term) => weights.get(term))
    if (ofQuestion === 0 || terms.length === 0 || terms.includes(undefined)) return 1
    return fileNameBoost(terms.reduce((sum: number, weight = 0) => sum + weight, 0) / ofQuestion)
  }
  return {
    cover: (file) => NameEvidence.cover(weights, of(pathOf(file))),
    boost: (file) => {
      const boost = boosts.get(file) ?? boostOf(file)
      boosts.set(file, boost)
      return boost
    },
  }
}
