/** Which terms a file and its symbols are found by, and how much each tells. Pure. */
import type { CodeSymbol } from "../../../code/Symbols.ts"
import type { Shares } from "./Apportion.ts"
import { MAX_IMPACT } from "./Posting.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** How much terms tell: 1 to `MAX_IMPACT`, their part in a BM25 score before the weight of the term itself. */
export interface Impacts {
  /** By their numbers in the vocabulary, each once. */
  readonly terms: ReadonlyArray<number>
  /** In the same order. */
  readonly impacts: ReadonlyArray<number>
}

export interface Source {
  readonly path: string
  readonly symbols: ReadonlyArray<Pick<CodeSymbol, "name" | "container" | "doc" | "signature">>
  /** Of the text, among the symbols. */
  readonly shares: Shares
}

export interface Told {
  readonly file: Impacts
  /** In the order of the symbols. */
  readonly symbols: ReadonlyArray<Impacts>
}

/** Tells what sources tell, one after the other, in the numbers of that vocabulary. */
export const teller = (vocabulary: Vocabulary.Vocabulary): ((source: Source) => Told) => {
  const [file, symbol] = [tally(vocabulary), tally(vocabulary)]
  return ({ path, shares: { outside, own }, symbols }) => {
    file.add(path, 3)
    file.add(outside, 1)
    const told = symbols.map(({ container = "", doc = "", name, signature }, position) => {
      symbol.add(own[position] ?? "", 1)
      file.addAll(symbol)
      symbol.add(name, 3)
      symbol.add(container, 2)
      symbol.add(doc, 1)
      symbol.add(signature, 1)
      return symbol.take(USUAL_SYMBOL)
    })
    return { file: file.take(USUAL_FILE), symbols: told }
  }
}

/** What a model wrote of a symbol is a document of its own, beside the symbol's source. By term. */
export const ofPurpose = (text: string): ReadonlyMap<string, number> => {
  const vocabulary = Vocabulary.make()
  const purpose = tally(vocabulary)
  purpose.add(text, 1)
  const { impacts, terms } = purpose.take(USUAL_SYMBOL)
  return new Map(terms.map((term, position) => [vocabulary.term(term), impacts[position] ?? 0]))
}

/** Lengths, in occurrences, of what is neither long nor short. */
const USUAL_SYMBOL = 80
const USUAL_FILE = 1200

/** How soon more occurrences of a term tell nothing new, and how much length counts against it: the K1 and B of BM25. */
const SATURATION = 1.2
const NORMALISATION = 0.5

/** Occurrences by term; those in a telling place count several times. */
interface Tally {
  readonly add: (text: string, weight: number) => void
  readonly addAll: (other: Tally) => void
  readonly each: (visit: (term: number, count: number) => void) => void
  /** What was counted, and begins anew. */
  readonly take: (usual: number) => Impacts
}

const tally = (vocabulary: Vocabulary.Vocabulary): Tally => {
  // By number, and 0 but for `terms`: no table of hashes is as fast, and this is done for every word of every file.
  let counts = new Uint32Array(1024)
  let terms: Array<number> = []
  let length = 0
  const count = (term: number, times: number) => {
    if (term >= counts.length) {
      const longer = new Uint32Array(2 * (term + 1))
      longer.set(counts)
      counts = longer
    }
    const before = counts[term] ?? 0
    if (before === 0) terms.push(term)
    counts[term] = before + times
    length += times
  }
  return {
    add: (text, weight) => {
      vocabulary.read(text, (term) => {
        count(term, weight)
      })
    },
    addAll: (other) => other.each(count),
    each: (visit) => {
      for (const term of terms) visit(term, counts[term] ?? 0)
    },
    take: (usual) => {
      const damping = SATURATION * (1 - NORMALISATION + (NORMALISATION * length) / usual)
      const told = terms
      const impacts = told.map((term) => {
        const count = counts[term] ?? 0
        counts[term] = 0
        return Math.max(1, Math.round((MAX_IMPACT * count) / (count + damping)))
      })
      terms = []
      length = 0
      return { terms: told, impacts }
    },
  }
}
