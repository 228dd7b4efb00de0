/** The comments at the beginning of a file, in which it says what it is for. Pure. */

/** Only the beginning of a file is read for its comments. */
const MAX_READ_CHARS = 6_000

/** The most comments at the beginning that are looked at: the first one is often a licence. */
const MAX_COMMENTS = 3

interface Comment {
  /** The text without marks; lines are separated by line feeds. */
  readonly text: string
  /** The number of the line behind it, from 0. */
  readonly end: number
  /** The characters with which it begins, such as `//!`. */
  readonly mark: string
}

/** Returns whether a language has such comments for the file itself, whatever follows. */
export const isModuleDoc = ({ mark }: Comment): boolean => mark === "//!" || mark === '"""' || mark === "'''"

/** Returns whether a comment is one on the file itself: that of its module, or a block of text. */
export const isDocumentation = (comment: Comment): boolean =>
  isModuleDoc(comment) || /^(?:\/\*|\{-|--\[\[|=begin)/.test(comment.mark)

/** Returns the comments at the beginning of a text that state no licence, in their order. */
export const read = (text: string): ReadonlyArray<Comment> => {
  const lines = text.slice(0, MAX_READ_CHARS).split(/\r?\n/)
  const found: Array<Comment> = []
  let at = 0
  for (let count = 0; count < MAX_COMMENTS; count++) {
    while (at < lines.length && isSkipped.test(lines[at] ?? "")) at++
    const comment = commentAt(lines, at)
    if (comment === undefined) break
    at = comment.end
    if (!isLicence(comment.text)) found.push(comment)
  }
  return found
}

/** Returns whether a comment states the licence of a file, which says nothing about what it is for. */
const isLicence = (text: string): boolean =>
  /\bSPDX-License-Identifier\b|^\W*(?:(?:the )?[\w-]+ licen[cs]e\b|licen[cs]ed under\b|copyright\b|\(c\) |©)|\ball rights reserved\b|\b(?:permission is hereby granted|copy of the licen[cs]e|this source code is (?:licen[cs]ed|governed))\b/i.test(
    text,
  )

/** Blank lines, and lines for tools: an interpreter, an encoding, a directive. */
const isSkipped =
  /^\s*$|^#!|^\/\/\s?(?:go:\w|\+build\b)|^#.*-\*-|^<\?php|^(?:["']use \w+["'];?)$|^(?:package|module|namespace) [\w.:]+;?\s*$/

const commentAt = (lines: ReadonlyArray<string>, at: number): Comment | undefined => {
  const first = (lines[at] ?? "").trim()
  const block = blocks.find(({ begins }) => begins.test(first))
  if (block !== undefined) {
    const mark = block.begins.exec(first)?.[0].replace(/^[rRuU]/, "") ?? ""
    const found: Array<string> = []
    for (let line = at; line < lines.length; line++) {
      const raw = (lines[line] ?? "").trim()
      const own = line === at ? raw.replace(block.begins, "") : raw
      const end = block.ends.exec(own)
      found.push((end === null ? own : own.slice(0, end.index)).replace(/^\*+(?:\s|$)/, ""))
      if (end !== null) return { text: found.join("\n"), end: line + 1, mark }
    }
    return undefined
  }
  const mark = LINE.exec(first)?.[0]
  if (mark === undefined) return undefined
  let end = at
  while (end < lines.length && (lines[end] ?? "").trim().startsWith(mark)) end++
  const text = lines
    .slice(at, end)
    .map((line) => line.trim().slice(mark.length).replace(/^\s/, ""))
    .join("\n")
  return { text, end, mark }
}

const blocks = [
  { begins: /^\/\*+!?/, ends: /\*\// },
  { begins: /^[rRuU]?"""/, ends: /"""/ },
  { begins: /^[rRuU]?'''/, ends: /'''/ },
  { begins: /^\{-\|?/, ends: /-\}/ },
  { begins: /^--\[\[/, ends: /\]\]/ },
  { begins: /^<!--/, ends: /-->/ },
  { begins: /^=begin\b/, ends: /^=end\b/ },
  { begins: /^=(?:pod|head1 NAME|encoding [\w-]+)$/, ends: /^=(?:cut|head1)\b/ },
]

const LINE = /^(?:\/\/[!/]?|#+(?![!\w])|---?(?!\[\[)|;+|%+)/
