/** What READMEs and the comments at the top of source files say of a project. Pure. */

/** Files that speak for their folder, the best first: `index.ts`, `__init__.py`, `mod.rs`, or one of the folder's name. */
export const mainFiles = (paths: ReadonlyArray<string>, folder: string): ReadonlyArray<string> => {
  const name = folder.split("/").at(-2) ?? ""
  const stems = ["index", "__init__", "mod", "lib", "doc", "main", "__main__", "app", name.toLowerCase()]
  const rank = (path: string) => stems.indexOf((path.split("/").at(-1) ?? "").replace(/\.\w+$/, "").toLowerCase())
  return paths
    .filter((path) => rank(path) !== -1 && /\.\w+$/.test(path))
    .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

/**
 * The first heading of a README up to a subtitle, or the words for the picture in it; none where it is the heading of a
 * section.
 */
export const titleOf = (readme: string): string | undefined => {
  const lines = readme.split("\n")
  for (const [number, line] of lines.entries()) {
    const heading =
      line.match(/^#\s+(.+?)\s*#*$/)?.[1] ??
      line.match(/<h1[^>]*>(.+?)<\/h1>/i)?.[1] ??
      (/^(?:={3,}|-{3,})\s*$/.test(lines[number + 1] ?? "") ? line.trim() : "")
    const title = [toPlain(heading), heading.match(/!\[([^\]]+)\]/)?.[1] ?? ""].find((text) => /\p{L}/u.test(text))
    if (title !== undefined) return isSection.test(title) ? undefined : title.split(/: | [-–—|] /)[0]
  }
  return undefined
}

const isSection =
  /^(?:features|highlights|install|getting started|quick ?start|table of contents|contents|about|overview|introduction|readme|usage|why|documentation)/i

/**
 * The first sentence of a README's prose: headings, badges, lists, quotes of code and notices are skipped, and boxes of
 * HTML where there is a sentence outside of them.
 */
export const firstSentence = (readme: string): string | undefined =>
  sentenceIn(readme.slice(0, BEGINNING).replaceAll(/<(kbd|div|table|details|center)\b[^<>]*>[\s\S]*?<\/\1>/gi, "")) ??
  sentenceIn(readme)

/** Characters in which boxes are looked for: boxes without an end cost the square of it. */
const BEGINNING = 20_000

const sentenceIn = (readme: string): string | undefined => {
  const text = readme
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replaceAll(/^(?:```|~~~)[\s\S]*?^(?:```|~~~)\s*$/gm, "")
    .replace(/^---\n[\s\S]*?\n---\n/, "")
  const lines = text.split("\n")
  const prose = lines.map((line, number) => {
    const isHeading =
      /^\s*(?:#{1,6}\s|[=\-~^"*]{3,}\s*$)/.test(line) || /^[=\-~^"*]{3,}\s*$/.test(lines[number + 1] ?? "")
    const isBlock = /^\s*(?:[-*+|]\s|\d+\.\s|\.\. |:\w+:|\|)/.test(line) || /^(?: {4}|\t)\S/.test(line)
    return isHeading || isBlock ? "" : toPlain(line.replace(/^\s*>\s?/, ""))
  })
  for (const paragraph of prose.join("\n").split(/\n\s*\n/)) {
    const sentence = sentenceOf(paragraph)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

/** The first sentence of the comment at the top of a source file, a licence excepted. */
export const topComment = (source: string): string | undefined => {
  const text = source.replace(/^#!.*\n/, "").replace(/^(?:\s|['"]use strict['"];?)+/, "")
  const blocks = [
    text.match(/^[rRuU]?("""|''')([\s\S]*?)\1/)?.[2],
    text.match(/^\/\*[*!]?([\s\S]*?)\*\//)?.[1]?.replaceAll(/^\s*\*+ ?/gm, ""),
    text.match(/^(?:\/\/.*(?:\n|$))+/)?.[0].replaceAll(/^\/\/+!? ?/gm, ""),
    text.match(/^(?:#(?!\s*(?:include|define|if|pragma)\b).*(?:\n|$))+/)?.[0].replaceAll(/^#+ ?/gm, ""),
  ]
  const comment = blocks.find((block) => block !== undefined)
  if (comment === undefined || /copyright|licen[cs]e|eslint|coding:|@(?:flow|jsx)\b/i.test(comment)) return undefined
  return firstSentence(comment.replaceAll(/^[ \t]+/gm, "").replace(/\n\s*@[\s\S]*$/, ""))
}

/** Prose of a paragraph up to the end of its first sentence; none for a few words, which are a label. */
const sentenceOf = (paragraph: string): string | undefined => {
  const text = paragraph.replaceAll(/\s+/g, " ").trim()
  if ((text.match(/\p{L}{2,}/gu)?.length ?? 0) < 3 && !/[^\0-\x7f]{8}/.test(text)) return undefined
  return text.split(/(?<=[.!?。][)"'`]?) (?![a-z])/)[0]?.replace(/\s*:$/, ".")
}

/** Without marks of Markdown, reStructuredText and HTML. */
const toPlain = (line: string): string =>
  line
    .replaceAll(/\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\]\([^)]*\)|\]\[[^\]]*\])?/g, "")
    .replaceAll(/\[([^[\]]+)\](?:\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replaceAll(/`([^`<>]+?)\s*<[^`<>]*>`__?/g, "$1")
    .replaceAll(/:\w+:`~?([^`]*)`/g, "$1")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/(\*\*|__)(?=\S)(.+?)\1/g, "$2")
    .replaceAll(/\|[\w -]+\|/g, "")
    .replaceAll("``", "`")
    .trim()
