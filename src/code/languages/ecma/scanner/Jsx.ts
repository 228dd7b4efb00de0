/** JSX elements: finds where they begin, and where their parts end. */
import * as Character from "./Character.ts"
import * as LiteralEnd from "./LiteralEnd.ts"
import * as Token from "./Token.ts"

/** The lexer modes. In this one, more brackets were closed than opened. */
export const UNBALANCED = -1
export const CODE = 0
/** Between `<` and `>`. */
export const TAG = 1
/** Between `</` and `>`. */
export const CLOSING_TAG = 2
/** The text between the two tags of an element. */
export const TEXT = 3
/** The type arguments of a component: code in which `<` opens and `>` closes. */
export const TYPE_ARGUMENTS = 4

/** Returns whether a `<` at which an operand is expected begins an element; otherwise it begins type parameters. */
export const startsElement = (text: string, at: number): boolean => {
  const next = text.charCodeAt(at + 1)
  if (next === Token.GREATER) return true
  if (Character.classes[next] !== Character.LETTER) return false
  parameters.lastIndex = at + 1
  return !parameters.test(text)
}

/** Matches type parameters as they must be written in files with JSX: `<A,>` or `<A extends B>`. */
const parameters = /(?:const\s+)?[\w$]+\s*(?:,|extends\s+[\w$([{"'`])/y

/** Returns the end of a name, which may contain hyphens. */
export const afterName = (text: string, from: number): number => {
  let at = LiteralEnd.word(text, from)
  while (text.charCodeAt(at) === Token.MINUS) at = LiteralEnd.word(text, at + 1)
  return at
}

/** Returns the end of a quoted attribute value, which has no escapes and may span lines; -1 if it does not end. */
export const afterString = (text: string, from: number): number => {
  const end = text.indexOf(text.charAt(from), from + 1)
  return end === -1 ? -1 : end + 1
}

/**
 * Returns the next `{` or `<` after the text of an element; -1 if there is none, or a character that JSX does not
 * allow.
 */
export const afterText = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === Token.OPEN_BRACE || code === Token.LESS) return at
    if (code === Token.CLOSE_BRACE || code === Token.GREATER) return -1
  }
  return -1
}

/** Returns whether the closing tag that ends at the token `ender` has the name of its opening tag. */
export const isClosedByItsName = (
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
