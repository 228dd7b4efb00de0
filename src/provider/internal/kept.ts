/** What a cassette keeps of the words of an exchange: all of them but secrets. Pure. */
import { withoutCredentials, withoutKnown } from "./fault.ts"

export interface Kept {
  /** Of what somebody goes on with: nothing is lost but what is known to be a secret, or has the form of one. */
  readonly answered: (text: string) => string
  /**
   * Of what is only compared, or read by people: what merely stands where secrets do is struck out, too. The same
   * comes of a text of which `answered` has struck out something, also of a key that came in pieces.
   */
  readonly asked: (text: string) => string
}

export const without = (secrets: ReadonlyArray<string>): Kept => {
  const telling = secrets.filter((secret) => secret.length >= SHORTEST)
  const answered = (text: string) => inStrings(text, (words) => withoutKnown(words, telling))
  return {
    answered,
    asked: (text) => withoutCredentials(answered(text)).replaceAll(/(\[key\])[\w-]+/g, "$1"),
  }
}

/** What is shorter is no key, but a word that stands in for one, and other words may have it in them. */
const SHORTEST = 8

/**
 * Changes the words of a text. JSON stays JSON, and what is not changed in it stays as it was written: it may be the
 * whole, or the lines of a stream of events.
 */
const inStrings = (text: string, change: (words: string) => string): string =>
  isJson(text)
    ? changed(text, change)
    : text
        .split(jsonLine)
        .map((part, index) => (index % 2 === 1 && isJson(part) ? changed(part, change) : change(part)))
        .join("")

/** Where what looks like JSON, to the end of its line, parts a text: every other part is such. */
const jsonLine = /(?<=(?:^|\n)(?:data: ?)?)([{[][^\n]*)/

/** In JSON a quote that is not escaped begins a string or ends it. */
const changed = (json: string, change: (words: string) => string): string =>
  json
    .split(/(?<!(?<!\\)(?:\\\\)*\\)"/)
    .map((part, index) => (index % 2 === 1 ? rewritten(part, change) : part))
    .join('"')

/** JSON may be in a string of JSON, as arguments of calls are. */
const rewritten = (inside: string, change: (words: string) => string): string => {
  const words = String(JSON.parse(`"${inside}"`))
  const others = inStrings(words, change)
  return others === words ? inside : JSON.stringify(others).slice(1, -1)
}

const isJson = (text: string): boolean => {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
