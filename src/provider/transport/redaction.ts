/** Removes secrets from recorded exchanges. Pure. */
import * as Secret from "../../message/Secret.ts"
import { redactCredentials, redactKnown } from "./errors.ts"

export interface Redaction {
  /** For responses, which are replayed: removes known secrets and what has the form of a key, nothing else. */
  readonly redactResponse: (text: string) => string
  /**
   * For requests and errors, which are only compared or read: also removes what stands where secrets usually stand.
   * Idempotent after `redactResponse`, also for a key split over several pieces.
   */
  readonly redactRequest: (text: string) => string
}

export const makeRedaction = (secrets: ReadonlyArray<string>): Redaction => {
  const telling = secrets.filter((secret) => secret.length >= Secret.SHORTEST)
  const inPieces = telling.map(splitPattern)
  const answered = (text: string) => mapStrings(mergePieces(text, inPieces), (words) => redactKnown(words, telling))
  return {
    redactResponse: answered,
    redactRequest: (text) => redactCredentials(answered(text)).replaceAll(/(\[key\])[\w-]+/g, "$1"),
  }
}

/** Joins secrets that a stream splits over several events: each piece has the same name in its event's JSON. */
const mergePieces = (text: string, secrets: ReadonlyArray<RegExp>): string => {
  const pieces = new Map<string, Array<string>>()
  mapStrings(text, (words, name) => {
    const before = pieces.get(name)
    if (before === undefined) pieces.set(name, [words])
    else before.push(words)
    return words
  })
  const others = new Map(
    Array.from(pieces, ([name, pieces]) => [name, redactPieces(pieces, secrets).values()] as const),
  )
  return mapStrings(text, (words, name) => others.get(name)?.next().value ?? words)
}

/** Redacts the concatenation of the pieces, and splits it again at the same number of places. */
const redactPieces = (pieces: ReadonlyArray<string>, secrets: ReadonlyArray<RegExp>): ReadonlyArray<string> => {
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

/** A noncharacter, which texts do not contain. */
const SEAM = "\uffff"

const splitPattern = (secret: string): RegExp =>
  new RegExp(
    secret
      .split("")
      .map((letter) => letter.replace(/[^\w\s]/, "\\$&"))
      .join(`${SEAM}*`),
    "g",
  )

/** Changes a string, given its path of keys in the JSON. */
type Change = (words: string, name: string) => string

/**
 * Maps all strings of a text: of JSON, of the JSON lines of an event stream, or the text itself. Unchanged JSON keeps
 * its formatting.
 */
const mapStrings = (text: string, change: Change, name = ""): string =>
  isJson(text)
    ? mapJsonStrings(text, change, name)
    : text
        .split(jsonLine)
        .map((part, index) =>
          index % 2 === 1 && isJson(part) ? mapJsonStrings(part, change, name) : change(part, name),
        )
        .join("")

/** Splits a text at JSON that extends to the end of its line; every other part is such JSON. */
const jsonLine = /(?<=(?:^|\n)(?:data: ?)?)([{[][^\n]*)/

/**
 * An unescaped quote begins or ends a string. The pattern matches the quote before it looks behind: looking behind
 * from every backslash would take quadratic time.
 */
const mapJsonStrings = (json: string, change: Change, name: string): string => {
  const parts = json.split(/"(?<!(?<!\\)(?:\\\\)*\\")/)
  const nameOf = (index: number) => (parts[index - 1]?.trim() === ":" ? `${name}/${parts[index - 2]}` : name)
  return parts.map((part, index) => (index % 2 === 1 ? mapString(part, change, nameOf(index)) : part)).join('"')
}

/** A string may itself contain JSON, such as the arguments of a call. */
const mapString = (inside: string, change: Change, name: string): string => {
  const words = String(JSON.parse(`"${inside}"`))
  const others = mapStrings(words, change, name)
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
