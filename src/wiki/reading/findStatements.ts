/** Finds what a wiki says about a question: the paragraphs, items and steps of its pages that answer it. Pure. */
import * as Bm25 from "../../search/Bm25.ts"
import * as Question from "../../search/Question.ts"
import * as Tokenizer from "../../search/Tokenizer.ts"
import type { Page, Section, Statement } from "../Page.ts"
import * as StatementText from "../StatementText.ts"
import { asksForPlace, clauses, refersBack } from "./clauses.ts"

/** A paragraph, an item or a step of a page, with the statements that answer. */
export interface Block {
  readonly section: Section
  /** Its number in the section, from 0. */
  readonly at: number
  /** The statements that answer, in order. */
  readonly statements: ReadonlyArray<Statement>
}

/** The blocks of one page that answer, in the order of the page. */
export interface Answer {
  readonly page: Page
  readonly blocks: ReadonlyArray<Block>
}

export interface Limits {
  /** The most blocks of all answers. */
  readonly blocks: number
  /** The most characters of their statements, beyond those of the best block. */
  readonly characters: number
}

/** About a third of a screen for each of two or three pages. */
export const defaultLimits: Limits = { blocks: 12, characters: 1_500 }

interface Candidate extends Block {
  readonly page: Page
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
  /** The terms of each statement and of what it cites. */
  readonly termsOfStatements: ReadonlyArray<ReadonlySet<string>>
}

interface Ranked {
  readonly candidate: Candidate
  readonly score: number
}

/**
 * Returns what the pages say about a question, the page with the best block first. A block counts by BM25: its text as it
 * is, the titles above it and the symbols and files that it cites by less, since all blocks of a page share the former and
 * a list of names has only the latter. It counts by the share of the question that it has, too, so that a block with
 * all words precedes one with a rare word alone. A question of several clauses is answered clause by clause, each with
 * the same room. O(the length of the pages).
 */
export const findStatements = (
  question: string,
  pages: ReadonlyArray<Page>,
  limits: Limits = defaultLimits,
): ReadonlyArray<Answer> => {
  const { terms } = Question.parse(question)
  const candidates = pages.flatMap((page) => page.sections.flatMap((section) => candidatesOf(page, section)))
  const weigh = weightsIn(candidates)
  const rankings = clauses(question).map((clause) =>
    rank(weigh(termsOfClause(clause, terms)), candidates, asksForPlace(clause)),
  )
  const asked = weigh(terms)
  const chosen = choose(rankings, limits, (candidate, room) => shorten(candidate, asked, room))
  return Array.from(
    Map.groupBy(chosen, ({ page }) => page),
    ([page, found]) => ({
      page,
      blocks: inOrder(page, found),
    }),
  )
}

/** The weight of an occurrence of a term in a title or in what is cited, beside one in the text. */
const TITLE_WEIGHT = 0.5
const CITED_WEIGHT = 0.5

/** The weight of a statement that only names something, beside one that says something of it, unless a place is asked for. */
const POINTER_WEIGHT = 0.6

/** The weights of the terms of other clauses, and of a clause with "it" or "that", which is about these. */
const CONTEXT_WEIGHT = 0.3
const REFERRED_WEIGHT = 1

/** Blocks with less of the score of the best one are no answer. */
const MIN_SHARE = 0.4

/**
 * An answer of fewer characters may have blocks with this share, too: where one block has both words of a short question, the
 * next best ones have one of them.
 */
const SHORT = 700
const SHORT_SHARE = 0.15

/** The least share of the best score of all for the best one of a clause: one that no page answers gets little room. */
const MIN_CLAUSE_SHARE = 0.5

/** A statement with less than this share of the terms of the best one in its block is left out. */
const MIN_STATEMENT_SHARE = 0.2

const candidatesOf = (page: Page, section: Section): ReadonlyArray<Candidate> => {
  const titles = Tokenizer.terms(`${page.title}\n${section.title ?? ""}`)
  return section.blocks.map((statements, at) => {
    const counts = new Map<string, number>()
    const add = (terms: ReadonlyArray<string>, weight: number) => {
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight)
    }
    const texts = statements.map(({ text }) => Tokenizer.terms(StatementText.toPlain(text)))
    const cited = statements.map(({ citations }) =>
      Tokenizer.terms(citations.map(({ path, symbol }) => `${path}\n${symbol ?? ""}`).join("\n")),
    )
    const text = texts.flat()
    add(text, 1)
    add(titles, TITLE_WEIGHT)
    add(Array.from(new Set(cited.flat())), CITED_WEIGHT)
    const termsOfStatements = texts.map((terms, position) => new Set([...terms, ...(cited[position] ?? [])]))
    return { page, section, at, statements, counts, length: text.length, termsOfStatements }
  })
}

/** Returns the terms of a question as one of its clauses asks for them: its own, and those of the others by less. */
const termsOfClause = (
  clause: string,
  all: ReadonlyArray<Question.WeightedTerm>,
): ReadonlyArray<Question.WeightedTerm> => {
  const own = Question.parse(clause).terms
  const names = new Set(own.map(({ term }) => term))
  const less = refersBack(clause) ? REFERRED_WEIGHT : CONTEXT_WEIGHT
  const others = all.filter(({ term }) => !names.has(term)).map(({ term, weight }) => ({ term, weight: weight * less }))
  return [...own, ...others]
}

/**
 * A word in fewer than a fiftieth of the blocks counts no more the rarer it is. In so few texts it is often rare by chance:
 * in "how are plugins found" the found lexer would count more than plugins.
 */
const MAX_IDF = 4

/** Returns a function that weighs terms by how rare they are. A word that no page has says nothing of any of them. */
const weightsIn = (candidates: ReadonlyArray<Candidate>) => {
  const having = new Map<string, number>()
  for (const { counts } of candidates) for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1)
  return (asked: ReadonlyArray<Question.WeightedTerm>): ReadonlyArray<Question.WeightedTerm> =>
    asked.flatMap(({ term, weight }) => {
      const count = having.get(term)
      return count === undefined
        ? []
        : [{ term, weight: weight * Math.min(MAX_IDF, Bm25.idf(candidates.length, count)) }]
    })
}

const rank = (
  known: ReadonlyArray<Question.WeightedTerm>,
  candidates: ReadonlyArray<Candidate>,
  isPlace: boolean,
): ReadonlyArray<Ranked> => {
  const average = candidates.reduce((sum, { length }) => sum + length, 0) / candidates.length
  const all = known.reduce((sum, { weight }) => sum + weight, 0)
  return candidates
    .flatMap((candidate) => {
      const norm = Bm25.lengthNorm(candidate.length, average)
      let score = 0
      let covered = 0
      for (const { term, weight } of known) {
        const count = candidate.counts.get(term) ?? 0
        if (count === 0) continue
        score += (weight * count) / (count + norm)
        covered += weight
      }
      if (score === 0) return []
      const isLess = !isPlace && candidate.statements.every(({ kind }) => kind === "pointer")
      return [{ candidate, score: score * (covered / all) * (isLess ? POINTER_WEIGHT : 1) }]
    })
    .sort((one, other) => other.score - one.score)
}

/**
 * Returns the best blocks that fit. The clause whose blocks have the fewest characters chooses next, so that no clause
 * takes the room of another. What two pages say in the same words is said once.
 */
const choose = (
  rankings: ReadonlyArray<ReadonlyArray<Ranked>>,
  limits: Limits,
  shorten: (candidate: Candidate, room: number) => Candidate,
): ReadonlyArray<Candidate> => {
  const best = Math.max(0, ...rankings.map(([first]) => first?.score ?? 0))
  const queues = rankings.map((ranked): Queue => {
    const top = Math.max(ranked[0]?.score ?? 0, MIN_CLAUSE_SHARE * best)
    const waiting = ranked.filter(({ score }) => score >= SHORT_SHARE * top).reverse()
    return { waiting, least: MIN_SHARE * top, characters: 0 }
  })
  const said = new Set<string>()
  const chosen = new Map<Candidate, Candidate>()
  let characters = 0
  while (chosen.size < limits.blocks) {
    const open = queues.filter(({ least, waiting }) => {
      const next = waiting.at(-1)
      return next !== undefined && (next.score >= least || characters < SHORT)
    })
    const queue = open.reduce((least, each) => (each.characters < least.characters ? each : least), open[0] ?? EMPTY)
    const next = queue.waiting.pop()?.candidate
    if (next === undefined) break
    const had = chosen.get(next)
    if (had !== undefined) {
      // A block that was chosen for another clause answers this one, too.
      queue.characters += lengthOf(had.statements)
      continue
    }
    const room = chosen.size === 0 ? Number.POSITIVE_INFINITY : limits.characters - characters
    const candidate = shorten(next, room)
    const text = candidate.statements.map(({ text }) => text).join(" ")
    if (text === "" || said.has(text)) continue
    said.add(text)
    chosen.set(next, candidate)
    queue.characters += lengthOf(candidate.statements)
    characters += lengthOf(candidate.statements)
  }
  return Array.from(chosen.values())
}

/** The blocks that answer a clause and are not chosen yet, the best one last, and the characters of those that are. */
interface Queue {
  readonly waiting: Array<Ranked>
  /** The least score of a block, unless all blocks that are chosen are short. */
  readonly least: number
  characters: number
}

const EMPTY: Queue = { waiting: [], least: 0, characters: 0 }

const lengthOf = (statements: ReadonlyArray<Statement>): number =>
  statements.reduce((sum, { text }) => sum + text.length, 0)

/**
 * Leaves out the statements of a paragraph that have hardly a word of the question, and the worst ones if all do not fit
 * into so many characters.
 */
const shorten = (candidate: Candidate, known: ReadonlyArray<Question.WeightedTerm>, room: number): Candidate => {
  const { statements, termsOfStatements } = candidate
  const weights = termsOfStatements.map((terms) =>
    known.reduce((sum, { term, weight }) => sum + (terms.has(term) ? weight : 0), 0),
  )
  const least = MIN_STATEMENT_SHARE * Math.max(...weights)
  const best = Array.from(weights, (weight, at) => ({ at, weight }))
    .filter(({ weight }) => weight >= least)
    .sort((one, other) => other.weight - one.weight)
  let kept: ReadonlyArray<Statement> = []
  for (const { at } of best) {
    const wanted = new Set(kept)
    for (let each = at; each >= 0; each--) {
      const statement = statements[each]
      if (statement === undefined) break
      wanted.add(statement)
      if (!leansBack.test(statement.text)) break
    }
    const more = statements.filter((statement) => wanted.has(statement))
    if (lengthOf(more) <= room) kept = more
  }
  return { ...candidate, statements: kept }
}

/** Matches the beginning of a statement that cannot be understood without the one before. */
const leansBack = /^(?:it|its|they|their|this|these|those|that|then|otherwise|neither|both|such)\b/i

const inOrder = (page: Page, found: ReadonlyArray<Candidate>): ReadonlyArray<Block> =>
  found.toSorted(
    (one, other) => page.sections.indexOf(one.section) - page.sections.indexOf(other.section) || one.at - other.at,
  )
