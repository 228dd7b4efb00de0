/** Doc comments: which comment belongs to a symbol, and what it says without its marks. */

/** A comment, or a decorator or attribute that may stand between a comment and its symbol. */
export interface Aside {
  readonly start: number
  readonly end: number
  readonly isComment: boolean
}

/** The comment directly above an offset, as plain text. `asides` are those that start before it, in order. */
export const above = (
  text: string,
  asides: ReadonlyArray<Aside>,
  offset: number,
  isDoc: (comment: string) => boolean = () => true,
): string | undefined => {
  const lines: Array<string> = []
  let below = headOfLine(text, offset)
  let index = asides.length - 1
  for (; index >= 0; index--) {
    const aside = asides[index]
    if (aside === undefined || aside.start >= below) continue
    if (!touches(text, aside.end, below)) break
    below = aside.start
    if (!aside.isComment) continue
    const comment = text.slice(aside.start, aside.end)
    if (!startsLine(text, aside.start) || !isDoc(comment)) break
    if (isBlock.test(comment)) {
      // Lines between a doc comment and its symbol are notes to whoever edits it.
      if (lines.length > 0 && !comment.startsWith("/**")) break
      const doc = plain([comment])
      if (doc === undefined) continue
      return index === 0 && isLicense.test(comment) ? undefined : doc
    }
    lines.push(comment)
  }
  const isAtTop = index < 0
  return isAtTop && lines.some((line) => isLicense.test(line)) ? undefined : plain(lines.reverse())
}

/** Comments without their marks and without lines that speak to tools; none where nothing remains. */
export const plain = (comments: ReadonlyArray<string>): string | undefined =>
  joined(
    comments
      .flatMap((comment) => (isBlock.test(comment) ? ofBlock(comment) : [comment.replace(mark, "")]))
      .filter((line) => !forTools.test(line) && !isRuler(line)),
  )

/** A text whose first line starts somewhere within a line of the source: its indentation says nothing. */
export const hanging = (text: string): string | undefined => joined(hung(text.split(/\r?\n/)))

const hung = ([first = "", ...rest]: ReadonlyArray<string>): ReadonlyArray<string> => [first.trim(), ...dedent(rest)]

/** Without the indentation that all lines share. */
const dedent = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const margin = lines.reduce((least, line) => {
    const indentation = line.search(/\S/)
    return indentation === -1 ? least : Math.min(least, indentation)
  }, Number.POSITIVE_INFINITY)
  return lines.map((line) => line.slice(margin).trimEnd())
}

/** Without blank lines around them; none where nothing remains. */
const joined = (lines: ReadonlyArray<string>): string | undefined => {
  const dedented = dedent(lines)
  const isText = (line: string) => line !== ""
  const first = dedented.findIndex(isText)
  return first === -1 ? undefined : dedented.slice(first, dedented.findLastIndex(isText) + 1).join("\n")
}

/** In a file's first comment. */
const isLicense = /\b(?:copyright|licen[cs]ed?|spdx)\b/i

const isBlock = /^(?:\/\*|=begin\b)/

const mark = /^(?:\/\/+!?<?|#+)[ \t]?/

/** `-----` and `----- Section -----`. */
const isRuler = (line: string): boolean => line.length <= 200 && /^\s*([-=*#~_+/])\1{2}(?:.*\1{3}|\1*)\s*$/.test(line)

const forTools =
  /^\s*(?:!\/|eslint-|eslint:|tslint:|prettier-ignore|biome-ignore|oxlint-|deno-lint|@ts-|istanbul |c8 |v8 ignore|noqa|type: ?ignore|pylint:|mypy:|ruff:|fmt: ?o|pragma:|nolint|go:\w|\+build|rubocop:|shellcheck |frozen_string_literal|encoding:|coding:|-\*-|clang-format|NOLINT|phpcs:|#?(?:end)?region\b)/

const ofBlock = (comment: string): ReadonlyArray<string> => {
  const lines = comment.replace(/^(?:\/\*+!?<?|=begin\b)/, "").split(/\r?\n/)
  const last = lines.pop()?.replace(/^\s*\*+\/$|\*\/$|^=end\b.*/, "") ?? ""
  lines.push(last)
  const starred = lines.slice(1).every((line) => /^\s*(?:\*|$)/.test(line))
  return starred
    ? [lines[0]?.trim() ?? "", ...lines.slice(1).map((line) => line.replace(/^\s*\*+ ?/, ""))]
    : hung(lines)
}

/** Nothing but white space between them, and no blank line. */
const touches = (text: string, end: number, start: number): boolean => {
  let breaks = 0
  for (let at = end; at < start; at++) {
    const character = text[at]
    if (character === "\n") breaks++
    else if (character !== " " && character !== "\t" && character !== "\r") return false
    if (breaks > 1) return false
  }
  return true
}

const startsLine = (text: string, offset: number): boolean => {
  let at = offset
  while (text[at - 1] === " " || text[at - 1] === "\t") at--
  return at === 0 || text[at - 1] === "\n"
}

/** Before the words that lead to it on its line (`private def`, `const`), so that the comment above those is found. */
const headOfLine = (text: string, offset: number): number => {
  const [words = ""] = /(?<=^|\n)[ \t]*(?:\w+[ \t]+)*$/.exec(text.slice(Math.max(0, offset - 100), offset)) ?? []
  return offset - words.trimStart().length
}
