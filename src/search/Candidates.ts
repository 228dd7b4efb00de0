/**
 * Collects the candidates of a search: symbols that retrieval has found or that the question names, with everything
 * that a ranking needs.
 */
import * as Callers from "./Callers.ts"
import * as NameEvidence from "./NameEvidence.ts"
import * as PurposeEvidence from "./PurposeEvidence.ts"
import type * as Question from "./Question.ts"
import * as Ranking from "./Ranking.ts"
import type * as Retrieval from "./Retrieval.ts"
import * as Tokenizer from "./Tokenizer.ts"

/** The symbols of the index, which the caller keeps. */
export interface SymbolTable {
  /** Returns at most `limit` symbols with this name or qualified name. `mostUsed` chooses those that most files use. */
  readonly withName: (name: string, limit: number, which: "any" | "mostUsed") => ReadonlyArray<SymbolRow>
  readonly atPositions: (positions: ReadonlyArray<Retrieval.Position>) => ReadonlyArray<SymbolRow>
  /** Returns the paths of files by their numbers. */
  readonly paths: (files: ReadonlyArray<number>) => ReadonlyMap<number, string>
  /** Returns the symbols that models have explained, by the number of their file. Files without any are left out. */
  readonly explained: (files: ReadonlyArray<number>) => Retrieval.Explained
  /** Returns the symbols that use each symbol, by its id. A symbol that very many use has no entry. */
  readonly callers: (ids: ReadonlyArray<number>) => ReadonlyMap<number, ReadonlyArray<Caller>>
}

export interface Caller {
  /** The qualified name: a field mostly says less than the class that it belongs to. */
  readonly name: string
  /** The number of its document. */
  readonly file: number
}

export interface SymbolRow extends Retrieval.Position {
  readonly id: number
  readonly usedBy: number
  readonly kind: string
  readonly name: string
  readonly qualifiedName: string
  /** The beginning of its comment; empty if there is none. */
  readonly doc: string
  /** The purpose that a model wrote; empty if there is none. */
  readonly purpose: string
  /** True if a file has documentation of its own; undefined for a symbol. */
  readonly isDocumented?: boolean | undefined
  /** The names that a file re-exports; undefined for a symbol. */
  readonly reexports?: ReadonlyArray<string> | undefined
}

export interface Candidate extends Ranking.Candidate {
  readonly row: SymbolRow
}

/** The parts of a search that the candidates depend on. */
export interface Search {
  readonly text: string
  /** Names that the code may use. */
  readonly identifiers: ReadonlyArray<string>
  readonly question: Question.Question
  readonly terms: ReadonlyArray<Retrieval.Term>
  readonly weights: NameEvidence.TermWeights
  readonly scores: Retrieval.SymbolScores
  /** Returns the weighted score of only the file, for symbols that the question names and retrieval has not found. */
  readonly scoreOfFile: (file: number) => number
  /** See `Ranking.auxiliaryWeight`. */
  readonly weightOfFile: (file: number) => number
  /** See `FileName`. */
  readonly boostOfFile: (file: number) => number
}

/**
 * Returns a function that returns the candidates at the present scores. Each row is read once, even if scores change
 * between calls.
 */
export const reader = (symbols: SymbolTable, search: Search, limit: number): (() => ReadonlyArray<Candidate>) => {
  const matchName = nameMatcher(symbols, search, limit)
  const rows = new Map<string, SymbolRow>()
  const evidence = new Map<number, number>()
  const add = (added: ReadonlyArray<SymbolRow>) => {
    for (const [id, score] of evidenceOf(symbols, search, added)) evidence.set(id, score)
    for (const row of added) rows.set(keyOf(row), row)
  }
  add(matchName.rows)
  return () => {
    const retrieved = new Map(search.scores.top(limit).map((symbol) => [keyOf(symbol), symbol]))
    add(symbols.atPositions(Array.from(retrieved.values()).filter((symbol) => !rows.has(keyOf(symbol)))))
    return Array.from(rows).flatMap(([key, row]) => {
      const { file, id, kind, usedBy } = row
      const nameMatch = matchName.of(row)
      const score = retrieved.get(key)?.retrievalScore
      // A symbol that shares a mentioned name with many, and has too few words of the question in its source, is no
      // answer.
      if (score === undefined && nameMatch !== "exact" && nameMatch !== "alike" && nameMatch !== "identified") return []
      const ofEvidence = search.weightOfFile(file) * (evidence.get(id) ?? 0)
      return [
        {
          id,
          file,
          kind,
          usedBy,
          nameMatch,
          isDocumented: row.isDocumented === true,
          row,
          score: (score ?? search.scoreOfFile(file)) + ofEvidence,
          fileBoost: search.boostOfFile(file),
        },
      ]
    })
  }
}

/**
 * Finds out how the question or a guess names a symbol. `rows`: at most `limit` symbols for each name in the question.
 */
const nameMatcher = (symbols: SymbolTable, { identifiers, text, weightOfFile }: Search, limit: number) => {
  const whole = Tokenizer.normalize(text).trim()
  const exact = symbols.withName(whole, limit, "mostUsed")
  const isName = exact.length > 0 && !/\s/.test(whole)
  const alike = isName ? otherCases(whole).flatMap((name) => symbols.withName(name, limit, "mostUsed")) : []
  const lowerCase = whole.toLowerCase()
  const names = Tokenizer.codeNames(text)
  const mentioned = names.flatMap((name) => symbols.withName(name, limit, "any"))
  const [identified] = Ranking.isIdentified(mentioned) ? mentioned : []
  const declared = new Set(mentioned.flatMap(({ name, qualifiedName }) => [name, qualifiedName]))
  const undeclared = new Set(names.filter((name) => !declared.has(name)))
  const guessed = new Set(identifiers)
  const words = new Set(Tokenizer.partTerms(text))
  return {
    rows: [...exact, ...alike, ...mentioned],
    of: ({ file, id, kind, name, qualifiedName, reexports }: SymbolRow): Ranking.NameMatch | undefined => {
      // A name that no file here declares is found where it is re-exported, which says nothing beside a declaration.
      if (exact.length === 0 && reexports?.includes(whole) === true) return "exact"
      if (reexports?.some((name) => undeclared.has(name)) === true) return "mentioned"
      if (name === whole || qualifiedName === whole) return "exact"
      if (isName && name.toLowerCase() === lowerCase && weightOfFile(file) === 1) return "alike"
      if (!names.includes(name) && !names.includes(qualifiedName)) {
        const inWords = NameEvidence.inWords(words, qualifiedName)
        if (inWords === "all" && Ranking.isDescribedByCallers(kind) && weightOfFile(file) === 1) return "worded"
        if (guessed.has(name) || guessed.has(qualifiedName)) return "guessed"
        return inWords === undefined ? undefined : "covering"
      }
      return id === identified?.id ? "identified" : "mentioned"
    },
  }
}

/** Returns the name as the code may write it elsewhere: a class `History` beside a field `history`. */
const otherCases = (name: string): ReadonlyArray<string> => {
  const [first, rest] = [name.slice(0, 1), name.slice(1)]
  const cases = [first.toUpperCase() + rest, first.toLowerCase() + rest, name.toUpperCase(), name.toLowerCase()]
  return Array.from(new Set(cases)).filter((other) => other !== name)
}

const keyOf = ({ file, symbol }: Retrieval.Position): string => `${file} ${symbol}`

/**
 * Computes the evidence of each symbol by its id: what its name, the names of its callers and its purpose say beside
 * BM25. See `Ranking`.
 */
const evidenceOf = (
  symbols: SymbolTable,
  { question, scores, terms, text, weightOfFile, weights }: Search,
  rows: ReadonlyArray<SymbolRow>,
): ReadonlyMap<number, number> => {
  const callers = symbols.callers(rows.filter(({ kind }) => Ranking.isDescribedByCallers(kind)).map(({ id }) => id))
  const called = rows.filter(({ id }) => callers.has(id))
  const lists = new Map(terms.map((term) => [term.term, term.lists]))
  const impacts = new Map<string, Uint8Array>()
  // The impacts are read when the first caller's name has the term, since few terms of a question are in any.
  const impactsOf = (term: string): Uint8Array => {
    const known = impacts.get(term) ?? scores.impacts(lists.get(term) ?? [], called)
    impacts.set(term, known)
    return known
  }
  const ofCallers = new Map(
    called.map(({ id }, position) => {
      const inCode = callers.get(id)?.filter(({ file }) => weightOfFile(file) === 1) ?? []
      const names = new Set(inCode.map(({ name }) => name))
      return [id, Callers.score(weights, names, (term) => impactsOf(term)[position] ?? 0)]
    }),
  )
  const ofPurpose = PurposeEvidence.reader(text, weights)
  return new Map(
    rows.map(({ id, name, purpose, qualifiedName }) => [
      id,
      Ranking.NAME_WEIGHT * NameEvidence.cover(weights, name) +
        Ranking.NAME_PAIR_WEIGHT * NameEvidence.pairs(question, weights, qualifiedName) +
        (ofCallers.get(id) ?? 0) +
        ofPurpose(purpose),
    ]),
  )
}
