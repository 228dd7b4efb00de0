/**
 * Colours code in the terminal, and marks the words of a question in it. It uses the terminal's own palette of 16
 * colours, which its user has chosen for its background, so the same codes are right with 16 and with 256 colours, on
 * light and on dark. Pure.
 */

import * as Style from "../../base/Style.ts"
import type { PaintCode } from "../../lookup/SymbolText.ts"
import * as Tokenizer from "../../search/Tokenizer.ts"
import * as CodeSyntax from "../View/terminal/CodeSyntax.ts"

const sgr = (on: string, off: string) => (text: string) => `\x1b[${on}m${text}\x1b[${off}m`

const colours: Readonly<Record<CodeSyntax.Kind, (text: string) => string>> = {
  comment: Style.coloured.quiet,
  string: sgr("32", "39"),
  number: sgr("33", "39"),
  keyword: sgr("35", "39"),
  added: sgr("32", "39"),
  removed: sgr("31", "39"),
  other: (text) => text,
}

/** Bold and underlined, which keeps the colour of a word and can be seen on any background. */
const mark = sgr("1;4", "22;24")

/** The styles of a stream that shows colours. */
export interface CodeColours {
  /** Colours the lines of a file, one after the other, and marks the words of the question in them. */
  readonly paint: PaintCode
  /** Marks the words of the question in a text. */
  readonly mark: (text: string) => string
  readonly added: (text: string) => string
  readonly removed: (text: string) => string
  readonly changed: (text: string) => string
}

/** Returns the colours for a stream of this style. `question` has the words to mark. */
export const of = (style: Style.Style, question = ""): CodeColours | undefined => {
  if (style === Style.plain) return undefined
  const terms = new Set(Tokenizer.terms(question))
  const isAsked = (word: string) => terms.size > 0 && Tokenizer.terms(word).some((term) => terms.has(term))
  /** Styles the words of a text one by one, since a style that ends within another would end that one too. */
  const words = (text: string, paint: (text: string) => string): string =>
    terms.size === 0
      ? paint(text)
      : joinSame(text.split(/(\w+)/).filter(Boolean), isAsked)
          .map(({ isMarked, text }) => (isMarked ? mark(text) : paint(text)))
          .join("")
  return {
    paint: (path) => {
      const language = /\.([^./]+)$/.exec(path)?.[1] ?? ""
      let state: CodeSyntax.State
      return (line) => {
        const found = CodeSyntax.spans(line, language, state)
        state = found.state
        let at = 0
        return found.spans
          .map(({ kind, length }) => {
            const text = line.slice(at, at + length)
            at += length
            return words(text, colours[kind])
          })
          .join("")
      }
    },
    mark: (text) => words(text, (text) => text),
    added: colours.added,
    removed: colours.removed,
    changed: colours.number,
  }
}

/** Joins pieces that follow each other and are marked, or not, alike. */
const joinSame = (pieces: ReadonlyArray<string>, isAsked: (word: string) => boolean) => {
  const joined: Array<{ readonly isMarked: boolean; readonly text: string }> = []
  for (const text of pieces) {
    const isMarked = isAsked(text)
    const last = joined.at(-1)
    if (last?.isMarked === isMarked) joined[joined.length - 1] = { isMarked, text: last.text + text }
    else joined.push({ isMarked, text })
  }
  return joined
}
