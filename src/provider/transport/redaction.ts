/** What a cassette keeps of the words of an exchange: all of them but secrets. Pure. */
import * as Secret from "../../message/Secret.ts"
import { formsOf, withoutCredentials, withoutForms } from "./errors.ts"

export interface Redaction {
  /** Of what somebody goes on with: nothing is lost but what is known to be a secret, or has the form of one. */
  readonly answered: (text: string) => string
  /**
   * Of what is only compared, or read by people: what merely stands where secrets do is struck out, too. The same
   * comes of a text of which `answered` has struck out something, also of a key that came in pieces.
   */
  readonly asked: (text: string) => string
  /** The same as one of the two, of a text that comes in pieces. */
  readonly collect: (how: "answered" | "asked") => Collector
}

/** Redacts a text while it comes: the work is done with its lines, and little is left for the end of a long stream. */
export interface Collector {
  readonly add: (text: string) => void
  /** All of the text, redacted. What is yielded on the way is nothing: the caller may do something else there. */
  readonly end: () => Generator<void, string>
}

export const without = (secrets: ReadonlyArray<string>): Redaction => {
  const telling = secrets.filter((secret) => secret.length >= Secret.SHORTEST)
  const collect: Redaction["collect"] = (how) => {
    const { add, end } = collector(telling)
    return {
      add,
      *end() {
        const text = yield* end()
        return how === "answered" ? text : withoutCredentials(text).replaceAll(/(\[key\])[\w-]+/g, "$1")
      },
    }
  }
  const all = (how: "answered" | "asked") => (text: string) => {
    const { add, end } = collect(how)
    add(text)
    return finished(end())
  }
  return { answered: all("answered"), asked: all("asked"), collect }
}

const finished = <A>(work: Generator<void, A>): A => {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Words of a text: all that stands in a string of JSON, or beside what is JSON. */
interface Words {
  text: string
  readonly line: Line
}

/** A string of JSON, as it was written. It may hold JSON itself, as arguments of calls do. */
interface Quoted {
  readonly raw: string
  readonly text: string
  readonly pieces: ReadonlyArray<Piece>
}

type Piece = string | Words | Quoted

/** What is redacted at once: a line of JSON, what stands between two of them, or a document. */
interface Line {
  /** None once it is redacted. */
  pieces: Array<Piece>
  isRead: boolean
  /** How many of its words may turn out to be a part of a secret that goes on. */
  held: number
  redacted: string
}

/**
 * A text that is one JSON document is known for that at its end. Of others each line stands for itself: it may be JSON
 * alone, or behind the `data:` of a stream of events.
 */
type Form = "unknown" | "lines" | "document"

const collector = (secrets: ReadonlyArray<string>): Collector => {
  const forms = formsOf(secrets)
  let lines: Array<Line> = []
  /** So many of them are looked through for what can be put together. */
  let most = 1024
  let form: Form = "unknown"
  /** Not read yet. */
  let rest = ""

  const redacted = (piece: Piece): string => {
    if (typeof piece === "string") return piece
    if (!("raw" in piece)) return piece.text.length < Secret.SHORTEST ? piece.text : withoutForms(piece.text, forms)
    const text = piece.pieces.map(redacted).join("")
    return text === piece.text ? piece.raw : JSON.stringify(text).slice(1, -1)
  }

  const redact = (line: Line) => {
    if (!line.isRead) return
    line.redacted = line.pieces.map(redacted).join("")
    line.pieces = []
  }

  const hold = striker(secrets, redact)

  function* read(text: string): Generator<void> {
    for (const part of partsOf(text)) {
      const line: Line = { pieces: [], isRead: false, held: 0, redacted: "" }
      lines.push(line)
      for (const piece of piecesOf(part, line, hold, "")) {
        if (piece !== "") line.pieces.push(piece)
        yield
      }
      line.isRead = true
      if (line.held === 0) redact(line)
      if (lines.length < most) continue
      lines = joined(lines)
      most = Math.max(1024, 2 * lines.length)
    }
  }

  return {
    add: (text) => {
      rest += text
      if (form === "document" || !text.includes("\n")) return
      if (form === "unknown") form = formOf(rest)
      if (form !== "lines") return
      const end = rest.lastIndexOf("\n") + 1
      const whole = rest.slice(0, end)
      rest = rest.slice(end)
      finished(read(whole))
    },
    *end() {
      yield* read(rest)
      rest = ""
      for (const line of lines) {
        if (line.held > 0) redact(line)
        yield
      }
      return lines.map(({ redacted }) => redacted).join("")
    },
  }
}

/** With those in one that follow on one another and are redacted. */
const joined = (lines: ReadonlyArray<Line>): Array<Line> => {
  const fewer: Array<Line> = []
  for (const line of lines) {
    const before = fewer.at(-1)
    if (before !== undefined && isRedacted(before) && isRedacted(line)) before.redacted += line.redacted
    else fewer.push(line)
  }
  return fewer
}

const isRedacted = ({ held, isRead }: Line): boolean => isRead && held === 0

/** By as much as has come of a text. */
const formOf = (text: string): Form => {
  const begin = text.search(/\S/)
  if (begin === -1) return "unknown"
  if (!/[{[]/.test(text.charAt(begin))) return "lines"
  const end = text.indexOf("\n", begin)
  if (end === -1) return "unknown"
  return isJson(text.slice(begin, end)) ? "lines" : "document"
}

/** Where what looks like JSON, to the end of its line, parts a text: every other part is such. */
const jsonLine = /(?<=(?:^|\n)(?:data: ?)?)([{[][^\n]*)/

interface Part {
  readonly text: string
  readonly isJson: boolean
}

const partsOf = (text: string): ReadonlyArray<Part> => {
  if (!/[{[]/.test(text)) return [{ text, isJson: false }]
  return isJson(text)
    ? [{ text, isJson: true }]
    : text.split(jsonLine).map((text, index) => ({ text, isJson: index % 2 === 1 && isJson(text) }))
}

function* piecesOf({ isJson, text }: Part, line: Line, hold: Hold, name: string): Generator<Piece> {
  if (isJson) return yield* piecesOfJson(text, line, hold, name)
  const words = { text, line }
  hold(words, name)
  yield words
}

/**
 * In JSON a quote that is not escaped begins a string or ends it. What is not changed stays as it was written. For what
 * is within a string nothing is yielded, so that a caller can do something else there.
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
    for (const part of partsOf(text)) {
      for (const piece of piecesOf(part, line, hold, inner)) {
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

/** Where the string ends that begins there: at a quote behind an even number of backslashes. */
const endOfString = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from); ; at = json.indexOf('"', at + 1)) {
    let before = at
    while (json[before - 1] === "\\") before--
    if ((at - before) % 2 === 0) return at
  }
}

/** Takes the next words under a name. */
type Hold = (words: Words, name: string) => void

/** The last words under a name, as far back as a secret may begin that goes on. */
interface Tail {
  words: Array<Words>
  /** The end of what they say. */
  text: string
}

/**
 * Strikes out secrets that come in pieces: what streams say they say a few letters an event, each by the same name. A
 * mark stands in the place of the first piece of a secret, and nothing in that of the others. `free` is called with a
 * line once none of its words is held any more.
 */
const striker = (secrets: ReadonlyArray<string>, free: (line: Line) => void): Hold => {
  const longest = Math.max(0, ...secrets.map(({ length }) => length))
  const tails = new Map<string, Tail>()
  return (words, name) => {
    if (words.text === "" || longest === 0) return
    const tail = tails.get(name) ?? { words: [], text: "" }
    tails.set(name, tail)
    tail.words.push(words)
    words.line.held++
    const near = tail.text + words.text.slice(0, longest)
    const crossing = secrets.filter((secret) => near.includes(secret) && isAcross(tail.text, words.text, secret))
    for (const secret of crossing) strike(tail.words, secret)
    const text = crossing.length === 0 ? tail.text + words.text.slice(-longest) : textOf(tail.words)
    tail.text = text.slice(-longest)
    let kept = tail.words.length
    for (let length = 0; kept > 0 && length < tail.text.length; ) length += tail.words[--kept]?.text.length ?? 0
    for (const { line } of tail.words.splice(0, kept)) {
      line.held--
      if (line.held === 0) free(line)
    }
  }
}

const textOf = (words: ReadonlyArray<Words>): string => words.map(({ text }) => text).join("")

/** Whether a secret begins in the one text and ends in the other. */
const isAcross = (before: string, after: string, secret: string): boolean => {
  const most = secret.length - 1
  return before !== "" && (before.slice(-most) + after.slice(0, most)).includes(secret)
}

/** Strikes a secret out of words wherever it is in several of them. */
const strike = (words: ReadonlyArray<Words>, secret: string): void => {
  const text = textOf(words)
  const found: Array<readonly [from: number, to: number]> = []
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
    found.push([at, at + secret.length])
  }
  let end = 0
  for (const piece of words) {
    const start = end
    end += piece.text.length
    const ours = found.filter(([from, to]) => from < end && to > start && (from < start || to > end))
    let left = ""
    let at = start
    for (const [from, to] of ours) {
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
