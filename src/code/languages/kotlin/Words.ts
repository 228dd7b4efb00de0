/** The words of a masked text of Kotlin. */
import { Words as AnyWords, MAX_WORDS } from "../../Symbols/internal/references/Words.ts"

export const isName = /^[\p{L}_`$]/u

export const isTypeName = /^_*\p{Lu}/u

/** The words that no name can be. */
const keywords: ReadonlySet<string> = new Set(
  "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while".split(
    " ",
  ),
)

/** Words that are no names before a declaration or another one of them. */
const modifiers: ReadonlySet<string> = new Set(
  "abstract actual annotation companion const crossinline data enum expect external final infix inline inner internal lateinit noinline open operator out override private protected public reified sealed suspend tailrec value vararg".split(
    " ",
  ),
)

const word =
  /[\p{L}_$][\p{L}\p{N}_$]*|`[^`\n]+`|\d[\w.]*\w|\d|->|\.\.<?|\?[.:]|!!|::|&&|\|\||[=!]==?|[<>]=|[-+*/%]=|\+\+|--|[^\s\p{L}]/gu

/** Matches the words whose brackets hold the condition of a statement. */
const hasCondition = /^(?:if|while|for|when|catch)$/

/** Matches the words whose braces hold statements. */
const opensStatements = /^(?:else|try|finally|do|init|when|->|get|set)$/

/** Matches the words at which a line begins that goes on with the expression above. */
const goesOn = /^(?:[.{)=+]|\?[.:]|::|&&|\|\||as|else|in|is|->)$/

/** Matches the words at the end of a line after which an expression goes on. */
const isUnfinished =
  /^(?:[-+*/%=<>(,.&|]|\?[.:]|::|&&|\|\||[=!]==?|[<>]=|[-+*/%]=|\.\.<?|->|else|as|in|is|return|throw|by)$/

export class Words extends AnyWords {
  constructor(code: string) {
    super(code, word)
  }

  isKeyword(at: number): boolean {
    return keywords.has(this.at(at))
  }

  isModifier(at: number): boolean {
    if (!modifiers.has(this.at(at))) return false
    const next = this.at(at + 1)
    return (
      modifiers.has(next) ||
      /^(?:class|constructor|fun|interface|object|val|var|typealias|@)$/.test(next) ||
      (isName.test(next) && !this.isLineStart(at + 1) && !this.isKeyword(at + 1) && this.isInBrackets(at))
    )
  }

  /** Returns whether a modifier stands before the word that begins a declaration. */
  hasModifier(at: number, text: string): boolean {
    for (let before = at - 1; at - before < 8 && isName.test(this.at(before)); before--)
      if (this.at(before) === text) return true
    return false
  }

  /** Returns whether a value ends with the word before another one on the same line. */
  isBehindValue(at: number): boolean {
    if (at === 0 || this.isLineStart(at)) return false
    const before = this.at(at - 1)
    if (/^[\])}"]$|^\d/.test(before)) {
      if (before !== ")") return before !== "}" || this.isLambda(this.opener(at - 1))
      const opener = this.opener(at - 1)
      return opener > 0 && !hasCondition.test(this.at(opener - 1)) && this.at(opener - 2) !== "@"
    }
    if (/^(?:this|super|null|true|false)$/.test(before)) return true
    if (/^(?:by|where|out|reified|vararg|suspend|noinline|crossinline)$/.test(before)) return false
    return isName.test(before) && !this.isKeyword(at - 1) && !this.isModifier(at - 1) && this.at(at - 2) !== "@"
  }

  /** Returns whether braces hold a function, and not statements. Those of declarations are known otherwise. */
  isLambda(open: number): boolean {
    if (this.at(open) !== "{") return false
    const before = this.at(open - 1)
    if (opensStatements.test(before)) return false
    const opener = this.opener(open - 1)
    return before !== ")" || opener <= 0 || !hasCondition.test(this.at(opener - 1))
  }

  isLabelled(at: number): boolean {
    return this.at(at + 1) === "@" && this.isTight(at + 1)
  }

  /** Returns the word behind an annotation. */
  skipAnnotation(at: number): number {
    let next = at + 1
    if (this.at(next + 1) === ":" && this.isTight(next + 1)) next += 2
    if (this.at(next) === "[") return this.closing(next) + 1
    next++
    while (this.at(next) === "." && isName.test(this.at(next + 1))) next += 2
    next = this.skipGenerics(next)
    return this.at(next) === "(" && this.isTight(next) ? this.closing(next) + 1 : next
  }

  /** Returns the word behind a type. */
  skipType(from: number): number {
    let at = from
    for (let left = MAX_WORDS; left > 0; left--) {
      while (this.at(at) === "@") at = this.skipAnnotation(at)
      while (/^(?:suspend|in|out|vararg)$/.test(this.at(at))) at++
      if (this.at(at) === "(") at = this.closing(at) + 1
      else if (isName.test(this.at(at)) || this.at(at) === "*") at = this.skipGenerics(at + 1)
      else return at
      while (this.at(at) === "?") at++
      if (!/^(?:\.|\?\.|->|&)$/.test(this.at(at))) return at
      at++
    }
    return at
  }

  /** The last expression whose end was looked for in each pair of brackets. */
  private readonly expressions = new Map<number, { readonly from: number; readonly end: number }>()

  /** Returns the word behind an expression that may have several lines. */
  expressionEnd(from: number): number {
    const around = this.bracketAround(from)
    const known = this.expressions.get(around)
    // An expression in another one ends with it, and is not read again.
    if (known !== undefined && known.from <= from && from < known.end) return known.end
    const end = this.findExpressionEnd(from)
    this.expressions.set(around, { from, end })
    return end
  }

  private findExpressionEnd(from: number): number {
    let at = from
    for (;;) {
      if (at >= this.length) return this.length
      const text = this.at(at)
      if (/^[)\]},;]$/.test(text)) return at
      if (at > from && this.isLineStart(at) && !goesOn.test(text) && !isUnfinished.test(this.at(at - 1))) return at
      at = /^[([{]$/.test(text) ? this.closing(at) + 1 : at + 1
    }
  }

  /** Returns the first word that begins at an offset or behind it. */
  atOffset(offset: number): number {
    let low = 0
    for (let high = this.length; low < high; ) {
      const middle = (low + high) >>> 1
      if (this.start(middle) < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Returns the parameters of a function in braces, by the word of each name: `{ a, (b, c), d: D -> … }`; undefined if
   * it names none. The names in brackets have no position.
   */
  lambdaParameters(open: number): ReadonlyArray<readonly [name: number, position: number | undefined]> | undefined {
    const found: Array<readonly [name: number, position: number | undefined]> = []
    let position = 0
    let at = open + 1
    for (let left = MAX_WORDS; left > 0; left--) {
      const text = this.at(at)
      if (text === "->") return found
      if (text === "(") {
        for (const [from] of this.items(at, this.closing(at)))
          if (isName.test(this.at(from))) found.push([from, undefined])
        at = this.closing(at) + 1
      } else if (isName.test(text) && !this.isKeyword(at)) found.push([at++, position])
      else return undefined
      if (this.at(at) === ":") at = this.skipType(at + 1)
      if (this.at(at) === ",") {
        at++
        position++
      } else if (this.at(at) !== "->") return undefined
    }
    return undefined
  }
}
