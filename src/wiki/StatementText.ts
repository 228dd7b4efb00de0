/**
 * The text of a statement: inline Markdown on one line. Text of models and documents is made safe here, and text of
 * persons is kept as they wrote it. Pure.
 */
import { sanitizeLine } from "../base/Sanitize.ts"

/**
 * Makes a statement of a text that a model or a document has written: one line, without control characters, HTML,
 * images, block syntax and brackets that could be read as a citation. Links stay only if they lead to another page of
 * the wiki (`linkToPage`); an address becomes code, which is no link. Code and emphasis stay. Returns an empty text if
 * nothing is left. Applied to its own result it changes nothing.
 */
export const sanitize = (text: string): string => {
  // Line breaks of every kind become spaces first, since `sanitizeLine` removes some of them.
  const line = sanitizeLine(text.replaceAll(/[\r\u0085\u2028\u2029]/g, "\n"))
    .replaceAll(/\s+/gu, " ")
    .trim()
  return line === "" ? "" : escapeStart(escapeInline(line))
}

/**
 * Returns a link to another page of the wiki, for the text of a statement. Its title has no code, and slashes in place
 * of the backslashes of a namespace, so that it is read as a link (`PAGE_LINK`).
 */
export const linkToPage = (title: string, page: string): string =>
  `[${sanitize(title)
    .replaceAll(/\\?[[\]]/g, "")
    .replaceAll("\\\\", "/")
    .replaceAll(/[\\`]/g, "")}](${page}.md)`

/** Finds the links to pages of the wiki in a text: the title, and the name of the page. */
export const PAGE_LINK = /\[([^[\]\\`]+)\]\(([a-z0-9-]+)\.md\)/g

/**
 * Matches what is looked at as a whole in a line: escapes, code, links to pages, addresses, and then single characters.
 */
const tokens =
  /\\[!-/:-@[-`{-~]|(`+)(?!`)(?:[^`]|(?<!`)(?!\1(?!`))`+(?!`))+\1(?!`)|\[[^[\]\\`]+\]\([a-z0-9-]+\.md\)|\b(?:https?|ftp):\/\/[^\s`<>[\]\\]+|\bwww\.[^\s`<>[\]\\]+|[`[\]\\]|<(?=[a-z/!?])/gi

const escapeInline = (line: string): string =>
  line.replaceAll(tokens, (token, fence: string | undefined) => {
    if (fence !== undefined || (token.length > 1 && /^[\\[]/.test(token))) return token
    if (token.length === 1) return `\\${token}`
    const end = /[.,;:!?)'"*_]+$/.exec(token)?.[0] ?? ""
    return `\`${token.slice(0, token.length - end.length)}\`${end}`
  })

/** Escapes what would begin a block at the start of a line: a heading, a list, a quotation, a table or a line. */
const escapeStart = (line: string): string =>
  /^(?:[#>|+~=]|[-*](?:\s|$|[-*]))/.test(line) ? `\\${line}` : line.replace(/^(\d{1,9})([.)](?:\s|$))/, "$1\\$2")

/** Returns whether a text is a fenced block that a person wrote: one statement of several lines. */
export const isFenced = (text: string): boolean => {
  const lines = text.split("\n")
  const fence = FENCE.exec(lines[0] ?? "")?.[1]
  if (fence === undefined || lines.length < 2) return false
  return lines.findIndex((line, at) => at > 0 && closes(line, fence)) === lines.length - 1
}

/** The beginning of a fenced block, with its fence and its language. */
export const FENCE = /^(`{3,}|~{3,})\s*([\w+-]*)[^`]*$/

/** Returns whether a line ends the block that a fence has begun. */
export const closes = (line: string, fence: string): boolean => {
  const mark = line.trim()
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length)
}

/**
 * Returns a text as a page can hold it: on one line, unless it is fenced, without white space around it or at the end
 * of a line, and so that nothing at its end is read as a citation. Unlike `sanitize` it leaves everything else as a
 * person wrote it.
 */
export const toLine = (text: string): string => {
  if (isFenced(text))
    return text
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
  let line = text.replaceAll(/\s*[\n\r]\s*/g, " ").trim()
  if (FENCE.test(line)) line = `\\${line}`
  for (;;) {
    const end = LAST_BRACKET.exec(line)
    if (end === null || end.index === 0) break
    const at = line.lastIndexOf("[")
    line = `${line.slice(0, at)}\\${line.slice(at)}`
  }
  return line
}

/** A bracket with a label at the end of a text, behind white space or alone. */
export const LAST_BRACKET = /(?:^|\s+)\[((?:[^[\]\\]|\\.)+)\]$/

/** Escapes what `Markdown.parse` would read as the beginning of something else, for a line that is not indented. */
export const escapeBlock = (line: string): string =>
  /^(?:#{1,2}(?:\s|$)|[-*+](?:\s|$)|\[(?:[^[\]\\]|\\.)+\]:)/.test(line)
    ? `\\${line}`
    : line.replace(/^(\d{1,9})([.)](?:\s|$))/, "$1\\$2")

/** Returns the labels in brackets within a text, which a person may have written as links. */
export const labelsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/(?<!\\)\[((?:[^[\]\\]|\\.)+)\](?![(])/g), ([, label = ""]) => label)

/** Returns a text without the marks of Markdown, for a terminal. Code keeps its marks, which say that it is code. */
export const toPlain = (text: string): string =>
  isFenced(text)
    ? text
    : text.replaceAll(
        /\\([!-/:-@[-`{-~])|(`+)(?!`)(?:[^`]|(?<!`)(?!\2(?!`))`+(?!`))+\2(?!`)|\[([^[\]\\`]+)\]\([a-z0-9-]+\.md\)|\*\*(?=\S)(.+?)(?<=\S)\*\*|(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])/g,
        (token, escaped?: string, _fence?: string, title?: string, strong?: string, emphasis?: string) =>
          escaped ?? title ?? strong ?? emphasis ?? token,
      )
