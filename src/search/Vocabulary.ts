/**
 * Numbers the terms of an indexing run, so that they are counted in arrays. Each distinct run of letters and digits is
 * tokenized once. When it occurs again, it is found in a hash table by its place in the text. Cutting it out of the
 * text first, for every word of every file, would take as long again as everything else.
 */
import { isBeyondAscii, splitRuns, termsOfRun } from "./Tokenizer.ts"

export interface Vocabulary {
  /** Visits the terms of a text in the order of `Tokenizer.terms`. */
  readonly forEachTerm: (text: string, visit: (term: number) => void) => void
  readonly term: (number: number) => string
  /** The number of terms; they are numbered from 0 on. */
  readonly size: () => number
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

  // A hash table with open addressing has two numbers a slot: the hash of a run, and the place of its entry or EMPTY.
  // An entry has the length of the run, the number of its terms, its characters and its terms. With an object and a
  // string for each run, this takes a quarter longer, since a lookup waits for memory most of the time.
  let slots = new Int32Array(2 * 1024)
  let runs = 0
  let entries = new Int32Array(16 * 1024)
  let end = EMPTY + 1

  /** Returns the slot of a run, or the empty slot that it belongs in. */
  const slotOf = (text: string, start: number, length: number, hash: number): number => {
    const last = slots.length - 2
    for (let slot = (hash << 1) & last; ; slot = (slot + 2) & last) {
      const entry = slots[slot + 1] ?? EMPTY
      if (entry === EMPTY || (slots[slot] === hash && isAt(entry, text, start, length))) return slot
    }
  }
  const isAt = (entry: number, text: string, start: number, length: number): boolean => {
    if (entries[entry] !== length) return false
    for (let at = 0; at < length; at++) if (entries[entry + 2 + at] !== text.charCodeAt(start + at)) return false
    return true
  }
  const grow = () => {
    const before = slots
    slots = new Int32Array(2 * before.length)
    const last = slots.length - 2
    for (let at = 0; at < before.length; at += 2) {
      const hash = before[at] ?? 0
      const entry = before[at + 1] ?? EMPTY
      if (entry === EMPTY) continue
      let slot = (hash << 1) & last
      while (slots[slot + 1] !== EMPTY) slot = (slot + 2) & last
      slots[slot] = hash
      slots[slot + 1] = entry
    }
  }
  /** Tokenizes a run, and returns its entry. */
  const add = (run: string): number => {
    const found = (isBeyondAscii(run) ? splitRuns(run).flatMap(termsOfRun) : termsOfRun(run)).map(numberOf)
    const entry = end
    end += 2 + run.length + found.length
    if (end > entries.length) {
      const longer = new Int32Array(2 * end)
      longer.set(entries)
      entries = longer
    }
    entries[entry] = run.length
    entries[entry + 1] = found.length
    for (let at = 0; at < run.length; at++) entries[entry + 2 + at] = run.charCodeAt(at)
    entries.set(found, entry + 2 + run.length)
    return entry
  }
  const entryOf = (text: string, start: number, stop: number, hash: number): number => {
    const slot = slotOf(text, start, stop - start, hash)
    const known = slots[slot + 1] ?? EMPTY
    if (known !== EMPTY) return known
    const entry = add(text.slice(start, stop))
    slots[slot] = hash
    slots[slot + 1] = entry
    runs += 1
    if (4 * runs > slots.length) grow()
    return entry
  }

  return {
    forEachTerm: (text, visit) => {
      for (let at = 0; at < text.length; at++) {
        const first = text.charCodeAt(at)
        if (!isInRun(first)) continue
        const start = isAccent(first) ? Math.max(0, at - 1) : at
        let hash = start === at ? 0 : text.charCodeAt(start)
        for (let code = first; isInRun(code); code = text.charCodeAt(++at)) hash = (Math.imul(hash, 31) + code) | 0
        const entry = entryOf(text, start, at, hash)
        const from = entry + 2 + at - start
        const to = from + (entries[entry + 1] ?? 0)
        for (let place = from; place < to; place++) visit(entries[place] ?? 0)
      }
    },
    term: (number) => terms[number] ?? "",
    size: () => terms.length,
    isFull: () => end > MAX_NUMBERS,
  }
}

/** No entry is at this place. */
const EMPTY = 0

/** The most numbers in the entries of a vocabulary: 2 MB, about 40,000 runs. Its terms take twice as much. */
const MAX_NUMBERS = 500_000

/**
 * Returns whether a character may be part of a run. Characters beyond ASCII may be letters; `splitRuns` decides. NaN,
 * the code after the end of a text, is in no run.
 */
const isInRun = (code: number): boolean => code >= 128 || asciiRun[code] === 1

/** Returns whether a character may be one letter together with that before it, which is in no run: `≠` is `≠`. */
const isAccent = (code: number): boolean => code >= 0x300 && code < 0x370

const asciiRun = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))))
