/** Removes secrets from recorded exchanges. Pure. */
import * as Secret from "../../base/Secret.ts"
import { redactCredentials } from "./errors.ts"

export interface Redaction {
  /** Redacts a response, which is replayed. Removes known secrets and what has the form of a key, nothing else. */
  readonly redactResponse: (text: string) => string
  /**
   * Redacts a request or an error, which are only compared or read. Also removes the text at places where secrets
   * usually stand. It changes nothing after `redactResponse`, even if a key is split over several pieces.
   */
  readonly redactRequest: (text: string) => string
  /** Makes either of the two for a text that arrives in pieces. */
  readonly makeCollector: (kind: "response" | "request") => Collector
}

/** Redacts a text while it arrives, line by line, so that little work is left at the end of a long stream. */
export interface Collector {
  readonly add: (text: string) => void
  /** Finishes and returns the redacted text. It yields between its steps, so that the caller can pause there. */
  readonly end: () => Generator<void, string>
}

export const makeRedaction = (secrets: ReadonlyArray<string>): Redaction => {
  const longEnough = secrets.filter((secret) => secret.length >= Secret.MIN_SECRET_CHARS)
  const makeCollector: Redaction["makeCollector"] = (kind) => {
    const { add, end } = makeKnownCollector(longEnough)
    return {
      add,
      *end() {
        const text = yield* end()
        return kind === "response" ? text : redactCredentials(text).replaceAll(/(\[key\])[\w-]+/g, "$1")
      },
    }
  }
  const redactWhole = (kind: "response" | "request") => (text: string) => {
    const { add, end } = makeCollector(kind)
    add(text)
    return finish(end())
  }
  return { redactResponse: redactWhole("response"), redactRequest: redactWhole("request"), makeCollector }
}

/** Runs a generator without pauses. */
const finish = <A>(work: Generator<void, A>): A => {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** A piece of text that may hold secrets: a string of JSON, or text that is not JSON. */
interface Words {
  text: string
  readonly line: Line
}

/** A string of JSON. It may contain JSON itself, such as the arguments of a call. */
interface Quoted {
  /** The string with its escapes. */
  readonly raw: string
  readonly text: string
  readonly pieces: ReadonlyArray<Piece>
}

/** A plain string is JSON syntax, which is not redacted. */
type Piece = string | Words | Quoted

/** The unit of redaction: a line of JSON, the text between two of them, or a document. */
interface Line {
  /** The pieces, until the line is redacted. */
  pieces: Array<Piece>
  isRead: boolean
  /** Counts its words that may hold the beginning of a secret that continues in another line. */
  held: number
  redacted: string
}

/**
 * A text that is one JSON document is known to be one only at its end. In any other text each line stands for itself:
 * JSON alone, JSON after the `data:` of an event stream, or plain text.
 */
type Form = "unknown" | "lines" | "document"

/** Redacts the secrets, and text that has the form of a key. */
const makeKnownCollector = (secrets: ReadonlyArray<string>): Collector => {
  const forms = Secret.formsOf(secrets)
  let lines: Array<Line> = []
  /** The number of lines at which redacted neighbours are joined. It doubles, so that joining takes linear time. */
  let joinAt = 1024
  let form: Form = "unknown"
  let unread = ""

  const redactPiece = (piece: Piece): string => {
    if (typeof piece === "string") return piece
    if (!("raw" in piece))
      return piece.text.length < Secret.MIN_SECRET_CHARS ? piece.text : Secret.redactForms(piece.text, forms)
    const text = piece.pieces.map(redactPiece).join("")
    return text === piece.text ? piece.raw : JSON.stringify(text).slice(1, -1)
  }

  const redactLine = (line: Line) => {
    if (!line.isRead) return
    line.redacted = line.pieces.map(redactPiece).join("")
    line.pieces = []
  }

  const hold = makeSplitRedaction(secrets, redactLine)

  function* read(text: string): Generator<void> {
    for (const segment of splitJsonLines(text)) {
      const line: Line = { pieces: [], isRead: false, held: 0, redacted: "" }
      lines.push(line)
      for (const piece of piecesOf(segment, line, hold, "")) {
        if (piece !== "") line.pieces.push(piece)
        yield
      }
      line.isRead = true
      if (line.held === 0) redactLine(line)
      if (lines.length < joinAt) continue
      lines = joinRedacted(lines)
      joinAt = Math.max(1024, 2 * lines.length)
    }
  }

  return {
    add: (text) => {
      unread += text
      if (form === "document" || !text.includes("\n")) return
      if (form === "unknown") form = formOf(unread)
      if (form !== "lines") return
      const end = unread.lastIndexOf("\n") + 1
      const complete = unread.slice(0, end)
      unread = unread.slice(end)
      finish(read(complete))
    },
    *end() {
      yield* read(unread)
      unread = ""
      for (const line of lines) {
        if (line.held > 0) redactLine(line)
        yield
      }
      return lines.map(({ redacted }) => redacted).join("")
    },
  }
}

/** Joins adjacent lines that are redacted. */
const joinRedacted = (lines: ReadonlyArray<Line>): Array<Line> => {
  const fewer: Array<Line> = []
  for (const line of lines) {
    const previous = fewer.at(-1)
    if (previous !== undefined && isRedacted(previous) && isRedacted(line)) previous.redacted += line.redacted
    else fewer.push(line)
  }
  return fewer
}

const isRedacted = ({ held, isRead }: Line): boolean => isRead && held === 0

/** Tells the form of a text from its beginning. */
const formOf = (text: string): Form => {
  const begin = text.search(/\S/)
  if (begin === -1) return "unknown"
  if (!/[{[]/.test(text.charAt(begin))) return "lines"
  const end = text.indexOf("\n", begin)
  if (end === -1) return "unknown"
  return isJson(text.slice(begin, end)) ? "lines" : "document"
}

/** Splits a text at what may be JSON and extends to the end of its line. Every other part is such JSON. */
const jsonLine = /(?<=(?:^|\n)(?:data: ?)?)([{[][^\n]*)/

interface Segment {
  readonly text: string
  readonly isJson: boolean
}

const splitJsonLines = (text: string): ReadonlyArray<Segment> => {
  if (!/[{[]/.test(text)) return [{ text, isJson: false }]
  return isJson(text)
    ? [{ text, isJson: true }]
    : text.split(jsonLine).map((text, index) => ({ text, isJson: index % 2 === 1 && isJson(text) }))
}

/** `name` is the path of keys at which the text stands in JSON. */
function* piecesOf({ isJson, text }: Segment, line: Line, hold: Hold, name: string): Generator<Piece> {
  if (isJson) return yield* piecesOfJson(text, line, hold, name)
  const words = { text, line }
  hold(words, name)
  yield words
}

/**
 * Splits JSON at its strings: an unescaped quote begins or ends a string. Unchanged JSON keeps its formatting. Within a
 * string that contains JSON it yields empty pieces, so that the caller can pause there too.
 */
function* piecesOfJson(json: string, line: Line, hold: Hold, name: string): Generator<Piece> {
  let end = 0
  let last = ""
  for (let open = json.indexOf('"'); open !== -1; open = json.indexOf('"', end + 1)) {
    const between = json.slice(end, open)
    const close = endOfString(json, open + 1)
    const raw = json.slice(open + 1, close)
    const text: string = raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw
    const isValue = /^"\s*:\s*$/.test(between)
    yield `${between}"`
    const inner = isValue ? `${name}/${last}` : name
    const pieces: Array<Piece> = []
    // Brackets without a string, such as the `[]` that ends one piece of a stream, are words: a secret may have them.
    const segments = text.includes('"') ? splitJsonLines(text) : [{ text, isJson: false }]
    for (const segment of segments) {
      for (const piece of piecesOf(segment, line, hold, inner)) {
        if (piece !== "") pieces.push(piece)
        yield ""
      }
    }
    yield { raw, text, pieces }
    last = raw
    end = close
  }
  yield json.slice(end)
}

/** Returns the index of the quote that ends the string beginning at `from`: one after an even number of backslashes. */
const endOfString = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from); ; at = json.indexOf('"', at + 1)) {
    let before = at
    while (json[before - 1] === "\\") before--
    if ((at - before) % 2 === 0) return at
  }
}

/** Receives all words, in order, with their path of keys in the JSON. */
type Hold = (words: Words, name: string) => void

/** The last words with one name. They go as far back as the beginning of a split secret may be. */
interface Tail {
  words: Array<Words>
  /** The end of their text. */
  text: string
}

/**
 * Redacts secrets that a stream splits over several events: each event has a few characters, under the same name. The
 * first piece of a secret is replaced with a mark and the others are removed. Calls `onReleased` with a line once none
 * of its words is held.
 */
const makeSplitRedaction = (secrets: ReadonlyArray<string>, onReleased: (line: Line) => void): Hold => {
  const longest = Math.max(0, ...secrets.map(({ length }) => length))
  const tails = new Map<string, Tail>()
  return (words, name) => {
    if (words.text === "" || longest === 0) return
    const tail = tails.get(name) ?? { words: [], text: "" }
    tails.set(name, tail)
    tail.words.push(words)
    words.line.held++
    const near = tail.text + words.text.slice(0, longest)
    const split = secrets.filter((secret) => near.includes(secret) && isAcross(tail.text, words.text, secret))
    for (const secret of split) redactSplit(tail.words, secret)
    const text = split.length === 0 ? tail.text + words.text.slice(-longest) : textOf(tail.words)
    tail.text = text.slice(-longest)
    let firstHeld = tail.words.length
    for (let length = 0; firstHeld > 0 && length < tail.text.length; )
      length += tail.words[--firstHeld]?.text.length ?? 0
    for (const { line } of tail.words.splice(0, firstHeld)) {
      line.held--
      if (line.held === 0) onReleased(line)
    }
  }
}

const textOf = (words: ReadonlyArray<Words>): string => words.map(({ text }) => text).join("")

/** Returns whether a secret begins in the one text and ends in the other. */
const isAcross = (before: string, after: string, secret: string): boolean => {
  const most = secret.length - 1
  return before !== "" && (before.slice(-most) + after.slice(0, most)).includes(secret)
}

/** Redacts the occurrences of a secret that are split over several words. */
const redactSplit = (words: ReadonlyArray<Words>, secret: string): void => {
  const text = textOf(words)
  const found: Array<readonly [from: number, to: number]> = []
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
    found.push([at, at + secret.length])
  }
  let end = 0
  for (const piece of words) {
    const start = end
    end += piece.text.length
    const split = found.filter(([from, to]) => from < end && to > start && (from < start || to > end))
    let left = ""
    let at = start
    for (const [from, to] of split) {
      left += from < start ? "" : `${text.slice(at, from)}[key]`
      at = Math.min(to, end)
    }
    piece.text = left + text.slice(at, end)
  }
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
