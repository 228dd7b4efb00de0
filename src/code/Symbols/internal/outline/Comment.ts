/** Doc comments: which comments belong to a symbol, and their text without comment marks. */

/** A comment, or a decorator or attribute, which may stand between a comment and its symbol. */
export interface Aside {
  readonly start: number
  readonly end: number
  readonly isComment: boolean
}

/** Returns the comment directly above an offset, as plain text. `asides` are those before the offset, in order. */
export const docAbove = (
  text: string,
  asides: ReadonlyArray<Aside>,
  offset: number,
  isDoc: (comment: string) => boolean = () => true,
  isDetachable: (comment: string) => boolean = () => false,
): string | undefined => {
  const lines: Array<string> = []
  let below = startOfDeclarationLine(text, offset)
  let index = asides.length - 1
  for (; index >= 0; index--) {
    const aside = asides[index]
    if (aside === undefined || aside.start >= below) continue
    if (!isAdjacent(text, aside.end, below)) {
      const isFirst = index === 0 && startOfFile.test(text.slice(0, Math.min(aside.start, 200)))
      const isNearest = aside.isComment && lines.length === 0 && isAdjacent(text, aside.end, below, MAX_BLANK_LINES + 1)
      if (!isNearest || !isDetached(text.slice(aside.start, aside.end), isFirst, isDetachable)) break
    }
    below = aside.start
    if (!aside.isComment) continue
    const comment = text.slice(aside.start, aside.end)
    if (!startsLine(text, aside.start) || !isDoc(comment)) break
    if (isBlock.test(comment)) {
      // Line comments between a doc comment and its symbol are notes for maintainers.
      if (lines.length > 0 && !comment.startsWith("/**")) break
      const doc = toPlainText([comment])
      if (doc === undefined) continue
      return index === 0 && isLicense.test(comment) ? undefined : doc
    }
    lines.push(comment)
  }
  const isAtTop = index < 0
  return isAtTop && lines.some((line) => isLicense.test(line)) ? undefined : toPlainText(lines.reverse())
}

/** Returns the text of comments without marks and without directives for tools; `undefined` if nothing remains. */
export const toPlainText = (comments: ReadonlyArray<string>): string | undefined =>
  trimBlankLines(
    comments
      .flatMap((comment) => (isBlock.test(comment) ? blockLines(comment) : [comment.replace(lineMark, "")]))
      .filter((line) => !isDirective.test(line) && !isRuler(line)),
  )

/**
 * Returns the plain text of a docstring. Its first line begins within a line of the source and has no indentation of
 * its own.
 */
export const dedentDocstring = (text: string): string | undefined =>
  trimBlankLines(dedentAfterFirst(text.split(/\r?\n/)))

const dedentAfterFirst = ([first = "", ...rest]: ReadonlyArray<string>): ReadonlyArray<string> => [
  first.trim(),
  ...dedent(rest),
]

/** Removes the indentation that all lines share. */
const dedent = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const margin = lines.reduce((least, line) => {
    const indentation = line.search(/\S/)
    return indentation === -1 ? least : Math.min(least, indentation)
  }, Number.POSITIVE_INFINITY)
  return lines.map((line) => line.slice(margin).trimEnd())
}

/** Removes blank lines at the beginning and the end; returns `undefined` if nothing remains. */
const trimBlankLines = (lines: ReadonlyArray<string>): string | undefined => {
  const dedented = dedent(lines)
  const isText = (line: string) => line !== ""
  const first = dedented.findIndex(isText)
  return first === -1 ? undefined : dedented.slice(first, dedented.findLastIndex(isText) + 1).join("\n")
}

/** Matches a licence: the first comment of a file is then not a doc comment. */
const isLicense = /\b(?:copyright|licen[cs]ed?|spdx)\b/i

const isBlock = /^(?:\/\*|=begin\b|--\[=*\[|\{-|<#|#=|(?:@\w+\s+)?(?:~[sS]|raw)?")/

const lineMark = /^(?:\/\/+!?<?|#+'?|--+(?: ?[|^])?)[ \t]?/

/** Returns whether a line is a ruler: `-----` or `----- Section -----`. */
const isRuler = (line: string): boolean => line.length <= 200 && /^\s*([-=*#~_+/])\1{2}(?:.*\1{3}|\1*)\s*$/.test(line)

const isDirective =
  /^\s*(?:!\/|eslint-|eslint:|tslint:|prettier-ignore|biome-ignore|oxlint-|deno-lint|@ts-|istanbul |c8 |v8 ignore|noqa|type: ?ignore|pylint:|mypy:|ruff:|fmt: ?o|pragma:|nolint|go:\w|\+build|rubocop:|shellcheck |frozen_string_literal|encoding:|coding:|-\*-|clang-format|NOLINT|phpcs:|#?(?:end)?region\b)/

const blockOpening = /^(?:\/\*+!?<?|=begin\b|--\[=*\[|\{-[|^]?|<#|#=|(?:@\w+\s+)?(?:~[sS]|raw)?"{1,3})/

const blockLines = (comment: string): ReadonlyArray<string> => {
  const lines = comment.replace(blockOpening, "").split(/\r?\n/)
  const last = lines.pop()?.replace(/^\s*\*+\/$|\*\/$|^=end\b.*|(?:\]=*\]|-\}|#>|=#|"{1,3})$/, "") ?? ""
  lines.push(last)
  const starred = lines.slice(1).every((line) => /^\s*(?:\*|$)/.test(line))
  return starred
    ? [lines[0]?.trim() ?? "", ...lines.slice(1).map((line) => line.replace(/^\s*\*+ ?/, ""))]
    : dedentAfterFirst(lines)
}

/** The most blank lines between a comment and its symbol, in languages whose tools allow any. */
const MAX_BLANK_LINES = 2

/**
 * Returns whether a comment above a blank line belongs to the symbol below. The first comment of a file may be about
 * the file: a licence, one with a tag of files, and lines, which no tool takes for the comment of a symbol there.
 */
const isDetached = (comment: string, isFirst: boolean, isDetachable: (comment: string) => boolean): boolean =>
  isDetachable(comment) && !(isFirst && (isLicense.test(comment) || isOfFile.test(comment) || comment.startsWith("#")))

/** Matches what may stand above the first comment of a file. */
const startOfFile = /^\s*(?:<\?php|#![^\n]*)?\s*$/

const isOfFile = /[@\\](?:file|fileoverview|module|package|packagedocumentation|preserve)\b/i

/** Returns whether there is only white space between two offsets, and at most so many line breaks. */
const isAdjacent = (text: string, end: number, start: number, most = 1): boolean => {
  let breaks = 0
  for (let at = end; at < start; at++) {
    const character = text[at]
    if (character === "\n") breaks++
    else if (character !== " " && character !== "\t" && character !== "\r") return false
    if (breaks > most) return false
  }
  return true
}

const startsLine = (text: string, offset: number): boolean => {
  let at = offset
  while (text[at - 1] === " " || text[at - 1] === "\t") at--
  return at === 0 || text[at - 1] === "\n"
}

/** Returns the offset before words on the same line that belong to the declaration (`private def`, `const`). */
const startOfDeclarationLine = (text: string, offset: number): number => {
  const [words = ""] = /(?<=^|\n)[ \t]*(?:\w+[ \t]+)*$/.exec(text.slice(Math.max(0, offset - 100), offset)) ?? []
  return offset - words.trimStart().length
}
