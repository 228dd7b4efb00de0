/**
 * Turns a source file into documents: one for the file, one for each symbol, and one for each purpose that a model
 * wrote. Defines their fields and weights, and computes the impacts of their terms.
 */
import type { CodeSymbol } from "../code/Symbols.ts"
import * as Bm25 from "./Bm25.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** How many occurrences one in a field counts as. */
const FIELD_WEIGHTS = { path: 3, name: 3, container: 2, doc: 1, signature: 1, text: 1 }

/**
 * The weight of the purpose of a symbol beside its source. If all symbols are explained, any value from a quarter to a
 * half gives about the same results; if only a part of them is, the lower weight is safer. A word that no source has
 * counts more, since only a purpose can answer to it.
 */
export const PURPOSE_WEIGHT = 0.25
export const NEW_WORD_WEIGHT = 0.5

/**
 * The lengths of an average document, in weighted occurrences of terms. They are constants and not the averages of the
 * index, since an impact must not depend on other files, which may change.
 */
const AVERAGE_SYMBOL_LENGTH = 80
const AVERAGE_FILE_LENGTH = 1200

export interface Source {
  readonly path: string
  /** The text of the file, by the symbols that it belongs to. */
  readonly text: SplitText
  readonly symbols: ReadonlyArray<Pick<CodeSymbol, "name" | "container" | "doc" | "signature">>
}

export interface SplitText {
  /** The text of each symbol without that of the symbols inside it, in their order. */
  readonly ofSymbols: ReadonlyArray<string>
  /** The text outside of all symbols. */
  readonly outside: string
}

/**
 * Gives every part of a text to the innermost symbol around it, so that each word counts for one symbol. `symbols` are
 * in order of their start.
 */
export const splitText = (text: string, symbols: ReadonlyArray<Pick<CodeSymbol, "start" | "end">>): SplitText => {
  const outside = { end: text.length, text: "" }
  const owners = symbols.map(({ end, start }) => ({ start, end, text: "" }))
  const open = [outside]
  let at = 0
  const advance = (to: number) => {
    for (let owner = open.at(-1); owner !== undefined && at < to; owner = open.at(-1)) {
      const end = Math.min(owner.end, to)
      if (end > at) owner.text += `${text.slice(at, end)}\n`
      at = Math.max(at, end)
      if (owner.end <= at) open.pop()
    }
  }
  for (const owner of owners) {
    advance(owner.start)
    open.push(owner)
  }
  advance(text.length)
  return { ofSymbols: owners.map(({ text }) => text), outside: outside.text }
}

/** The terms of a document and their impacts, see `Bm25`. */
export interface Impacts {
  /** The terms, by their numbers in the vocabulary, each once. */
  readonly terms: ReadonlyArray<number>
  /** The impacts, in the order of the terms. */
  readonly impacts: ReadonlyArray<number>
}

/** The impacts of a source, as the posting lists take them. */
export interface Analyzed {
  /** Has the terms of the impacts by their numbers. */
  readonly vocabulary: Vocabulary.Vocabulary
  readonly file: Impacts
  /** The impacts of each symbol, in the order of the symbols. */
  readonly symbols: ReadonlyArray<Impacts>
}

/** Computes the impacts of a source. O(length of the text). */
export type Analyzer = (source: Source) => Analyzed

/** Makes an analyzer that tokenizes the words of all its sources once. */
export const analyzer = (): Analyzer => {
  let counters = makeCounters()
  return ({ path, symbols, text: { ofSymbols, outside } }) => {
    if (counters.vocabulary.isFull()) counters = makeCounters()
    const { file, symbol, vocabulary } = counters
    file.add(path, FIELD_WEIGHTS.path)
    file.add(outside, FIELD_WEIGHTS.text)
    const ofEach = symbols.map(({ container = "", doc = "", name, signature }, position) => {
      symbol.add(ofSymbols[position] ?? "", FIELD_WEIGHTS.text)
      // The document of the file has the text of its symbols, but not their fields a second time.
      file.addAll(symbol)
      symbol.add(name, FIELD_WEIGHTS.name)
      symbol.add(container, FIELD_WEIGHTS.container)
      symbol.add(doc, FIELD_WEIGHTS.doc)
      symbol.add(signature, FIELD_WEIGHTS.signature)
      return symbol.finish(AVERAGE_SYMBOL_LENGTH)
    })
    return { vocabulary, file: file.finish(AVERAGE_FILE_LENGTH), symbols: ofEach }
  }
}

const makeCounters = () => {
  const vocabulary = Vocabulary.make()
  return { vocabulary, file: termCounter(vocabulary), symbol: termCounter(vocabulary) }
}

/** Computes the impacts of a purpose, by term. */
export const analyzePurpose = (text: string): ReadonlyMap<string, number> => {
  const vocabulary = Vocabulary.make()
  const purpose = termCounter(vocabulary)
  purpose.add(text, FIELD_WEIGHTS.text)
  const { impacts, terms } = purpose.finish(AVERAGE_SYMBOL_LENGTH)
  return new Map(terms.map((term, position) => [vocabulary.term(term), impacts[position] ?? 0]))
}

/** Counts the terms of one document after the other. */
interface TermCounter {
  readonly add: (text: string, weight: number) => void
  readonly addAll: (other: TermCounter) => void
  readonly forEach: (visit: (term: number, count: number) => void) => void
  /** Returns the impacts of everything that was added since the last call. */
  readonly finish: (averageLength: number) => Impacts
}

const termCounter = (vocabulary: Vocabulary.Vocabulary): TermCounter => {
  // The counts by the number of the term; 0 for all terms that are not in `terms`. This runs for every word of every
  // file, and a Map is slower.
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
      vocabulary.forEachTerm(text, (term) => {
        count(term, weight)
      })
    },
    addAll: (other) => other.forEach(count),
    forEach: (visit) => {
      for (const term of terms) visit(term, counts[term] ?? 0)
    },
    finish: (averageLength) => {
      const norm = Bm25.lengthNorm(length, averageLength)
      const counted = terms
      const impacts = counted.map((term) => {
        const count = counts[term] ?? 0
        counts[term] = 0
        return Bm25.impact(count, norm)
      })
      terms = []
      length = 0
      return { terms: counted, impacts }
    },
  }
}
