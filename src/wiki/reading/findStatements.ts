/** Finds what a wiki says about a question: the paragraphs, items and steps of its pages that answer it. Pure. */
import * as Bm25 from "../../search/Bm25.ts"
import * as Question from "../../search/Question.ts"
import * as Tokenizer from "../../search/Tokenizer.ts"
import type { Page, Section, Statement } from "../Page.ts"
import * as StatementText from "../StatementText.ts"

/** A paragraph, an item or a step of a page. */
export interface Block {
  readonly section: Section
  /** Its number in the section, from 0. */
  readonly at: number
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
const defaultLimits: Limits = { blocks: 12, characters: 1_800 }

interface Candidate extends Block {
  readonly page: Page
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/**
 * Returns what the pages say about a question, the page with the best block first. A block counts by BM25: its text as it
 * is, the titles above it and the symbols and files that it cites by less, since all blocks of a page share the former and
 * a list of names has only the latter. It counts by the share of the question that it has, too, so that a block with
 * all words precedes one with a rare word alone. O(the length of the pages).
 */
export const findStatements = (
  question: string,
  pages: ReadonlyArray<Page>,
  limits: Limits = defaultLimits,
): ReadonlyArray<Answer> => {
  const { terms } = Question.parse(question)
  const candidates = pages.flatMap((page) => page.sections.flatMap((section) => candidatesOf(page, section)))
  const chosen = choose(rank(terms, candidates), limits)
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

/** The weight of a statement that only names something, beside one that says something of it. */
const POINTER_WEIGHT = 0.6

/** Blocks with less of the score of the best one are no answer. */
const MIN_SHARE = 0.4

const candidatesOf = (page: Page, section: Section): ReadonlyArray<Candidate> => {
  const titles = Tokenizer.terms(`${page.title}\n${section.title ?? ""}`)
  return section.blocks.map((statements, at) => {
    const counts = new Map<string, number>()
    const add = (terms: ReadonlyArray<string>, weight: number) => {
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight)
    }
    const text = Tokenizer.terms(statements.map(({ text }) => StatementText.toPlain(text)).join("\n"))
    add(text, 1)
    add(titles, TITLE_WEIGHT)
    const cited = statements.flatMap(({ citations }) => citations.map(({ path, symbol }) => `${path}\n${symbol ?? ""}`))
    add(Array.from(new Set(Tokenizer.terms(cited.join("\n")))), CITED_WEIGHT)
    return { page, section, at, statements, counts, length: text.length }
  })
}

const rank = (asked: ReadonlyArray<Question.WeightedTerm>, candidates: ReadonlyArray<Candidate>) => {
  const average = candidates.reduce((sum, { length }) => sum + length, 0) / candidates.length
  // A word that no page has says nothing of any of them.
  const known = asked.flatMap(({ term, weight }) => {
    const having = candidates.filter(({ counts }) => counts.has(term)).length
    return having === 0 ? [] : [{ term, weight: weight * Bm25.idf(candidates.length, having) }]
  })
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
      const isPointer = candidate.statements.every(({ kind }) => kind === "pointer")
      return [{ candidate, score: score * (covered / all) * (isPointer ? POINTER_WEIGHT : 1) }]
    })
    .sort((one, other) => other.score - one.score)
}

/** Returns the best blocks that fit. What two pages say in the same words is said once. */
const choose = (
  ranked: ReadonlyArray<{ readonly candidate: Candidate; readonly score: number }>,
  limits: Limits,
): ReadonlyArray<Candidate> => {
  const least = (ranked[0]?.score ?? 0) * MIN_SHARE
  const said = new Set<string>()
  const chosen: Array<Candidate> = []
  let characters = 0
  for (const { candidate, score } of ranked) {
    if (score < least || chosen.length === limits.blocks) break
    const text = candidate.statements.map(({ text }) => text).join(" ")
    if (said.has(text) || (chosen.length > 0 && characters + text.length > limits.characters)) continue
    said.add(text)
    characters += text.length
    chosen.push(candidate)
  }
  return chosen
}

const inOrder = (page: Page, found: ReadonlyArray<Candidate>): ReadonlyArray<Block> =>
  found.toSorted(
    (one, other) => page.sections.indexOf(one.section) - page.sections.indexOf(other.section) || one.at - other.at,
  )
