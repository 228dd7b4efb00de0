/**
 * The words of a masked text, with the brackets that belong together, for languages that are read without a syntax
 * tree. All questions about them look at few words.
 */
import { lastUpTo } from "../../../../base/Text.ts"

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** The most words of a header, a list of generic parameters or of the parameters of a closure. */
export const MAX_WORDS = 120

export class Words {
  private readonly texts: Array<string> = []
  private readonly starts: Array<number> = []
  private readonly ends: Int32Array
  /** The bracket that opens what a word is in, and the one that a closing bracket belongs to; -1 for none. */
  private readonly around: Int32Array
  private readonly openers: Int32Array
  private readonly lines: Array<number> = [0]

  /** `pattern` matches a word, which may be a bracket or an operator. */
  constructor(code: string, pattern: RegExp) {
    for (const { 0: text, index } of code.matchAll(pattern)) {
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
      if (text === "(" || text === "{" || text === "[") open.push(at)
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

  /** Returns the bracket around a word; -1 if there is none. */
  bracketAround(at: number): number {
    return this.around[at] ?? -1
  }

  /** Returns the bracket that a closing one belongs to; -1 for other words. */
  opener(at: number): number {
    return this.openers[at] ?? -1
  }

  /** Returns whether nothing is between a word and the one before it. */
  isTight(at: number): boolean {
    return at > 0 && this.start(at) === this.start(at - 1) + this.at(at - 1).length
  }

  isInBrackets(at: number): boolean {
    const open = this.around[at] ?? -1
    return open >= 0 && this.at(open) !== "{"
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
    return this.at(at) === "<" && this.isTight(at) && this.skipGenerics(at) !== at
  }
}
