/** Terms as numbers: what is seen again and again in code is taken apart once, and counted in arrays. */
import { termsOfRun } from "../../Search.ts"

export interface Vocabulary {
  /** The terms of a run of letters and digits, in order, by number. */
  readonly of: (run: string) => ReadonlyArray<number>
  readonly term: (number: number) => string
  /** Whether so many runs are known that a new vocabulary is better than this one. */
  readonly isFull: () => boolean
}

export const make = (): Vocabulary => {
  const runs = new Map<string, ReadonlyArray<number>>()
  const numbers = new Map<string, number>()
  const terms: Array<string> = []
  const numberOf = (term: string): number => {
    const known = numbers.get(term)
    if (known !== undefined) return known
    numbers.set(term, terms.length)
    return terms.push(term) - 1
  }
  return {
    of: (run) => {
      const known = runs.get(run)
      if (known !== undefined) return known
      const found = termsOfRun(run).map(numberOf)
      runs.set(run, found)
      return found
    },
    term: (number) => terms[number] ?? "",
    isFull: () => runs.size > MOST_RUNS,
  }
}

/** About 4 MB of them. */
const MOST_RUNS = 40_000
