/** Finds the page of a wiki that is about a folder, or that answers a question as a whole. Pure. */
import * as Tokenizer from "../../search/Tokenizer.ts"
import { type Page, START } from "../Page.ts"
import type { Plan } from "../Plan.ts"
import * as States from "../States.ts"

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

/** Words with which a question asks how something works as a whole. */
const asksForWhole =
  /^(?:how (?:does|do|is|are)\b|what happens\b|explain\b|describe\b|walk me through\b|give me an overview\b)|\b(?:overview|architecture|life ?cycle|step by step|as a whole|end to end)\b/i

/** Names as code has them: a question with one is about that symbol. */
const hasName = /[a-z][A-Z]|\w_\w|\w\(|\w\.\w|[`/\\#]|::/

/** Words that a question has for itself, which no page answers. */
const QUESTION_WORDS =
  "how does do is are was what happens explain describe walk me through give an overview of work works working the a to in on for when and or it this that with from by as whole step end"

/** The least number of words, and the least share of them, that a page must have. */
const MIN_WORDS = 2
const MIN_SHARE = 0.75

/**
 * Returns the page that answers a question, by a plain rule: the question asks how something works as a whole and names
 * no symbol, and at least two words of it, and three quarters of all, occur in the page. Of several pages the one wins
 * whose title has most of these words, then the one that has most of them in a single statement.
 */
export const forQuestion = (question: string, pages: ReadonlyArray<Page>): Page | undefined => {
  if (!asksForWhole.test(question.trim()) || hasName.test(question)) return undefined
  const ignored = new Set(Tokenizer.terms(QUESTION_WORDS))
  const asked = Array.from(new Set(Tokenizer.terms(question))).filter((term) => !ignored.has(term))
  if (asked.length < MIN_WORDS) return undefined
  const matches = pages.flatMap((page) => {
    const inTitle = count(asked, page.title)
    const statements = States.statementsOf(page)
    const all = count(asked, [page.title, ...statements.map(({ text }) => text)].join("\n"))
    const best = statements.reduce((most, { text }) => Math.max(most, count(asked, text)), 0)
    return all >= MIN_WORDS && all >= MIN_SHARE * asked.length ? [{ page, inTitle, best, all }] : []
  })
  return matches.sort(
    (one, other) =>
      other.inTitle - one.inTitle ||
      other.best - one.best ||
      other.all - one.all ||
      (one.page.name < other.page.name ? -1 : 1),
  )[0]?.page
}

const count = (asked: ReadonlyArray<string>, text: string): number => {
  const terms = new Set(Tokenizer.terms(text))
  return asked.filter((term) => terms.has(term)).length
}
