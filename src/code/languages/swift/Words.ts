/** The words of a masked text of Swift. */
import { Words as AnyWords, MAX_WORDS } from "../../Symbols/internal/references/Words.ts"
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

/** Matches the words whose braces are not a closure. */
const opensBlock =
  /^(?:if|guard|while|for|switch|else|catch|repeat|do|func|init|var|class|struct|enum|extension|protocol|in|where|->|get|set|willSet|didSet|subscript|defer)$/

/** Matches what may stand between the first modifier of a declaration and its keyword. */
const modifier =
  /^(?:public|private|fileprivate|internal|open|package|final|lazy|weak|unowned|override|mutating|nonmutating|required|convenience|nonisolated|async|\))$/

const word = /[\p{L}_$][\p{L}\p{N}_$]*|`[^`\n]+`|\d[\w.]*|->|\.\.[.<]|\?\?|&&|\|\||[=!<>]=|[^\s\p{L}]/gu

export class Words extends AnyWords {
  constructor(code: string) {
    super(code, word)
  }

  isKeyword(at: number): boolean {
    return keywords.has(this.at(at))
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

  /** Returns whether a closure follows a call or a name, and not the braces of a statement. */
  isTrailingClosure(at: number): boolean {
    if (this.at(at) !== "{" || this.isLineStart(at)) return false
    const open = this.bracketAround(at)
    // Round brackets hold no statements.
    if (open >= 0 && this.at(open) !== "{") return true
    for (let before = at - 1, left = MAX_WORDS; before >= 0 && left > 0; left--) {
      const text = this.at(before)
      if (opensBlock.test(text)) return false
      if (/^[{};]$/.test(text)) return true
      // A line that begins with a dot, or follows an operator, goes on with the statement above.
      if (this.isLineStart(before) && text !== "." && !/^(?:[,(=&|?:]|&&|\|\||\?\?)$/.test(this.at(before - 1)))
        return true
      const opener = this.opener(before)
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
      const opener = this.opener(before)
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
