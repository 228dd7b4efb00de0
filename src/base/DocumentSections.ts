/**
 * Divides a document into its sections by the headings of Markdown, reStructuredText, AsciiDoc, help
 * files of Vim and man pages. Pure.
 */

export interface Section {
  /** The heading without marks; empty for what stands above the first one. */
  readonly title: string
  /** The lines below the heading, up to the next one of any level. */
  readonly lines: ReadonlyArray<string>
}

/** The most characters and lines that are read, and the most characters of a line that is looked at. */
const MAX_CHARS = 400_000
const MAX_LINE = 400

/** Returns the sections in their order, the one above the first heading too if it has text. */
export const read = (text: string): ReadonlyArray<Section> => {
  const lines = text.slice(0, MAX_CHARS).split(/\r?\n/)
  const sections: Array<{ readonly title: string; readonly lines: Array<string> }> = [{ title: "", lines: [] }]
  let fence: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence
    const found = fence === undefined && mark === undefined ? headingAt(lines, at) : undefined
    if (found === undefined) {
      sections.at(-1)?.lines.push(line)
      continue
    }
    sections.push({ title: found.title, lines: [] })
    at += found.length - 1
  }
  return sections.filter(({ lines, title }) => title !== "" || lines.some((line) => line.trim() !== ""))
}

/** Returns the heading that begins on a line, and how many lines it takes. */
const headingAt = (
  lines: ReadonlyArray<string>,
  at: number,
): { readonly title: string; readonly length: number } | undefined => {
  const line = (lines[at] ?? "").slice(0, MAX_LINE)
  const marked =
    /^(?:#{1,6}|={1,6})[ \t]+(\S.*?)[ \t]*[#=]*$/.exec(line)?.[1] ??
    // The heading of a help file of Vim ends with the tags that lead to it.
    /^(\S.*?)[ \t]{2,}(?:\*[^*\s]+\*[ \t]*)+$/.exec(line)?.[1] ??
    /^\.S[HS][ \t]+"?([^"]+)"?$/.exec(line)?.[1]
  if (marked !== undefined) return { title: plain(marked), length: 1 }
  const below = lines[at + 1] ?? ""
  const isUnderlined =
    /^\S/.test(line) &&
    !/^[-=~^"'`#*+.:_\s|]+$/.test(line) &&
    /^([-=~^"'`#*+])\1{2,}\s*$/.test(below) &&
    below.trim().length >= Array.from(line.trim()).length - 2
  return isUnderlined ? { title: plain(line), length: 2 } : undefined
}

/** Removes links, marks and pictures from a heading. */
const plain = (title: string): string =>
  title
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/[*_`]/g, "")
    .replaceAll(/\{[^{}]*\}$/g, "")
    .replaceAll(/^\d+(?:\.\d+)*\.?[ \t]+/g, "")
    .replaceAll(/\p{Extended_Pictographic}|\u200D|\uFE0F/gu, "")
    .trim()
