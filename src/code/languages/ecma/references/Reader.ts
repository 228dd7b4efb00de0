/** The state of reading one file of TypeScript or JavaScript: its tokens, and the facts that were found so far. */

import { absolute, bind, type Expression, Facts, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../../Symbols.ts"
import * as Token from "../scanner/Token.ts"

/** Deeper nested code is passed over. */
const MAX_DEPTH = 100

/**
 * The functions of this folder take the reader, the index of a token to begin at, and a scope. Those named `read…` and
 * `declare…` report uses and bind names, and mostly return the index of the token after what they read. Those named
 * `…At` return the expression at that token and report nothing.
 */
export abstract class Reader {
  readonly facts: Facts
  readonly tokens: Token.Tokens
  readonly kind: Uint8Array
  /**
   * The value of the first parameter of a function, by the first token of the function: the callback of an iteration.
   */
  readonly elements = new Map<number, Expression>()
  /**
   * The meaning of `this` in a function, by the first token of the function: a constructor, or a method of a prototype.
   */
  readonly receivers = new Map<number, Expression>()
  /** The token at which an expression begins that is exported as it is. */
  passedOn = -1
  /** The bracket before the parameters of the function that the file exports. */
  exportedFunction = -1
  private readonly match: Int32Array
  private depth = 0

  constructor(tokens: Token.Tokens, symbols: ReadonlyArray<CodeSymbol>) {
    this.tokens = tokens
    this.kind = tokens.kind
    this.match = tokens.match
    this.facts = new Facts(tokens.text, symbols)
  }

  /**
   * Reads statements and expressions between two tokens. The constructs that contain them call it, and it calls the
   * constructs in them.
   */
  abstract scan(from: number, to: number, scope: Scope): void

  /** Begins a deeper level, which `leave` ends; returns `false` beyond the deepest. */
  enter(): boolean {
    if (this.depth >= MAX_DEPTH) return false
    this.depth++
    return true
  }
  leave(): void {
    this.depth--
  }

  /** Binds the name at a token to its symbol, and returns the ordinal of that symbol; -1 for a local name. */
  declare(at: number, scope: Scope): number {
    const name = this.textOf(at)
    const ordinal = this.facts.symbolNamed(name, this.offsetOf(at), scope)
    bind(scope, name, ordinal < 0 ? null : absolute(`#${ordinal}`))
    return ordinal
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
    return Math.max(at, this.match[at] ?? at) + 1
  }
  /** Returns whether a token can be the name of a variable. */
  isNameable(at: number): boolean {
    return Token.isNameable(this.kind[at] ?? Token.END)
  }
  startsLine(at: number): boolean {
    return this.tokens.isFirst[at] === 1
  }
  /** Returns the module specifier in a string; `undefined` for other tokens, and for strings that cannot be one. */
  specifierAt(at: number): string | undefined {
    if (this.kind[at] !== Token.STRING) return undefined
    const text = this.textOf(at).slice(1, -1)
    return /^[^"\\\p{Cc}]+$/u.test(text) ? text : undefined
  }
}
