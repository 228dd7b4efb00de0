/** Which terms a file and its symbols are found by, and how much each tells. Pure. */
import type { CodeSymbol } from "../../../code/Symbols.ts"
import { terms } from "../../Search.ts"
import type { Shares } from "./Apportion.ts"
import { MAX_IMPACT } from "./Posting.ts"

/** How much a term tells: 1 to `MAX_IMPACT`, its part in a BM25 score before the weight of the term itself. */
export type Impacts = ReadonlyMap<string, number>

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

/** `known`: as for `terms`. */
export const ofFile = (
  { path, shares: { outside, own }, symbols }: Source,
  known: Map<string, ReadonlyArray<string>>,
): Told => {
  const of = (text: string) => terms(text, known)
  const file = tally().add(of(path), 3).add(of(outside), 1)
  const told = symbols.map(({ container = "", doc = "", name, signature }, position) => {
    const body = of(own[position] ?? "")
    file.add(body, 1)
    return tally()
      .add(of(name), 3)
      .add(of(container), 2)
      .add(of(doc), 1)
      .add(of(signature), 1)
      .add(body, 1)
      .impacts(USUAL_SYMBOL)
  })
  return { file: file.impacts(USUAL_FILE), symbols: told }
}

/** What a model wrote of a symbol is a document of its own, beside the symbol's source. */
export const ofPurpose = (text: string): Impacts => tally().add(terms(text), 3).impacts(USUAL_SYMBOL)

/** Lengths, in occurrences, of what is neither long nor short. */
const USUAL_SYMBOL = 80
const USUAL_FILE = 1200

/** How soon more occurrences of a term tell nothing new, and how much length counts against it: the K1 and B of BM25. */
const SATURATION = 1.2
const NORMALISATION = 0.5

/** Occurrences by term; those in a telling place count several times. */
const tally = () => {
  const counts = new Map<string, number>()
  let length = 0
  const self = {
    add: (terms: ReadonlyArray<string>, weight: number) => {
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight)
      length += terms.length * weight
      return self
    },
    impacts: (usual: number): Impacts => {
      const damping = SATURATION * (1 - NORMALISATION + (NORMALISATION * length) / usual)
      for (const [term, count] of counts) {
        counts.set(term, Math.max(1, Math.round((MAX_IMPACT * count) / (count + damping))))
      }
      return counts
    },
  }
  return self
}
