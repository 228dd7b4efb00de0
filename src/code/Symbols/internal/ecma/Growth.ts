/** A tree that grows from tokens, and what its readers share. */
import { Branch, type Text } from "./Branch.ts"
import * as Token from "./Token.ts"

/** Thrown where a reader is not sure of what it reads, and caught where the text was given to it. */
export class Unsure extends Error {}

/** The token, where there is one. */
export const sure = (at: number): number => {
  if (at < 0) throw new Unsure()
  return at
}

export class Growth {
  readonly tokens: Token.Tokens
  /** What may have a meaning, as it was read: what is inside of another node may come before it. */
  readonly nodes: Array<Branch> = []
  /** Where `exports` of CommonJS is assigned, or given a name, by its token. */
  readonly exports = new Map<number, Branch>()
  private readonly source: Text
  private depth = 0

  constructor(tokens: Token.Tokens) {
    this.tokens = tokens
    this.source = { text: tokens.text, row: rows(tokens.text) }
  }

  kind(at: number): number {
    return this.tokens.kind[at] ?? Token.END
  }

  /** The token after a bracket that opens there; unsure where another token stands. */
  after(at: number, bracket: number): number {
    if (this.kind(at) !== bracket) throw new Unsure()
    return Token.after(this.tokens, at)
  }

  isFirst(at: number): boolean {
    return this.tokens.isFirst[at] === 1
  }

  textOf(at: number): string {
    return this.tokens.text.slice(this.tokens.start[at], this.tokens.end[at])
  }

  /** Reads what stands in something else; unsure where that goes deeper than anybody writes. */
  inside<A>(read: () => A): A {
    if (++this.depth > deepest) throw new Unsure()
    const what = read()
    this.depth--
    return what
  }

  is(at: number, word: string): boolean {
    const { end, start, text } = this.tokens
    const from = start[at] ?? 0
    return (end[at] ?? 0) - from === word.length && text.startsWith(word, from)
  }

  /** Of the tokens from one to another, both included. */
  branch(type: string, first: number, last = first): Branch {
    return new Branch(this.source, type, true, this.tokens.start[first] ?? 0, this.tokens.end[last] ?? 0)
  }

  /** A keyword or a mark. */
  mark(at: number): Branch {
    const { end, start } = this.tokens
    return new Branch(this.source, this.textOf(at), false, start[at] ?? 0, end[at] ?? 0)
  }

  comment(start: number, end: number): Branch {
    return new Branch(this.source, "comment", true, start, end)
  }

  /** Adds the `;` that ends a statement, where there is one; unsure where nothing ends it. */
  end(statement: Branch, at: number): number {
    if (this.kind(at) === Token.SEMICOLON) {
      statement.add(this.mark(at))
      return at + 1
    }
    if (!this.isFirst(at) && this.kind(at) !== Token.CLOSE_BRACE) throw new Unsure()
    return at
  }
}

const deepest = 50

/** Made of the text when the first line is asked for. */
const rows = (text: string): ((offset: number) => number) => {
  let starts: ReadonlyArray<number> | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low
  }
}

const lineStarts = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}
