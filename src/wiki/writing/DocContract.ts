/**
 * Finds what the comment of a symbol asks of those that implement, override or call it. Such a contract often stands in
 * no code, and behind the first sentence, which is all that a list of symbols shows. Pure.
 */
import { splitSentences } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"

/** Words that speak to those that write a subclass or an implementation. */
const IMPLEMENTS =
  /\b(?:subclass(?:es|ing)?\b(?! (?:instance|of\b))|overrid(?:e|ing|den)\b|implement(?:ing|ers?)?\b|implementations? (?:must|should|may|can)\b)/i

/** Words that say what is asked, or when something is called. */
const ASKS =
  /\b(?:must|should (?:not |only |always |never )?(?:be|return|raise|call|accept|handle)|(?:is|are) (?:not |only |never )?called (?:if|when|with|by|before|after|for)|may (?:also )?(?:return|be `?(?:None|nil|null)))\b/i

/** The most sentences of a contract, and the most characters of all of them. */
const MAX_SENTENCES = 5
const MAX_CONTRACT = 360

const isItem = /^[-*+] /

/**
 * Returns the contract in a comment, without the beginning that is shown already; undefined if it has none. What is
 * asked counts as one only of a method that other classes have too (`isOverridden`).
 */
export const find = (doc: string, shown: string, isOverridden: boolean): string | undefined => {
  const sentences = doc
    .split(/\n\s*\n/)
    // Directives and lists of parameters say what changed when, and what stands in the signature.
    .filter((paragraph) => !/^\s*(?:\.\. |:\w+[^`]*:|@\w|>>>|```)/.test(paragraph))
    .flatMap((paragraph) => splitSentences(toLine(paragraph)))
    .filter((sentence) => !shown.includes(sentence.slice(0, SAID)))
  const said: Array<string> = []
  for (const sentence of sentences) {
    // The items of a list stand below the sentence that introduces it.
    const isIntroduced = said.at(-1)?.endsWith(":") === true || isItem.test(sentence)
    if (!(isIntroduced && said.length > 0) && !IMPLEMENTS.test(sentence) && !(isOverridden && ASKS.test(sentence)))
      continue
    if (said.length === MAX_SENTENCES || [...said, sentence].join(" ").length > MAX_CONTRACT) break
    said.push(sentence)
  }
  return said.length === 0 ? undefined : said.join(" ")
}

/** The characters of a sentence by which it is found again in what is shown. */
const SAID = 40

/** Puts a paragraph on one line, without the roles of reStructuredText. */
const toLine = (paragraph: string): string =>
  sanitizeLine(
    paragraph
      .replaceAll(/:\w+:`~?([^`<]*?)(?:\s*<[^>]*>)?`/g, "$1")
      .replaceAll(/\{\w+\}`~?([^`]*)`/g, "$1")
      .replaceAll("``", "`"),
  )
    .replaceAll(/\s+/g, " ")
    .trim()
