/**
 * The words of a masked text of Swift, with the brackets that belong together. All
 * questions about them look at few words.
 */
import { lastUpTo } from "../../../base/Text.ts"
import { swift } from "../patterns/braces.ts"

export const isName = /^[\p{L}_`$]/u

export const isTypeName = /^_*\p{Lu}/u

const keywords: ReadonlySet<string> = new Set(
  swift.keywords
    .split(" ")
    .filter(
      (word) => !/^(?:self|Self|super|actor|some|any|optional|set|get|dynamic|required|override|open)$/.test(word),
    ),
)

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** Matches the words whose braces are not a closure. */
const opensBlock =
  /^(?:if|guard|while|for|switch|else|catch|repeat|do|func|init|var|class|struct|enum|extension|protocol|in|where|->|get|set|willSet|didSet|subscript|defer)$/

/** Matches what may stand between the first modifier of a declaration and its keyword. */
const modifier =
  /^(?:public|private|fileprivate|internal|open|package|final|lazy|weak|unowned|override|mutating|nonmutating|required|convenience|nonisolated|async|\))$/

/** The most words of a header, a list of generic parameters or of the parameters of a closure. */
const MAX_WORDS = 120

export class Words {
  private readonly texts: Array<string> = []
  private readonly starts: Array<number> = []
  private readonly ends: Int32Array
  /** The bracket that opens what a word is in, and the one that a closing bracket belongs to; -1 for none. */
  private readonly around: Int32Array
  private readonly openers: Int32Array
  private readonly lines: Array<number> = [0]

  constructor(code: string) {
    for (const { 0: text, index } of code.matchAll(
      /[\p{L}_$][\p{L}\p{N}_$]*|`[^`\n]+`|\d[\w.]*|->|\.\.[.<]|\?\?|&&|\|\||[=!<>]=|[^\s\p{L}]/gu,
    )) {
      this.texts.push(text)
      this.starts.push(index)
    }
    for (let at = code.indexOf("\n"); at !== -1; at = code.indexOf("\n", at + 1)) this.lines.push(at + 1)
    this.ends = new Int32Array(this.texts.length).fill(this.texts.length)
    this.around = new Int32Array(this.texts.length).fill(-1)
    this.openers = new Int32Array(this.texts.length).fill(-1)
    const open: Array<number> = []
    this.texts.forEach((text, at) => {
      // A brace closes whatever brackets were left open in its block.
      if (text === "}") while (open.length > 0 && this.texts[open.at(-1) ?? 0] !== "{") open.pop()
      const opener = open.at(-1)
      if (opener !== undefined && closers[this.texts[opener] ?? ""] === text) {
        this.ends[opener] = at
        this.openers[at] = opener
        open.pop()
      }
      this.around[at] = open.at(-1) ?? -1
      if (/^[([{]$/.test(text)) open.push(at)
    })
  }

  get length(): number {
    return this.texts.length
  }

  at(at: number): string {
    return this.texts[at] ?? ""
  }

  start(at: number): number {
    return this.starts[at] ?? 0
  }

  /** Returns the bracket that closes the one at a word. */
  closing(at: number): number {
    return this.ends[at] ?? this.length
  }

  isInBrackets(at: number): boolean {
    const open = this.around[at] ?? -1
    return open >= 0 && this.at(open) !== "{"
  }

  isKeyword(at: number): boolean {
    return keywords.has(this.at(at))
  }

  isLineStart(at: number): boolean {
    if (at === 0 || at >= this.length) return true
    return this.lineOf(at) !== this.lineOf(at - 1)
  }

  private lineOf(at: number): number {
    return lastUpTo(this.lines, this.start(at))
  }

  lineEnd(at: number): number {
    let next = at + 1
    while (next < this.length && !this.isLineStart(next)) next++
    return next
  }

  /** Returns the word of a text within the next ones, outside of brackets; -1 if there is none. */
  find(from: number, text: string, most: number): number {
    for (let at = from, left = most; at < this.length && left >= 0; left--) {
      if (this.at(at) === text) return at
      if (/^[{}]$/.test(this.at(at))) return -1
      at = /^[([]$/.test(this.at(at)) ? this.closing(at) + 1 : at + 1
    }
    return -1
  }

  /** Returns the brace that opens the body of a declaration; -1 if it has none. */
  openingBrace(from: number): number {
    let left = MAX_WORDS
    for (let at = from; at < this.length && left-- > 0; ) {
      const text = this.at(at)
      if (text === "{") return at
      if (
        /^(?:[};=]|func|var|let|init|case|class|struct|enum|extension|protocol|static|public|private|internal|@)$/.test(
          text,
        )
      ) {
        // Types may have attributes: `-> @Sendable () -> Void`.
        if (text !== "@" || this.isLineStart(at)) return -1
      }
      at = /^[([]$/.test(text) ? this.closing(at) + 1 : at + 1
    }
    return -1
  }

  /** The first and last word of each item between brackets; the last is the one behind it. */
  *items(open: number, close: number): Generator<readonly [from: number, to: number]> {
    let from = open + 1
    let depth = 0
    for (let at = open + 1; at < close; ) {
      const text = this.at(at)
      if (text === "<" && this.isGenericCall(at)) depth++
      else if (text === ">" && depth > 0) depth--
      if (text === "," && depth === 0) {
        yield [from, at]
        from = at + 1
      }
      at = /^[([{]$/.test(text) ? this.closing(at) + 1 : at + 1
    }
    if (from < close) yield [from, close]
  }

  /** Returns the word behind a list of generic parameters or arguments; the word itself if none begins there. */
  skipGenerics(from: number): number {
    if (this.at(from) !== "<") return from
    let depth = 0
    for (let at = from, left = MAX_WORDS; at < this.length && left > 0; left--) {
      const text = this.at(at)
      if (text === "<") depth++
      else if (text === ">" && --depth === 0) return at + 1
      else if (/^[{};]$/.test(text)) return from
      at = /^[([]$/.test(text) ? this.closing(at) + 1 : at + 1
    }
    return from
  }

  /**
   * Returns whether generic arguments begin at a word, and not a comparison: nothing is between it and the name before.
   */
  isGenericCall(at: number): boolean {
    if (this.at(at) !== "<" || at === 0) return false
    const isTight = this.start(at) === this.start(at - 1) + this.at(at - 1).length
    return isTight && this.skipGenerics(at) !== at
  }

  /** Returns whether a closure follows a call or a name, and not the braces of a statement. */
  isTrailingClosure(at: number): boolean {
    if (this.at(at) !== "{" || this.isLineStart(at)) return false
    const open = this.around[at] ?? -1
    // Round brackets hold no statements.
    if (open >= 0 && this.at(open) !== "{") return true
    for (let before = at - 1, left = MAX_WORDS; before >= 0 && left > 0; left--) {
      const text = this.at(before)
      if (opensBlock.test(text)) return false
      if (/^[{};]$/.test(text)) return true
      // A line that begins with a dot, or follows an operator, goes on with the statement above.
      if (this.isLineStart(before) && text !== "." && !/^(?:[,(=&|?:]|&&|\|\||\?\?)$/.test(this.at(before - 1)))
        return true
      const opener = this.openers[before] ?? -1
      before = opener === -1 ? before - 1 : opener - 1
    }
    return false
  }

  /** Returns whether one of the modifiers before a word is of that kind. */
  hasModifier(at: number, kind: RegExp): boolean {
    for (let before = at - 1, left = 12; before >= 0 && left > 0; left--) {
      const text = this.at(before)
      if (kind.test(text)) return true
      if (!modifier.test(text)) return false
      const opener = this.openers[before] ?? -1
      before = opener === -1 ? before - 1 : opener - 1
    }
    return false
  }

  /** The words that name the parameters of a closure: `{ a, b in`, `{ (a: A) in`, `{ [weak self] a in`. */
  closureParameters(open: number): ReadonlyArray<number> {
    let at = open + 1
    if (this.at(at) === "@") at += 2
    if (this.at(at) === "[") at = this.closing(at) + 1
    const names: Array<number> = []
    const start = at
    if (this.at(at) === "(") {
      const close = this.closing(at)
      if (close - at > MAX_WORDS) return []
      for (const [from] of this.items(at, close)) names.push(from)
      at = close + 1
    } else {
      for (; at - start < MAX_WORDS && isName.test(this.at(at)) && !this.isKeyword(at); at++) {
        names.push(at)
        if (this.at(at + 1) !== ",") {
          at++
          break
        }
        at++
      }
    }
    for (let left = 10; left > 0; left--, at++) {
      if (this.at(at) === "in") return names
      if (/^[{};(=.]$/.test(this.at(at)) || this.at(at) === "") return []
    }
    return []
  }
}
