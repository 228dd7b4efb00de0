/** Leaves out of a section what the text of a model tells already, so that no page says a thing twice. Pure. */
import type { Section, Statement } from "./Page.ts"

/** The share of the words of a fact that statements have if they tell it. */
const SHARE = 0.6

/**
 * Returns a section of facts without those that the statements of other sections tell: they cite a file that the fact
 * cites, and have most of its words. No section is left if all are told.
 */
export const leaveOut = (section: Section, others: ReadonlyArray<Section>): ReadonlyArray<Section> => {
  const told = others.flatMap(({ blocks }) => blocks.flat()).filter(({ author }) => author === "model")
  const blocks = section.blocks.filter((block) => !block.every((fact) => isTold(fact, told)))
  return blocks.length === 0 ? [] : [{ ...section, blocks }]
}

const isTold = (fact: Statement, told: ReadonlyArray<Statement>): boolean => {
  const paths = new Set(fact.citations.map(({ path }) => path))
  const known = new Set(
    told.flatMap(({ citations, text }) => (citations.some(({ path }) => paths.has(path)) ? wordsOf(text) : [])),
  )
  const words = new Set(wordsOf(fact.text))
  return Array.from(words).filter((word) => known.has(word)).length >= SHARE * words.size
}

/** Words that say nothing of what a fact is about. */
const COMMON = new Set(["that", "this", "then", "when", "with", "which", "also", "and", "the", "for", "are", "runs"])

/** Returns the words of a text, without the ends of plurals. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}_]{3,}/gu), ([word]) =>
    word.replace(/(?<=\w{3})(?:es|s)$/, ""),
  ).filter((word) => !COMMON.has(word))
