/** Finds what a wiki says about a question: the statements of its pages that answer it. Pure. */
import * as Bm25 from "../../search/Bm25.ts"
import * as Question from "../../search/Question.ts"
import * as Tokenizer from "../../search/Tokenizer.ts"
import { type Page, type Section, START, type Statement } from "../Page.ts"
import * as StatementText from "../StatementText.ts"
import { asksHowToAdd, clauses, refersBack } from "./clauses.ts"
import * as Relevance from "./Relevance.ts"

/** A paragraph, an item or a step of a page, with the statements that answer. */
interface Block {
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
  /** The most statements of all answers, beyond those that the last one needs to be understood. */
  readonly statements: number
  /** The most characters of the statements, beyond those of the best one. */
  readonly characters: number
}

/** About half a screen for each of two pages: three tenths of what a reader of the code would read. */
export const defaultLimits: Limits = { statements: 14, characters: 1_300 }

export interface Options {
  readonly limits?: Limits | undefined
  /** How well what is cited answers. The words of the pages alone count by default. */
  readonly relevance?: Relevance.Relevance | undefined
}

/** How often each term occurs in a text, and how many terms it has. */
interface Counts {
  readonly terms: Map<string, number>
  length: number
}

/** A paragraph, an item or a step of a page, with all its statements. */
interface Paragraph extends Block {
  readonly page: Page
  readonly counts: Counts
}

interface Candidate {
  readonly paragraph: Paragraph
  /** Its number in the paragraph, from 0. */
  readonly position: number
  readonly statement: Statement
  /** The terms of its text, in order. */
  readonly text: ReadonlyArray<string>
  /** The terms of its text, of what it cites and, unless it is a pointer itself, of what points at that. */
  readonly said: Set<string>
  readonly counts: Counts
}

interface Ranked {
  readonly candidate: Candidate
  readonly score: number
}

/**
 * Returns what the pages say about a question, the page with the best statement first. A statement counts by BM25, and
 * so does its paragraph, by less. It counts by the share of the question that it has, too, so that one with all words
 * precedes one with a rare word alone, and what it cites counts by `relevance`. A question of several clauses is
 * answered clause by clause, each with the same room. O(the length of the pages).
 */
export const findStatements = (
  question: string,
  pages: ReadonlyArray<Page>,
  { limits = defaultLimits, relevance = Relevance.none }: Options = {},
): ReadonlyArray<Answer> => {
  const asked = withOtherSpelling(question)
  const { terms } = Question.parse(asked)
  const candidates = pages.flatMap((page) => page.sections.flatMap((section) => candidatesOf(page, section)))
  const weigh = weightsIn(candidates)
  addPointers(candidates)
  const toAdd = asksHowToAdd(question)
  const rankings = clauses(asked).map((clause) =>
    rank(weigh(termsOfClause(clause, terms)), candidates, { relevance, toAdd }),
  )
  const chosen = choose(rankings, candidates, limits)
  return Array.from(
    Map.groupBy(chosen, ({ paragraph }) => paragraph.page),
    ([page, found]) => ({ page, blocks: blocksOf(page, found) }),
  )
}

/**
 * The weights of an occurrence of a term in what is cited, in the statements beside this one in its paragraph, and in
 * what points at the symbols that it cites, beside one in its text. Titles have none: they found no fact of
 * `bench/wikiAnswers` that is not found without them.
 */
const CITED_WEIGHT = 0.5
const BESIDE_WEIGHT = 0.2
const POINTED_WEIGHT = 0.5

/**
 * The weight of the score of the paragraph, beside that of the statement itself. Of the same facts 58 were shown with
 * .3, and 63 with 1.
 */
const PARAGRAPH_WEIGHT = 1

/**
 * The weight of the most relevant symbol that a statement cites, beside the best score by words. Of the 117 facts of
 * `bench/wikiAnswers`, 71 are shown with it and 68 without.
 */
const RELEVANCE_WEIGHT = 0.2

/** The weight of a statement of the start page, which says in brief what another page tells. */
const START_WEIGHT = 0.7

/** The weight of a statement that says what to implement or register, if the question is how to add something. */
const ADDING_WEIGHT = 2

/**
 * The weight of words with which people ask, such as those of "how do I add my own" and "where is it decided". Few
 * statements have them, so by their rarity they would count more than what is asked about.
 */
const ASKING_WEIGHT = 0.25
const asking: ReadonlySet<string> = new Set(
  Tokenizer.terms("add own new decide happen only need look order kind first know get find make back work"),
)

/** The weights of the terms of other clauses, and of a clause with "it" or "that", which is about these. */
const CONTEXT_WEIGHT = 0.3
const REFERRED_WEIGHT = 1

/** Statements with less of the score of the best one are no answer. */
const MIN_SHARE = 0.45

/**
 * An answer of fewer characters may have statements with this share, too: where one has both words of a short question,
 * the next best ones have one of them.
 */
const SHORT = 350
const SHORT_SHARE = 0.15

/** The least share of the best score of all for the best one of a clause: one that no page answers gets little room. */
const MIN_CLAUSE_SHARE = 0.5

/** Adds the American spelling of words in "our", which most code has: `colour` is looked for as `color`, too. */
const withOtherSpelling = (question: string): string => question.replaceAll(/\b(\w{3,})our(s|ed|ing)?\b/gi, "$& $1or$2")

const candidatesOf = (page: Page, section: Section): ReadonlyArray<Candidate> =>
  section.blocks.flatMap((statements, at) => {
    const texts = statements.map(({ text }) => Tokenizer.terms(StatementText.toPlain(text)))
    const paragraph: Paragraph = { page, section, at, statements, counts: { terms: new Map(), length: 0 } }
    return statements.map((statement, position): Candidate => {
      const text = texts[position] ?? []
      const cited = new Set(
        statement.citations.flatMap(({ path, symbol }) => Tokenizer.terms(`${path}\n${symbol ?? ""}`)),
      )
      const counts: Counts = { terms: new Map(), length: text.length }
      for (const each of [counts, paragraph.counts]) {
        add(each, text, 1)
        add(each, cited, CITED_WEIGHT)
      }
      paragraph.counts.length += text.length
      const beside = [...(texts[position - 1] ?? []), ...(texts[position + 1] ?? [])]
      add(counts, new Set(beside), BESIDE_WEIGHT)
      return { paragraph, position, statement, text, said: new Set([...text, ...cited]), counts }
    })
  })

const add = ({ terms }: Counts, found: Iterable<string>, weight: number): void => {
  for (const term of found) terms.set(term, (terms.get(term) ?? 0) + weight)
}

/**
 * Adds what points at a symbol to what is said of it: "When colors are stripped" may be asked in these words, and the
 * statement that tells it has only the name of the function.
 */
const addPointers = (candidates: ReadonlyArray<Candidate>): void => {
  const keysOf = ({ statement }: Candidate) =>
    statement.citations.flatMap(({ ordinal, path, symbol }) =>
      symbol === undefined ? [] : [`${path}\n${symbol}\n${ordinal ?? 0}`],
    )
  const pointers = new Map<string, Set<string>>()
  for (const candidate of candidates.filter(isPointer)) {
    for (const key of keysOf(candidate)) {
      const known = pointers.get(key) ?? new Set()
      for (const term of candidate.text) known.add(term)
      pointers.set(key, known)
    }
  }
  for (const candidate of candidates.filter((each) => !isPointer(each))) {
    const pointed = new Set(keysOf(candidate).flatMap((key) => [...(pointers.get(key) ?? [])]))
    add(candidate.counts, pointed, POINTED_WEIGHT)
    for (const term of pointed) candidate.said.add(term)
  }
}

const isPointer = ({ statement }: Candidate): boolean => statement.kind === "pointer"

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
 * A word in fewer than a fiftieth of the statements counts no more the rarer it is. In so few texts it is often rare
 * by chance: in "how are plugins found" the found lexer would count more than plugins.
 */
const MAX_IDF = 4

/**
 * Returns a function that weighs terms by how rare they are in what statements say and cite. A word that no page has
 * says nothing of any of them.
 */
const weightsIn = (candidates: ReadonlyArray<Candidate>) => {
  const having = new Map<string, number>()
  for (const candidate of candidates) {
    for (const term of candidate.said) having.set(term, (having.get(term) ?? 0) + 1)
  }
  return (asked: ReadonlyArray<Question.WeightedTerm>): ReadonlyArray<Question.WeightedTerm> =>
    asked.flatMap(({ term, weight }) => {
      const count = having.get(term)
      if (count === undefined) return []
      const rarity = Math.min(MAX_IDF, Bm25.idf(candidates.length, count))
      return [{ term, weight: weight * rarity * (asking.has(term) ? ASKING_WEIGHT : 1) }]
    })
}

const rank = (
  known: ReadonlyArray<Question.WeightedTerm>,
  candidates: ReadonlyArray<Candidate>,
  { relevance, toAdd }: { readonly relevance: Relevance.Relevance; readonly toAdd: boolean },
): ReadonlyArray<Ranked> => {
  const all = known.reduce((sum, { weight }) => sum + weight, 0)
  const score = scorer(
    known,
    all,
    candidates.map(({ counts }) => counts),
  )
  const paragraphs = new Set(candidates.map(({ paragraph }) => paragraph))
  const scoreParagraph = scorer(
    known,
    all,
    Array.from(paragraphs, ({ counts }) => counts),
  )
  const ofParagraphs = new Map(Array.from(paragraphs, (each) => [each, scoreParagraph(each.counts)]))
  const ranked = candidates
    .filter(({ said }) => known.some(({ term }) => said.has(term)))
    .map((candidate): Ranked => {
      const { counts, paragraph, statement } = candidate
      const byWords = score(counts) + PARAGRAPH_WEIGHT * (ofParagraphs.get(paragraph) ?? 0)
      const isHowToAdd = toAdd && saysHowToAdd.test(statement.text)
      return { candidate, score: byWords * weightOfPage(candidate) * (isHowToAdd ? ADDING_WEIGHT : 1) }
    })
  const best = Math.max(0, ...ranked.map(({ score }) => score))
  return ranked
    .map(({ candidate, score }): Ranked => {
      const ofSymbols = RELEVANCE_WEIGHT * best * relevanceOf(candidate, relevance)
      return { candidate, score: score + weightOfPage(candidate) * ofSymbols }
    })
    .sort((one, other) => other.score - one.score)
}

const weightOfPage = ({ paragraph }: Candidate): number => (paragraph.page.name === START ? START_WEIGHT : 1)

/**
 * Returns the relevance of what a statement cites. What names a symbol and says nothing of it answers nothing by that.
 */
const relevanceOf = ({ statement }: Candidate, relevance: Relevance.Relevance): number =>
  statement.kind === "pointer" || statement.author === "project"
    ? 0
    : Math.max(0, ...statement.citations.map(relevance))

/** Matches what a reader has to do to add something, as pages say it. */
const saysHowToAdd = /\b(?:sub-?class|overrid|implement|regist|extend|inherit|add)\w*/i

/** Returns a function that scores a text by BM25 and by the share of the question that it has. */
const scorer = (known: ReadonlyArray<Question.WeightedTerm>, all: number, texts: ReadonlyArray<Counts>) => {
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  return ({ length, terms }: Counts): number => {
    const norm = Bm25.lengthNorm(length, average)
    let score = 0
    let covered = 0
    for (const { term, weight } of known) {
      const count = terms.get(term) ?? 0
      if (count === 0) continue
      score += (weight * count) / (count + norm)
      covered += weight
    }
    return all === 0 ? 0 : score * (covered / all)
  }
}

/**
 * Returns the best statements that fit. The clause whose statements have the fewest characters chooses next, so that no
 * clause takes the room of another. What two pages say in the same words is said once.
 */
const choose = (
  rankings: ReadonlyArray<ReadonlyArray<Ranked>>,
  candidates: ReadonlyArray<Candidate>,
  limits: Limits,
): ReadonlySet<Candidate> => {
  const paragraphs = Map.groupBy(candidates, ({ paragraph }) => paragraph)
  const best = Math.max(0, ...rankings.map(([first]) => first?.score ?? 0))
  const queues = rankings.map((ranked): Queue => {
    const top = Math.max(ranked[0]?.score ?? 0, MIN_CLAUSE_SHARE * best)
    const waiting = ranked.filter(({ score }) => score >= SHORT_SHARE * top).reverse()
    return { waiting, least: MIN_SHARE * top, characters: 0 }
  })
  const said = new Set<string>()
  const chosen = new Set<Candidate>()
  let characters = 0
  while (chosen.size < limits.statements) {
    const open = queues.filter(({ least, waiting }) => {
      const next = waiting.at(-1)
      return next !== undefined && (next.score >= least || characters < SHORT)
    })
    const queue = open.reduce((least, each) => (each.characters < least.characters ? each : least), open[0] ?? EMPTY)
    const next = queue.waiting.pop()?.candidate
    if (next === undefined) break
    if (chosen.has(next)) {
      // A statement that was chosen for another clause answers this one, too.
      queue.characters += next.statement.text.length
      continue
    }
    if (said.has(next.statement.text)) continue
    const wanted = withContext(next, paragraphs.get(next.paragraph) ?? []).filter((each) => !chosen.has(each))
    const length = wanted.reduce((sum, { statement }) => sum + statement.text.length, 0)
    if (chosen.size > 0 && characters + length > limits.characters) continue
    for (const each of wanted) {
      chosen.add(each)
      said.add(each.statement.text)
    }
    queue.characters += length
    characters += length
  }
  return chosen
}

/**
 * The statements that answer a clause and are not chosen yet, the best one last, and the characters of those that are.
 */
interface Queue {
  readonly waiting: Array<Ranked>
  /** The least score of a statement, unless all that are chosen are short. */
  readonly least: number
  characters: number
}

const EMPTY: Queue = { waiting: [], least: 0, characters: 0 }

/**
 * Returns a statement, and those before it that it cannot be understood without. `paragraph`: its statements in order.
 */
const withContext = (candidate: Candidate, paragraph: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const before = paragraph.slice(0, candidate.position + 1)
  const first = before.findLastIndex(({ statement }) => !leansBack.test(statement.text))
  return before.slice(Math.max(0, first))
}

/** Matches the beginning of a statement that cannot be understood without the one before. */
const leansBack = /^(?:it|its|they|their|this|these|those|that|then|otherwise|neither|both|such)\b/i

const blocksOf = (page: Page, found: ReadonlyArray<Candidate>): ReadonlyArray<Block> =>
  Array.from(
    Map.groupBy(found, ({ paragraph }) => paragraph),
    ([{ at, section }, chosen]): Block => ({
      section,
      at,
      statements: chosen.toSorted((one, other) => one.position - other.position).map(({ statement }) => statement),
    }),
  ).sort((one, other) => page.sections.indexOf(one.section) - page.sections.indexOf(other.section) || one.at - other.at)
