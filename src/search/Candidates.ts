/** The candidates of a search: symbols that retrieval has found or the question names, with what a ranking needs of them. */
import * as NameEvidence from "./NameEvidence.ts"
import type * as Question from "./Question.ts"
import * as Ranking from "./Ranking.ts"
import type * as Retrieval from "./Retrieval.ts"
import * as Tokenizer from "./Tokenizer.ts"

/** The symbols of the index, which the caller keeps. */
export interface SymbolTable {
  /** At most `limit` of those with this name or qualified name; `mostUsed`: those that most files use. */
  readonly withName: (name: string, limit: number, which: "any" | "mostUsed") => ReadonlyArray<SymbolRow>
  readonly atPositions: (positions: ReadonlyArray<Retrieval.Position>) => ReadonlyArray<SymbolRow>
  /** Of files, by number. */
  readonly paths: (files: ReadonlyArray<number>) => ReadonlyMap<number, string>
}

export interface SymbolRow extends Retrieval.Position {
  readonly id: number
  readonly usedBy: number
  readonly kind: string
  readonly name: string
  readonly qualifiedName: string
  /** The beginning of its comment; empty if there is none. */
  readonly doc: string
}

export interface Candidate extends Ranking.Candidate {
  readonly row: SymbolRow
}

/** What of the search the candidates depend on. */
export interface Search {
  readonly text: string
  readonly question: Question.Question
  readonly weights: NameEvidence.TermWeights
  readonly scores: Retrieval.SymbolScores
  /** The score of a file alone, weighted, for symbols that the question names and retrieval has not found. */
  readonly scoreOfFile: (file: number) => number
  /** See `Ranking.auxiliaryWeight`. */
  readonly weightOfFile: (file: number) => number
}

/** Returns the candidates at the present scores. Each row is read once, whatever is added to the scores between calls. */
export const reader = (symbols: SymbolTable, search: Search, limit: number): (() => ReadonlyArray<Candidate>) => {
  const whole = search.text.trim()
  const rows = new Map<string, SymbolRow>()
  const evidence = new Map<number, number>()
  const nameMatches = new Map<number, Ranking.NameMatch>()
  const add = (added: ReadonlyArray<SymbolRow>, nameMatch?: Ranking.NameMatch) => {
    for (const row of added) {
      rows.set(keyOf(row), row)
      evidence.set(row.id, evidenceOf(search, row))
      if (nameMatch !== undefined) nameMatches.set(row.id, nameMatch)
    }
  }
  const mentioned = Tokenizer.codeNames(search.text).map((name) => symbols.withName(name, limit, "any"))
  const identified = mentioned.filter(Ranking.isIdentified)
  for (const withName of mentioned) {
    const isAskedFor = identified.length <= Ranking.MAX_IDENTIFIED && identified.includes(withName)
    add(withName, isAskedFor ? "identified" : "mentioned")
  }
  add(symbols.withName(whole, limit, "mostUsed"), "exact")
  return () => {
    const retrieved = new Map(search.scores.top(limit).map((symbol) => [keyOf(symbol), symbol]))
    add(symbols.atPositions(Array.from(retrieved.values()).filter((symbol) => !rows.has(keyOf(symbol)))))
    return Array.from(rows).flatMap(([key, row]) => {
      const { file, id, kind, usedBy } = row
      const nameMatch = nameMatches.get(id)
      const score = retrieved.get(key)?.retrievalScore
      // One of many symbols with a mentioned name, and with too few words of the question in its source, is no answer.
      if (score === undefined && (nameMatch === undefined || nameMatch === "mentioned")) return []
      const ofEvidence = search.weightOfFile(file) * (evidence.get(id) ?? 0)
      return [{ id, file, kind, usedBy, nameMatch, row, score: (score ?? search.scoreOfFile(file)) + ofEvidence }]
    })
  }
}

const keyOf = ({ file, symbol }: Retrieval.Position): string => `${file} ${symbol}`

/** What the name of a symbol says beside BM25, see `Ranking`. */
const evidenceOf = ({ question, weights }: Search, { name, qualifiedName }: SymbolRow): number =>
  Ranking.NAME_WEIGHT * NameEvidence.cover(weights, name) +
  Ranking.NAME_PAIR_WEIGHT * NameEvidence.pairs(question, weights, qualifiedName)
