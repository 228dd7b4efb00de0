/** Elements of JSX: where they begin, and where what they are made of ends. */
import * as Character from "./Character.ts"
import * as End from "./End.ts"
import * as Token from "./Token.ts"

/** What is being read; nothing, where more is closed than was opened. */
export const NOTHING = -1
export const CODE = 0
/** Between `<` and `>`. */
export const TAG = 1
/** Between `</` and `>`. */
export const CLOSING = 2
/** What is said between the two. */
export const SAID = 3
/** The types that a component is given: code in which a `<` opens and a `>` closes. */
export const TYPES = 4

/** Whether the `<` there, where an operand is due, begins an element; else type parameters. */
export const begins = (text: string, at: number): boolean => {
  const next = text.charCodeAt(at + 1)
  if (next === Token.GREATER) return true
  if (Character.sorts[next] !== Character.LETTER) return false
  parameters.lastIndex = at + 1
  return !parameters.test(text)
}

/** As they have to be written where there are elements. */
const parameters = /(?:const\s+)?[\w$]+\s*(?:,|extends\s+[\w$([{"'`])/y

/** After a name, which may hold hyphens. */
export const afterName = (text: string, from: number): number => {
  let at = End.word(text, from)
  while (text.charCodeAt(at) === Token.MINUS) at = End.word(text, at + 1)
  return at
}

/** After a value in quotes, in which nothing is escaped, and lines may break; -1 where it does not end. */
export const afterString = (text: string, from: number): number => {
  const end = text.indexOf(text.charAt(from), from + 1)
  return end === -1 ? -1 : end + 1
}

/** After what is said, at a `{` or a `<`; -1 where none comes, or what cannot be said. */
export const afterSaid = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === Token.OPEN_BRACE || code === Token.LESS) return at
    if (code === Token.CLOSE_BRACE || code === Token.GREATER) return -1
  }
  return -1
}

/** Whether the element that a token ends began under the name that stands before that. */
export const isEnded = (
  text: string,
  { end, kind, match, start }: Pick<Token.Tokens, "kind" | "start" | "end" | "match">,
  ender: number,
): boolean => {
  const opener = match[ender] ?? ender
  let slash = ender - 1
  while (kind[slash] !== Token.LESS) slash--
  const parts = ender - slash - 1
  if (parts === 0) return kind[opener + 1] === Token.GREATER
  for (let part = 1; part <= parts; part++) {
    const [one, other] = [opener + part, slash + part]
    if (text.slice(start[one], end[one]) !== text.slice(start[other], end[other])) return false
  }
  const next = kind[opener + parts + 1]
  return next !== Token.DOT && next !== Token.COLON
}
