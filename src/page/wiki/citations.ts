/**
 * Turns the names in a statement into links to the symbols that support it, so that it does not name each twice. Pure.
 */
import type { Wiki } from "../Client.ts"

interface Linked {
  /** Inline Markdown. */
  readonly text: string
  /** The citations that the text does not name. */
  readonly others: ReadonlyArray<Wiki.Citation>
}

/** Links each name that stands as code in the text, and in no link. A symbol that is gone has no place to lead to. */
export const linkNames = (
  text: string,
  citations: ReadonlyArray<Wiki.Citation>,
  hrefOf: (citation: Wiki.Citation) => string,
): Linked => {
  const others: Array<Wiki.Citation> = []
  let linked = text
  for (const citation of citations) {
    const code = `\`${citation.symbol}\``
    const at = citation.symbol === undefined || citation.isGone ? -1 : findPlain(linked, code)
    if (at < 0) others.push(citation)
    else linked = `${linked.slice(0, at)}[${code}](<${hrefOf(citation)}>)${linked.slice(at + code.length)}`
  }
  return { text: linked, others }
}

/** Finds code that is in no link; -1 if there is none. Code between several backticks may contain anything. */
const findPlain = (text: string, code: string): number => {
  if (text.includes("``")) return -1
  for (let at = text.indexOf(code); at >= 0; at = text.indexOf(code, at + 1)) {
    const isInLink = /\[[^\]]*$/.test(text.slice(0, at)) && /^[^[]*\]\(/.test(text.slice(at + code.length))
    if (!isInLink) return at
  }
  return -1
}
