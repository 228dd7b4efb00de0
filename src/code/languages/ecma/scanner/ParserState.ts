/** The state of a parse: tokens, nodes found, nesting. */
import { rows, ScannedNode, type Text } from "../../../Symbols/internal/outline/ScannedNode.ts"
import * as Token from "./Token.ts"

/** Thrown if the scanner may misread the text. `EcmaScanner` catches it, and tree-sitter parses the text instead. */
export class Unsure extends Error {}

/** Returns the token index itself, and is unsure if it is -1. */
export const requireToken = (at: number): number => {
  if (at < 0) throw new Unsure()
  return at
}

export class ParserState {
  readonly tokens: Token.Tokens
  /** Nodes that may have a role, in the order in which they were read, not of their offsets. */
  readonly found: Array<ScannedNode> = []
  /** The nodes of `exports` in assignments and variables of CommonJS, by token. */
  readonly exports = new Map<number, ScannedNode>()
  private readonly source: Text
  private depth = 0

  constructor(tokens: Token.Tokens) {
    this.tokens = tokens
    this.source = { text: tokens.text, row: rows(tokens.text) }
  }

  kind(at: number): number {
    return this.tokens.kind[at] ?? Token.END
  }

  /** Returns the token after the bracket that opens at `at`, and is unsure if another token is there. */
  after(at: number, bracket: number): number {
    if (this.kind(at) !== bracket) throw new Unsure()
    return Token.after(this.tokens, at)
  }

  startsLine(at: number): boolean {
    return this.tokens.isFirst[at] === 1
  }

  textOf(at: number): string {
    return this.tokens.text.slice(this.tokens.start[at], this.tokens.end[at])
  }

  /** Reads one level deeper, and is unsure beyond `MAX_NESTING`. */
  nested<A>(read: () => A): A {
    if (++this.depth > MAX_NESTING) throw new Unsure()
    const result = read()
    this.depth--
    return result
  }

  textIs(at: number, word: string): boolean {
    const { end, start, text } = this.tokens
    const from = start[at] ?? 0
    return (end[at] ?? 0) - from === word.length && text.startsWith(word, from)
  }

  /** Makes a node from one token to another, both included. */
  node(type: string, first: number, last = first): ScannedNode {
    return new ScannedNode(this.source, type, true, this.tokens.start[first] ?? 0, this.tokens.end[last] ?? 0)
  }

  /** Makes the node of a keyword or punctuator. */
  keyword(at: number): ScannedNode {
    const { end, start } = this.tokens
    return new ScannedNode(this.source, this.textOf(at), false, start[at] ?? 0, end[at] ?? 0)
  }

  comment(start: number, end: number): ScannedNode {
    return new ScannedNode(this.source, "comment", true, start, end)
  }

  /**
   * Ends a statement, and returns the token after it. A `;` at its end becomes its child; without an end the outline is
   * unsure.
   */
  endStatement(statement: ScannedNode, at: number): number {
    if (this.kind(at) === Token.SEMICOLON) {
      statement.add(this.keyword(at))
      return at + 1
    }
    if (!this.startsLine(at) && this.kind(at) !== Token.CLOSE_BRACE) throw new Unsure()
    return at
  }
}

/** The most levels of statements, classes and patterns. It bounds the recursion of the scanner. */
const MAX_NESTING = 50
