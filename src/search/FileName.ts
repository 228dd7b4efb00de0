/**
 * Measures what the name of a file says about a question. People ask for "the retry policy", and the code keeps it in
 * `retryPolicy.ts`. Pure.
 */
import * as NameEvidence from "./NameEvidence.ts"
import { CAPITALIZED_NAME_BOOST, fileNameBoost, partialNameBoost } from "./Ranking.ts"
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

/** Returns the name of the folder that a file is in; empty at the top. */
const folderOf = (path: string): string => path.split("/").at(-2) ?? ""

/** The names of files that stand for their folder, in lower case, in the languages that have them. */
const indexNames: ReadonlySet<string> = new Set(["index", "mod", "__init__", "init", "lib", "main"])

export interface FileNames {
  /** Returns the weight of the words that the name shares with the question, see `NameEvidence.cover`. */
  readonly cover: (file: number) => number
  /**
   * Returns the factor of all symbols of a file: 1 unless the question has words of its name. It is a product of up to
   * three factors of `Ranking`. The first is for some words of the name, in a short question. The second is for all of
   * them, the more the larger their share of the question is, with half of the words of its folder: in a long question
   * the words of some names occur by chance. The third is for the name with a capital letter.
   */
  readonly boost: (file: number) => number
}

/** `weights`: those of the terms of the question. `pathOf`: returns the path of a file by its number. */
export const reader = (
  text: string,
  weights: NameEvidence.TermWeights,
  pathOf: (file: number) => string,
): FileNames => {
  const words = new Set(Tokenizer.partTerms(text)).size
  const capitalized = new Set(Tokenizer.splitRuns(text).filter(isCapitalized).map(plain))
  const ofQuestion = sum(Array.from(weights.values()))
  const weightOf = wordReader(weights)
  const boosts = new Map<number, number>()
  const boostOf = (file: number): number => {
    const path = pathOf(file)
    const name = of(path)
    const terms = new Set(Tokenizer.partTerms(name))
    const ofTerms = Array.from(terms, weightOf)
    if (ofQuestion === 0 || terms.size === 0) return 1
    const covered = ofTerms.filter((weight) => weight > 0).length / terms.size
    const boost = partialNameBoost(covered, words) * (capitalized.has(plain(name)) ? CAPITALIZED_NAME_BOOST : 1)
    if (covered < 1) return boost
    const folder = new Set(Tokenizer.partTerms(folderOf(path)).filter((term) => !terms.has(term)))
    const ofFolder = Array.from(folder, weightOf)
    return boost * fileNameBoost((sum(ofTerms) + FOLDER_SHARE * sum(ofFolder)) / ofQuestion)
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

/** Returns whether a word is written as names of types are. A single letter is not. */
const isCapitalized = (run: string): boolean =>
  (Tokenizer.isBeyondAscii(run) ? /^\p{Lu}[\p{L}\p{N}]/u : /^[A-Z][A-Za-z0-9]/).test(run)

/** Returns a name as those are compared that may be written in several ways: `show_errors` and `ShowErrors`. */
const plain = (name: string): string =>
  name.replace(Tokenizer.isBeyondAscii(name) ? /[^\p{L}\p{N}]/gu : /[^A-Za-z0-9]/g, "").toLowerCase()

/** How much a word of the folder counts beside one of the name. */
const FOLDER_SHARE = 0.5

/**
 * Returns a function that returns the weight of a word of a name; 0 if the question does not have it. Names of files
 * shorten words, and have others of their forms than a stemmer unites: `utils.go` is about utilities, and `config.py`
 * about configuration. So a word also has the weight of one that begins with it, or with which it begins.
 */
const wordReader = (weights: NameEvidence.TermWeights): ((word: string) => number) => {
  const asked = Array.from(weights).filter(([term]) => isLongEnough(term))
  return (word) => {
    const weight = weights.get(word)
    if (weight !== undefined || !isLongEnough(word)) return weight ?? 0
    const related = asked.filter(([term]) => term.startsWith(word) || word.startsWith(term))
    return Math.max(0, ...related.map(([, weight]) => weight))
  }
}

/** Returns whether other words that begin with a word are mostly forms of it. */
const isLongEnough = (word: string): boolean => /^[a-z]{4,}$/.test(word)

const sum = (weights: ReadonlyArray<number>): number => weights.reduce((sum, weight) => sum + weight, 0)
