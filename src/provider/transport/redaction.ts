/** What a cassette keeps of the words of an exchange: all of them but secrets. Pure. */
import * as Secret from "../../message/Secret.ts"
import { withoutCredentials, withoutKnown } from "./errors.ts"

export interface Redaction {
  /** Of what somebody goes on with: nothing is lost but what is known to be a secret, or has the form of one. */
  readonly answered: (text: string) => string
  /**
   * Of what is only compared, or read by people: what merely stands where secrets do is struck out, too. The same
   * comes of a text of which `answered` has struck out something, also of a key that came in pieces.
   */
  readonly asked: (text: string) => string
}

export const without = (secrets: ReadonlyArray<string>): Redaction => {
  const telling = secrets.filter((secret) => secret.length >= Secret.SHORTEST)
  const inPieces = telling.map(pieced)
  const answered = (text: string) => inStrings(joined(text, inPieces), (words) => withoutKnown(words, telling))
  return {
    answered,
    asked: (text) => withoutCredentials(answered(text)).replaceAll(/(\[key\])[\w-]+/g, "$1"),
  }
}

/**
 * A text whose secrets are in one piece each, or gone: what streams say they say in pieces, a few letters an event,
 * each by the same name.
 */
const joined = (text: string, secrets: ReadonlyArray<RegExp>): string => {
  const pieces = new Map<string, Array<string>>()
  inStrings(text, (words, name) => {
    const before = pieces.get(name)
    if (before === undefined) pieces.set(name, [words])
    else before.push(words)
    return words
  })
  const others = new Map(Array.from(pieces, ([name, pieces]) => [name, whole(pieces, secrets).values()] as const))
  return inStrings(text, (words, name) => others.get(name)?.next().value ?? words)
}

/** The pieces of a text, with a mark where a secret began that went on into others. */
const whole = (pieces: ReadonlyArray<string>, secrets: ReadonlyArray<RegExp>): ReadonlyArray<string> => {
  const others = secrets
    .reduce(
      (text, secret) =>
        text.replaceAll(secret, (found) => {
          const seams = found.split(SEAM).length - 1
          return seams === 0 ? found : `[key]${SEAM.repeat(seams)}`
        }),
      pieces.join(SEAM),
    )
    .split(SEAM)
  return others.length === pieces.length ? others : pieces
}

/** Hardly in a text: it stands for no character. */
const SEAM = "\uffff"

const pieced = (secret: string): RegExp =>
  new RegExp(
    secret
      .split("")
      .map((letter) => letter.replace(/[^\w\s]/, "\\$&"))
      .join(`${SEAM}*`),
    "g",
  )

/** What becomes of words, by the names that they have in objects. */
type Change = (words: string, name: string) => string

/**
 * Changes the words of a text. JSON stays JSON, and what is not changed in it stays as it was written: it may be the
 * whole, or the lines of a stream of events.
 */
const inStrings = (text: string, change: Change, name = ""): string =>
  isJson(text)
    ? changed(text, change, name)
    : text
        .split(jsonLine)
        .map((part, index) => (index % 2 === 1 && isJson(part) ? changed(part, change, name) : change(part, name)))
        .join("")

/** Where what looks like JSON, to the end of its line, parts a text: every other part is such. */
const jsonLine = /(?<=(?:^|\n)(?:data: ?)?)([{[][^\n]*)/

/**
 * In JSON a quote that is not escaped begins a string or ends it. The pattern finds the quote before it looks back: to
 * look back from every backslash would take time quadratic to their number.
 */
const changed = (json: string, change: Change, name: string): string => {
  const parts = json.split(/"(?<!(?<!\\)(?:\\\\)*\\")/)
  const nameOf = (index: number) => (parts[index - 1]?.trim() === ":" ? `${name}/${parts[index - 2]}` : name)
  return parts.map((part, index) => (index % 2 === 1 ? rewritten(part, change, nameOf(index)) : part)).join('"')
}

/** JSON may be in a string of JSON, as arguments of calls are. */
const rewritten = (inside: string, change: Change, name: string): string => {
  const words = String(JSON.parse(`"${inside}"`))
  const others = inStrings(words, change, name)
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
