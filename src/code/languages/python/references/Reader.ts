/** The state of reading one file of Python: its tokens, and the facts that were found so far. */

import { type Binding, Facts, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../../Symbols.ts"
import * as Token from "./Tokens.ts"

/** Deeper nested code is passed over. */
const MAX_DEPTH = 100

export const keywords: ReadonlySet<string> = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
)

export interface Owner {
  /** The ordinal of the class that has the statement in its body; -1 for none. */
  readonly ordinal: number
}

/** The return value of the function that is read, as far as its statements show it. */
export interface Returns {
  value: Binding
  isGenerator: boolean
}

/**
 * The functions of this folder take the reader, the index of a token to begin at, and a scope. Those named `read…`
 * report uses and bind names, and mostly return the index of the token after what they read. Those named `…At` return
 * the expression at that token.
 */
export abstract class Reader {
  readonly facts: Facts
  readonly tokens: Token.Tokens
  readonly kind: ReadonlyArray<number>
  /** The return value of the innermost function; `undefined` outside of all functions. */
  returns: Returns | undefined = undefined
  private depth = 0

  constructor(tokens: Token.Tokens, symbols: ReadonlyArray<CodeSymbol>) {
    this.tokens = tokens
    this.kind = tokens.kind
    this.facts = new Facts(tokens.text, symbols)
  }

  /** Reads the expressions between two tokens. They can contain the constructs that call this method, as blocks do. */
  abstract scan(from: number, to: number, scope: Scope): void

  /** Reads the block after the colon of a header, indented or on the same line, and returns the token after it. */
  abstract readBlock(colon: number, scope: Scope, owner: Owner): number

  /** Begins a deeper level, which `leave` ends; returns `false` beyond the deepest. */
  enter(): boolean {
    if (this.depth >= MAX_DEPTH) return false
    this.depth++
    return true
  }
  leave(): void {
    this.depth--
  }

  textOf(at: number): string {
    return this.tokens.text.slice(this.tokens.start[at], this.tokens.end[at])
  }
  textIs(at: number, word: string): boolean {
    const from = this.tokens.start[at] ?? 0
    return (this.tokens.end[at] ?? 0) - from === word.length && this.tokens.text.startsWith(word, from)
  }
  /** Returns the offset in the text at which a token begins. */
  offsetOf(at: number): number {
    return this.tokens.start[at] ?? 0
  }
  /** Returns the token after a token, or after the bracket that closes it. */
  after(at: number): number {
    return Math.max(at, this.tokens.match[at] ?? at) + 1
  }
  isName(at: number): boolean {
    return this.kind[at] === Token.NAME && !keywords.has(this.textOf(at))
  }
  /** Returns the end of the simple statement or header at `from`: a line end, a semicolon, or the colon of a header. */
  statementEnd(from: number, isHeader: boolean): number {
    const { kind, tokens } = this
    let at = from
    let lambdas = 0
    while (at < tokens.count && kind[at] !== Token.NEWLINE && kind[at] !== Token.SEMICOLON) {
      if (kind[at] === Token.NAME && this.textIs(at, "lambda")) lambdas++
      else if (kind[at] === Token.COLON && isHeader) {
        if (lambdas === 0) return at
        lambdas--
      }
      at = this.after(at)
    }
    return Math.min(at, tokens.count)
  }
}

/** Returns the outermost scope. */
export const fileScope = (scope: Scope): Scope => {
  let file = scope
  while (file.outer !== undefined) file = file.outer
  return file
}
