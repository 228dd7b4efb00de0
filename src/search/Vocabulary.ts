/**
 * Numbers the terms of an indexing run, so that they are counted in arrays. Each distinct run of letters and digits is
 * tokenized once. When it occurs again, it is found in a hash table by its place in the text. Cutting it out of the
 * text first, for every word of every file, would take as long again as everything else.
 */
import { splitRuns, termsOfRun } from "./Tokenizer.ts"

export interface Vocabulary {
  /** Visits the terms of a text in the order of `Tokenizer.terms`. */
  readonly forEachTerm: (text: string, visit: (term: number) => void) => void
  readonly term: (number: number) => string
  /** Returns whether it holds so many runs that a new vocabulary should replace it. */
  readonly isFull: () => boolean
}

export const make = (): Vocabulary => {
  const numbers = new Map<string, number>()
  const terms: Array<string> = []
  const numberOf = (term: string): number => {
    const known = numbers.get(term)
    if (known !== undefined) return known
    numbers.set(term, terms.length)
    return terms.push(term) - 1
  }

  // A hash table with open addressing: a slot holds the number of a run, or EMPTY.
  const runs: Array<Run> = []
  let table = new Int32Array(1024).fill(EMPTY)

  /** Returns the slot of a run, or the empty slot that it belongs in. */
  const slotOf = (text: string, start: number, end: number, hash: number): number => {
    const mask = table.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const run = runs[table[slot] ?? EMPTY]
      if (run === undefined) return slot
      if (run.hash === hash && run.text.length === end - start && text.startsWith(run.text, start)) return slot
    }
  }
  const grow = () => {
    table = new Int32Array(2 * table.length).fill(EMPTY)
    runs.forEach(({ hash, text }, number) => {
      table[slotOf(text, 0, text.length, hash)] = number
    })
  }
  const termsOf = (text: string, start: number, end: number, hash: number): ReadonlyArray<number> => {
    const slot = slotOf(text, start, end, hash)
    const known = runs[table[slot] ?? EMPTY]
    if (known !== undefined) return known.terms
    const run = text.slice(start, end)
    const terms = termsOfRun(run).map(numberOf)
    table[slot] = runs.push({ text: run, hash, terms }) - 1
    if (2 * runs.length > table.length) grow()
    return terms
  }

  return {
    forEachTerm: (text, visit) => {
      const visitAll = (terms: ReadonlyArray<number>) => {
        for (const term of terms) visit(term)
      }
      for (let at = 0; at < text.length; at++) {
        if (!isInRun(text.charCodeAt(at))) continue
        const start = at
        let hash = 0
        let isAscii = true
        for (let code = text.charCodeAt(at); isInRun(code); code = text.charCodeAt(++at)) {
          isAscii &&= code < 128
          hash = addToHash(hash, code)
        }
        if (isAscii) visitAll(termsOf(text, start, at, hash))
        // The character before the run is included, since a combining accent may belong to it.
        else
          for (const run of splitRuns(text.slice(Math.max(0, start - 1), at)))
            visitAll(termsOf(run, 0, run.length, hashOf(run)))
      }
    },
    term: (number) => terms[number] ?? "",
    isFull: () => runs.length > MAX_RUNS,
  }
}

interface Run {
  readonly text: string
  readonly hash: number
  readonly terms: ReadonlyArray<number>
}

const EMPTY = -1

/** The most runs in a vocabulary: about 4 MB. */
const MAX_RUNS = 40_000

/**
 * Returns whether a character may be part of a run. Characters beyond ASCII may be letters; `splitRuns` decides. NaN,
 * the code after the end of a text, is in no run.
 */
const isInRun = (code: number): boolean => code >= 128 || asciiRun[code] === 1

const asciiRun = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))))

const addToHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0

const hashOf = (run: string): number => {
  let hash = 0
  for (let at = 0; at < run.length; at++) hash = addToHash(hash, run.charCodeAt(at))
  return hash
}
