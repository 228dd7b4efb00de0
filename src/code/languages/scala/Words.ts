/** The words of a masked text of Scala, with the lines that belong together by their indentation. */
import { Words as AnyWords, MAX_WORDS } from "../../Symbols/internal/references/Words.ts"

/** Answers at once for a word that begins with a letter of ASCII, as most do: it is asked many times for each. */
const quickly = (pattern: RegExp, small: boolean, capital: boolean) => ({
  test: (text: string): boolean => {
    const code = text.charCodeAt(0)
    if (code >= 97 && code <= 122) return small
    return code >= 65 && code <= 90 ? capital : pattern.test(text)
  },
})

export const isName = quickly(/^[\p{L}_$`]/u, true, true)

/** Matches the names that begin with a capital, as those of types and objects do. */
export const isTypeName = quickly(/^[`_]*\p{Lu}/u, false, true)

/** Matches a name of operator characters. */
export const isOperator = quickly(/^[-+*/%=<>!&|^~?:#@\\]+$/, false, false)

/** The words that no name can be. */
const keywords: ReadonlySet<string> = new Set(
  "abstract case catch class def do else enum export extends false final finally for forSome given if implicit import lazy match new null object override package private protected return sealed super then this throw trait true try type val var while with yield".split(
    " ",
  ),
)

const word = /[\p{L}_$][\p{L}\p{N}_$]*|`[^`\n]*`|\d\w*(?:\.\d\w*)?|[-+*/%=<>!&|^~?:#@\\]+|\S/gu

/** Matches the words whose brackets hold the condition of a statement. */
const hasCondition = /^(?:if|while|for|catch|match)$/

/** Matches the words at which a line begins that goes on with what is above, however it is indented. */
const goesOn = /^(?:[)\]}.{]|else|yield|then|do|catch|finally|extends|with|match)$/

export class Words extends AnyWords {
  /** The first word of the line of each word. */
  private readonly firsts: Int32Array
  private readonly columns: Int32Array
  /** The next line that is not indented deeper than that of a first word, and the next one that is less. */
  private readonly notDeeper: Int32Array
  private readonly lesser: Int32Array
  /** The next comma in the same brackets. */
  private readonly commas: Int32Array

  constructor(code: string) {
    super(code, word)
    const { length } = this
    this.firsts = new Int32Array(length)
    this.columns = new Int32Array(length)
    this.notDeeper = new Int32Array(length).fill(length)
    this.lesser = new Int32Array(length).fill(length)
    this.commas = new Int32Array(length).fill(length)
    let lineStart = 0
    let nextLine = code.indexOf("\n")
    let first = 0
    for (let at = 0; at < length; at++) {
      if (at === 0 || (nextLine !== -1 && this.start(at) > nextLine)) first = at
      while (nextLine !== -1 && this.start(at) > nextLine) {
        lineStart = nextLine + 1
        nextLine = code.indexOf("\n", lineStart)
      }
      this.firsts[at] = first
      this.columns[at] = this.start(at) - lineStart
    }
    this.linkLines()
    this.linkCommas()
  }

  private linkLines(): void {
    const open: Array<number> = []
    const deeper: Array<number> = []
    for (let at = this.length - 1; at >= 0; at--) {
      if (this.firsts[at] !== at) continue
      const column = this.column(at)
      while (open.length > 0 && this.column(open.at(-1) ?? 0) > column) open.pop()
      while (deeper.length > 0 && this.column(deeper.at(-1) ?? 0) >= column) deeper.pop()
      this.notDeeper[at] = open.at(-1) ?? this.length
      this.lesser[at] = deeper.at(-1) ?? this.length
      if (goesOn.test(this.at(at))) continue
      open.push(at)
      deeper.push(at)
    }
  }

  private linkCommas(): void {
    const next = new Int32Array(this.length + 1).fill(this.length)
    for (let at = this.length - 1; at >= 0; at--) {
      const around = this.bracketAround(at) + 1
      this.commas[at] = next[around] ?? this.length
      if (this.at(at) === ",") next[around] = at
    }
  }

  private column(at: number): number {
    return this.columns[at] ?? 0
  }

  /** Returns whether a word begins farther to the right than another one. */
  isDeeper(at: number, other: number): boolean {
    return this.column(at) > this.column(other)
  }

  override isLineStart(at: number): boolean {
    return at >= this.length || this.firsts[at] === at
  }

  isKeyword(at: number): boolean {
    return keywords.has(this.at(at))
  }

  /** Returns whether a word is a name that is no keyword. */
  isFreeName(at: number): boolean {
    return isName.test(this.at(at)) && !this.isKeyword(at)
  }

  /** Returns whether a modifier stands before the word that begins a declaration. */
  hasModifier(at: number, text: string): boolean {
    for (let before = at - 1; at - before < 8 && /^(?:\p{Ll}|[\]])/u.test(this.at(before)); before--) {
      if (this.at(before) === text) return true
      if (this.at(before) === "]") before = this.opener(before)
    }
    return false
  }

  /** Returns the end of what encloses a word: the bracket that closes around it. */
  enclosingEnd(at: number): number {
    const around = this.bracketAround(at)
    return around === -1 ? this.length : this.closing(around)
  }

  /** Returns the end of a declaration whose body has no braces: the first line that is not indented deeper. */
  indentedEnd(at: number): number {
    return Math.min(this.notDeeper[this.firsts[at] ?? 0] ?? this.length, this.enclosingEnd(at))
  }

  /** Returns the first line that is indented less than that of a word, or the end of what encloses it. */
  outdent(at: number): number {
    return Math.min(this.lesser[this.firsts[at] ?? 0] ?? this.length, this.enclosingEnd(at))
  }

  /** Returns the end of an argument: the next comma in the brackets, or their end. */
  argumentEnd(at: number): number {
    return Math.min(this.commas[at] ?? this.length, this.enclosingEnd(at))
  }

  /** Returns whether a value ends with the word before another one on the same line. */
  isBehindValue(at: number): boolean {
    if (at === 0 || this.isLineStart(at)) return false
    const before = this.at(at - 1)
    if (/^["\]}]$|^\d/.test(before)) return true
    if (before === ")") {
      const opener = this.opener(at - 1)
      return opener > 0 && !hasCondition.test(this.at(opener - 1)) && this.at(opener - 2) !== "@"
    }
    if (/^(?:this|super|null|true|false)$/.test(before)) return true
    if (before === "inline" || before === "using" || before === "derives") return false
    return isName.test(before) && !this.isKeyword(at - 1) && this.at(at - 2) !== "@"
  }

  /** Returns the word behind an annotation. */
  skipAnnotation(at: number): number {
    let next = at + 2
    while (this.at(next) === "." && isName.test(this.at(next + 1))) next += 2
    if (this.at(next) === "[") next = this.closing(next) + 1
    return this.at(next) === "(" && this.isTight(next) ? this.closing(next) + 1 : next
  }

  /** Returns the arrow behind a pattern that begins at a word; -1 if there is none nearby. */
  arrowAfter(from: number): number {
    const end = Math.min(this.enclosingEnd(from), from + MAX_PATTERN)
    for (let at = from; at < end; ) {
      const text = this.at(at)
      if (text === "=>" || text === "⇒") return at
      if (text === "case" && at > from) return -1
      at = /^[([{]$/.test(text) ? this.closing(at) + 1 : at + 1
    }
    return -1
  }
}

/** The most words of a pattern. */
const MAX_PATTERN = 4 * MAX_WORDS
