/** The ends of brackets, of blocks between keywords and of indented blocks. */
import { lastUpTo } from "../../../../base/Text.ts"

export interface Blocks {
  /** True if every bracket has its partner. */
  readonly isBalanced: boolean
  /**
   * Returns the offset after the bracket that closes the one at an offset; 0 if none opens there, or it has no partner.
   */
  readonly closeOf: (offset: number) => number
  /** Returns the end of the lines below that of `offset` that are indented deeper, with the line that closes them. */
  readonly indentedEnd: (offset: number) => number
  /** Returns the indentation of the line of an offset, in characters. */
  readonly indentation: (offset: number) => number
}

/** Keywords that open and close a block: regular expressions without groups. */
export interface Words {
  readonly open: string
  readonly close: string
}

/** Compiles the keywords of a language into a function that finds the blocks of a code. */
export const blocksWith = (words?: Words): ((code: string) => Blocks) => {
  const tokens = new RegExp(words === undefined ? "[{}()[\\]]" : `[{}()[\\]]|(${words.open})|(${words.close})`, "gim")
  return (code) => {
    const { closes, isBalanced } = matchBrackets(code, tokens)
    const { indentation, indentedEnd } = lines(code)
    return { isBalanced, closeOf: (offset) => closes[offset] ?? 0, indentation, indentedEnd }
  }
}

const partners: Readonly<Record<string, string>> = { "}": "{", ")": "(", "]": "[" }

/**
 * Pairs the brackets. A bracket without a partner is skipped: one that closes more than is open, and those within one
 * that closes around them.
 */
const matchBrackets = (code: string, tokens: RegExp) => {
  const closes = new Uint32Array(code.length)
  const open: Array<{ readonly kind: string; readonly at: number }> = []
  const depths: Record<string, number> = {}
  let isBalanced = true
  tokens.lastIndex = 0
  for (let match = tokens.exec(code); match !== null; match = tokens.exec(code)) {
    const [text, opens, ends] = match
    const kind = opens === undefined ? text : "word"
    const closed = ends === undefined ? partners[text] : "word"
    if (closed === undefined) {
      open.push({ kind, at: match.index })
      depths[kind] = (depths[kind] ?? 0) + 1
    } else if ((depths[closed] ?? 0) === 0) isBalanced &&= closed === "word"
    // A word such as `end` may be an index in brackets.
    else if (closed !== "word" || open.at(-1)?.kind === "word") {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        depths[last.kind] = (depths[last.kind] ?? 0) - 1
        if (last.kind === closed) {
          closes[last.at] = tokens.lastIndex
          break
        }
        // A word such as `if` may stand in brackets without a block.
        isBalanced &&= last.kind === "word"
      }
    }
  }
  return { closes, isBalanced: isBalanced && open.length === 0 }
}

/** Lists the lines of a text, with their indentation. Blank ones count for nothing. */
const lines = (code: string) => {
  const starts: Array<number> = []
  const indents: Array<number> = []
  for (let start = 0; start < code.length; ) {
    const next = code.indexOf("\n", start)
    const end = next === -1 ? code.length : next
    let first = start
    while (first < end && (code[first] === " " || code[first] === "\t" || code[first] === "\r")) first++
    if (first < end) {
      starts.push(start)
      indents.push(first - start)
    }
    start = end + 1
  }
  /** Returns the index of the last line that begins at or before an offset. */
  const lineOf = (offset: number): number => lastUpTo(starts, offset)
  const indentation = (offset: number): number => indents[lineOf(offset)] ?? 0
  const endOfLine = (line: number): number => (starts[line] === undefined ? code.length : endFrom(starts[line]))
  const endFrom = (start: number): number => {
    const end = code.indexOf("\n", start)
    return end === -1 ? code.length : end
  }
  const indentedEnd = (offset: number): number => {
    const first = lineOf(offset)
    const indent = indents[first] ?? 0
    let next = first + 1
    while ((indents[next] ?? -1) > indent) next++
    closing.lastIndex = (starts[next] ?? code.length) + (indents[next] ?? 0)
    const isClosing = indents[next] === indent && closing.test(code)
    return endOfLine(isClosing ? next : next - 1)
  }
  return { indentation, indentedEnd }
}

const closing = /[)\]}]|end\b/y
