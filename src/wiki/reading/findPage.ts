/** Finds the page of a wiki that is about a folder, and what pages say about how something works as a whole. Pure. */
import * as Tokenizer from "../../search/Tokenizer.ts"
import { type Page, START } from "../Page.ts"
import type { Plan } from "../Plan.ts"
import { asksForWhole } from "./asksForWhole.ts"
import * as findStatements from "./findStatements.ts"

/**
 * Returns the name of the page about a folder: the start page for the root, and otherwise the part that has more than
 * half of the files in the folder. A folder that several parts share has no page.
 */
export const ofFolder = (folder: string, { parts }: Pick<Plan, "parts">): string | undefined => {
  if (folder === "." || folder === "") return START
  const prefix = `${folder.replace(/\/$/, "")}/`
  const counts = parts.map(({ files, name }) => ({
    name,
    count: files.filter((path) => path.startsWith(prefix)).length,
  }))
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return counts.find(({ count }) => count * 2 > all)?.name
}

/** Words that a question has for itself, which no page answers. */
const QUESTION_WORDS =
  "how does do is are was what happens explain describe walk me through give an overview of work works working the a to in on for when and or it this that with from by as whole step end"

/** The least number of words of a question, and the least share of them that an answer has. */
const MIN_WORDS = 2
const MIN_SHARE = 2 / 3

/**
 * Returns what the pages say about a question of how something works as a whole, by a plain rule: it asks so, names no
 * symbol, and has at least two words of its own, two thirds of which occur in the answer. Empty for any other question.
 */
export const forQuestion = (
  question: string,
  pages: ReadonlyArray<Page>,
  options?: findStatements.Options,
): ReadonlyArray<findStatements.Answer> => {
  if (!asksForWhole(question)) return []
  const ignored = new Set(Tokenizer.terms(QUESTION_WORDS))
  const asked = Array.from(new Set(Tokenizer.terms(question))).filter((term) => !ignored.has(term))
  if (asked.length < MIN_WORDS) return []
  const answers = findStatements.findStatements(question, pages, options)
  const said = new Set(answers.flatMap(termsOf))
  return asked.filter((term) => said.has(term)).length >= MIN_SHARE * asked.length ? answers : []
}

const termsOf = ({ blocks, page }: findStatements.Answer): ReadonlyArray<string> =>
  Tokenizer.terms(
    [
      page.title,
      ...blocks.flatMap(({ section, statements }) => [
        section.title ?? "",
        ...statements.flatMap(({ citations, text }) => [text, ...citations.map(({ symbol }) => symbol ?? "")]),
      ]),
    ].join("\n"),
  )
