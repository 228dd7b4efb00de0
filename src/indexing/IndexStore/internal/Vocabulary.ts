/**
 * Terms as numbers: what is seen again and again in code is taken apart once, and counted in arrays. A run of letters
 * and digits that is known is found without being cut out of its text: that, for every word of every file, would take
 * as long again as all the rest.
 */
import { runsOf, termsOfRun } from "../../Search.ts"

export interface Vocabulary {
  /** Visits the terms of a text, in order, by number. */
  readonly read: (text: string, visit: (term: number) => void) => void
  readonly term: (number: number) => string
  /** Whether so many runs are known that a new vocabulary is better than this one. */
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

  const runs: Array<Run> = []
  let table = new Int32Array(1024).fill(NONE)

  /** Where in the table a run is, or where it belongs. */
  const place = (text: string, start: number, end: number, hash: number): number => {
    const last = table.length - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const run = runs[table[slot] ?? NONE]
      if (run === undefined) return slot
      if (run.hash === hash && run.text.length === end - start && text.startsWith(run.text, start)) return slot
    }
  }
  const grow = () => {
    table = new Int32Array(2 * table.length).fill(NONE)
    runs.forEach(({ hash, text }, number) => {
      table[place(text, 0, text.length, hash)] = number
    })
  }
  const termsIn = (text: string, start: number, end: number, hash: number): ReadonlyArray<number> => {
    const slot = place(text, start, end, hash)
    const known = runs[table[slot] ?? NONE]
    if (known !== undefined) return known.terms
    const run = text.slice(start, end)
    const terms = termsOfRun(run).map(numberOf)
    table[slot] = runs.push({ text: run, hash, terms }) - 1
    if (2 * runs.length > table.length) grow()
    return terms
  }

  return {
    read: (text, visit) => {
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
          hash = mixed(hash, code)
        }
        if (isAscii) visitAll(termsIn(text, start, at, hash))
        // With what is before it: an accent may belong to that.
        else
          for (const run of runsOf(text.slice(Math.max(0, start - 1), at)))
            visitAll(termsIn(run, 0, run.length, hashOf(run)))
      }
    },
    term: (number) => terms[number] ?? "",
    isFull: () => runs.length > MOST_RUNS,
  }
}

interface Run {
  readonly text: string
  readonly hash: number
  readonly terms: ReadonlyArray<number>
}

const NONE = -1

/** About 4 MB of them. */
const MOST_RUNS = 40_000

/** What is beyond ASCII may be in one; `runsOf` knows. Past the end of a text there is no code, and no run. */
const isInRun = (code: number): boolean => code >= 128 || asciiRun[code] === 1

const asciiRun = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))))

const mixed = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0

const hashOf = (run: string): number => {
  let hash = 0
  for (let at = 0; at < run.length; at++) hash = mixed(hash, run.charCodeAt(at))
  return hash
}
