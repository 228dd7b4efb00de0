/** The search for symbols: from the text of a question to ranked symbols. See README.md in this folder. */
import type { Statements } from "../disk/Sqlite.ts"
import * as DocumentTable from "./DocumentTable.ts"
import * as PostingCache from "./PostingCache.ts"
import * as Ranking from "./Ranking.ts"
import * as Retrieval from "./Retrieval.ts"
import * as Tokenizer from "./Tokenizer.ts"

/** The symbols of the index, which the caller keeps. */
export interface SymbolTable {
  /** At most `limit` of those with this name or qualified name; `mostUsed`: those that most files use. */
  readonly withName: (name: string, limit: number, which: "any" | "mostUsed") => ReadonlyArray<SymbolRow>
  readonly atPositions: (positions: ReadonlyArray<Position>) => ReadonlyArray<SymbolRow>
}

export interface Position {
  /** The number that `PostingLists.Writer.add` has returned. */
  readonly file: number
  /** The number of the symbol in its file, in the order in which it was added. */
  readonly symbol: number
}

export interface SymbolRow extends Position {
  readonly id: number
  readonly usedBy: number
  readonly kind: string
  readonly name: string
  readonly qualifiedName: string
}

/** How many files go into the second stage of retrieval, and how many of their symbols into the ranking. */
const FILES_RETRIEVED = 60
const SYMBOLS_RETRIEVED = 60

/** Symbols are read in pages: the bound on the score of the others mostly ends a search after the first. */
const PAGE = 20

/**
 * How many postings one search reads, which bounds its time whatever the size of the index. The questions of the
 * retrieval benchmark need fewer, on indexes of up to 25,000 symbols.
 */
const MAX_POSTINGS = 60_000

/** The `limit` best symbols, best first. */
export const search = (
  sql: Statements,
  symbols: SymbolTable,
  text: string,
  limit: number,
): ReadonlyArray<Ranking.Ranked> => {
  const { count, documents, read } = PostingCache.of(sql)
  const terms = selectRarest(count, Tokenizer.queryTerms(text)).map(read)
  const fileScores = Retrieval.scoreFiles(documents, terms)
  const auxiliaryWeight = Ranking.auxiliaryWeight(text)
  const files = Retrieval.topFiles(documents, fileScores, auxiliaryWeight, FILES_RETRIEVED)
  const retrieved = Retrieval.topSymbols(documents, terms, files, SYMBOLS_RETRIEVED)

  const wholeName = text.trim()
  const mentionedNames = new Set(Tokenizer.codeNames(text))
  const scores = new Map(retrieved.map((symbol) => [keyOf(symbol), symbol.retrievalScore]))
  /** Undefined for a symbol that the question mentions and retrieval has not found: it is not ranked then. */
  const toCandidate = (row: SymbolRow): Ranking.Candidate | undefined => {
    const { file, id, kind, name, qualifiedName, usedBy } = row
    const names = [name, qualifiedName]
    const nameMatch = names.includes(wholeName)
      ? "exact"
      : names.some((each) => mentionedNames.has(each))
        ? "mentioned"
        : undefined
    const retrievalScore = scores.get(keyOf(row))
    if (retrievalScore === undefined && nameMatch !== "exact") return undefined
    const isAuxiliary = DocumentTable.isAuxiliary(DocumentTable.entry(documents, file))
    const fileScore = () => Ranking.retrievalScore(0, fileScores[file] ?? 0, isAuxiliary ? auxiliaryWeight : 1)
    return { id, file, kind, usedBy, nameMatch, retrievalScore: retrievalScore ?? fileScore() }
  }
  const candidates = new Map<number, Ranking.Candidate>()
  const add = (rows: ReadonlyArray<SymbolRow>) => {
    for (const row of rows) {
      const candidate = toCandidate(row)
      if (candidate !== undefined) candidates.set(candidate.id, candidate)
    }
  }

  const exact = symbols.withName(wholeName, SYMBOLS_RETRIEVED, "mostUsed")
  const mentioned = Array.from(mentionedNames, (name) => symbols.withName(name, SYMBOLS_RETRIEVED, "any"))
  add([...exact, ...mentioned.flat()])
  // `upperBound` holds for symbols whose name is not in the question. All others have to be among the candidates by
  // now; where a name has more symbols than were read, all retrieved ones are read at once.
  const isBounded = exact.length === 0 && mentioned.every(({ length }) => length < SYMBOLS_RETRIEVED)
  const page = isBounded ? PAGE : SYMBOLS_RETRIEVED
  for (let start = 0; ; start += page) {
    add(symbols.atPositions(retrieved.slice(start, start + page)))
    const ranked = Ranking.rank(Array.from(candidates.values()))
    const next = retrieved[start + page]
    if (next === undefined || Ranking.upperBound(next.retrievalScore) < (ranked[limit - 1]?.score ?? 0)) {
      return ranked.slice(0, limit)
    }
  }
}

const keyOf = ({ file, symbol }: Position): string => `${file} ${symbol}`

/** The rarest terms, which distinguish most, as far as the budget of postings goes; always the rarest of all. */
const selectRarest = (
  countOf: PostingCache.PostingCache["count"],
  terms: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  let left = MAX_POSTINGS
  return terms
    .map((term) => ({ term, count: countOf(term) }))
    .sort((one, other) => one.count - other.count)
    .filter(({ count }, position) => {
      left -= count
      return position === 0 || left >= 0
    })
    .map(({ term }) => term)
}
