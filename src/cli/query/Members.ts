/** The members of a class that are worth naming in the answer to a question. */
import type { IndexEntry } from "../../indexing/IndexEntry.ts"
import * as Question from "../../search/Question.ts"
import * as Tokenizer from "../../search/Tokenizer.ts"

export interface Members {
  /** In order of their lines. */
  readonly named: ReadonlyArray<IndexEntry>
  /** How many there are besides. */
  readonly others: number
}

/** Members to name at most. */
const MOST = 6

/**
 * Chooses among the symbols of a file: those named in the words of the question first, then methods and other symbols
 * with a body, then those that more files use, then the longer ones.
 */
export const of = (entry: IndexEntry, inFile: ReadonlyArray<IndexEntry>, question: string): Members => {
  const stems = new Set(Question.parse(question).terms.map(({ term }) => term))
  const members = inFile.filter(({ container }) => container === entry.qualifiedName)
  const ranked = members
    .map((member) => ({ member, rank: rankOf(member, stems) }))
    .sort(({ rank: one }, { rank: other }) => compare(other, one))
    .map(({ member }) => member)
  return {
    named: ranked.slice(0, MOST).sort((one, other) => one.startLine - other.startLine),
    others: Math.max(0, members.length - MOST),
  }
}

const rankOf = ({ endLine, kind, name, startLine, usedBy }: IndexEntry, stems: ReadonlySet<string>) => [
  Tokenizer.terms(name).filter((stem) => stems.has(stem)).length,
  Number(!plainKinds.has(kind)) + Number(!/^[_#]/.test(name)),
  usedBy,
  endLine - startLine,
]

/** They have no body. */
const plainKinds: ReadonlySet<string> = new Set(["field", "constant", "variable"])

/** By the first number that differs. */
const compare = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number =>
  one.map((number, at) => number - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
