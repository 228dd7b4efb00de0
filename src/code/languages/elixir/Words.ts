/**
 * The words of an Elixir file: names, operators and brackets. A string is the word `"`, and the code in it stands
 * between `#{` and `#}`. An atom begins with a colon, the key of a keyword ends with one.
 */
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import { patterns } from "./patterns.ts"

const mask = maskWith(patterns.literals)

const word = new RegExp(
  [
    "[\\p{L}_][\\p{L}\\p{N}_]*(?:[?!](?!=))?(?::(?=\\s))?",
    "@[a-z_]\\w*[?!]?",
    ":[\\p{L}_][\\p{L}\\p{N}_@]*[?!]?",
    "&?\\d[\\w]*(?:\\.\\d\\w*)?",
    "::|:(?:%?\\{\\}|<<>>|[-+*/<>=|&!^~.]+)",
    "===|!==|=~|==|!=|<=|>=|<<<|>>>|<<~|~>>|<~>|<~|~>|<>|<<|>>|<-|->|=>|\\|\\|\\||\\|\\||\\|>|&&&|&&",
    "\\+\\+\\+?|---?|\\.\\.\\.?|\\\\\\\\|\\^\\^\\^|~~~|\\*\\*|[^\\s\\p{L}\\p{N}_]",
  ].join("|"),
  "gu",
)

export class Words {
  readonly length: number
  private readonly code: string
  private readonly texts: Array<string> = []
  private readonly starts: Array<number> = []
  private readonly ends: Array<number> = []

  constructor(text: string) {
    const { code, literals } = mask(text)
    this.code = code
    let next = 0
    let open = 0
    const readLiterals = (until: number): void => {
      for (let literal = literals[next]; literal !== undefined && literal.start < until; literal = literals[++next]) {
        if (literal.isComment) continue
        const { end, start } = literal
        const isContinued = open > 0 && text[start - 1] === "}" && code[start - 1] === " "
        if (isContinued) open--
        this.add(isContinued ? "#}" : '"', start, end)
        if (!text.startsWith("#{", end - 2)) continue
        open++
        this.add("#{", end, end)
      }
    }
    for (const { 0: found, index } of code.matchAll(word)) {
      readLiterals(index + 1)
      // The first character of a string stands for it, and modifiers of a sigil follow it at once.
      const isOfLiteral = index < (this.ends.at(-1) ?? 0) || (this.texts.at(-1) === '"' && index === this.ends.at(-1))
      if (found === '"' || (isOfLiteral && isName.test(found))) continue
      this.add(found, index, index + found.length)
    }
    this.length = this.texts.length
  }

  private add(text: string, start: number, end: number): void {
    this.texts.push(text)
    this.starts.push(start)
    this.ends.push(end)
  }

  at(index: number): string {
    return this.texts[index] ?? ""
  }

  start(index: number): number {
    return this.starts[index] ?? this.code.length
  }

  /** Returns whether white space stands before a word. */
  isSpaced(index: number): boolean {
    return this.start(index) > (this.ends[index - 1] ?? 0)
  }

  /** Returns whether a line break stands between a word and the one before it. */
  isLineStart(index: number): boolean {
    return this.code.slice(this.ends[index - 1] ?? 0, this.start(index)).includes("\n")
  }

  /** Returns whether a statement ends before a word: on a new line, and without an operator on either side. */
  endsBefore(index: number): boolean {
    return this.isLineStart(index) && this.isOperandEnd(index - 1) && !continuing.test(this.at(index))
  }

  private isOperandEnd(index: number): boolean {
    const text = this.at(index)
    return (
      /^(?:[\p{L}\p{N}_@:&]?[\p{L}\p{N}_]+[?!]?|["\])}]|>>|#\}|:[^\w:].*)$/u.test(text) &&
      (!operators.has(text) || text === "end")
    )
  }

  /** Returns whether the argument of a call without brackets begins at a word, right behind the name of the call. */
  beginsArgument(index: number): boolean {
    if (!this.isSpaced(index) || this.isLineStart(index)) return false
    const text = this.at(index)
    if (text.length > 1 && text.endsWith(":")) return true
    if (isName.test(text)) return !operators.has(text) || text === "not" || text === "fn"
    // A sign before its operand. Plus and minus are left out: `a -1` is a difference if `a` is a variable.
    if (/^[&!^]$/.test(text)) return !this.isSpaced(index + 1)
    return /^(?:["[{(%:]|<<|[@:&]?[\p{L}\p{N}_]+[?!]?|:[^\w:].*)$/u.test(text)
  }
}

/** Matches a name of a variable, a function or a part of the name of a module. */
export const isName = /^[\p{L}_][\p{L}\p{N}_]*[?!]?$/u

/** Keywords behind which an expression goes on or begins. */
const operators: ReadonlySet<string> = new Set("and or not in when do end fn else after rescue catch".split(" "))

/** Words that are no names of functions or variables. */
export const reserved: ReadonlySet<string> = new Set([...operators, "true", "false", "nil"])

/** Matches a word that goes on with the statement of the line before. */
const continuing =
  /^(?:and|or|in|when|do|\|>|\|\|?\|?|&&&?|<>|\+\+\+?|---?|={1,3}|=~|!==?|[<>]=?|<-|->|=>|::|\\\\|[.,*/]|\*\*|\.\.|<<<|>>>|<<~|~>>|<~>|<~|~>|\^\^\^|[)\]}]|>>|#\})$/
