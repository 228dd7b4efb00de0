/** Finds the points that a document, or an answer, leaves open. Pure. */
import * as Fence from "../internal/fence.ts"

/**
 * Lists the points that a Markdown document marks as open, in its order, each once: the items of a section such as `##
 * Open questions`, and single lines with a mark such as `TBD`, `[open]` or `Unknown:`. Code is skipped, and so are
 * items that are ticked, struck out, or say that there is nothing.
 */
export const inDocument = (markdown: string): ReadonlyArray<string> => {
  const isFenced = Fence.make()
  const points: Array<string> = []
  /** The level of the heading of the section that lists open points. */
  let open: number | undefined
  for (const whole of markdown.split(/\r?\n/)) {
    if (isFenced(whole)) continue
    const line = whole.slice(0, MAX_LINE)
    const [, marks = "", title = ""] = HEADING.exec(line) ?? []
    if (marks !== "") {
      if (open === undefined || marks.length <= open) open = OPEN_TITLE.test(title) ? marks.length : undefined
      continue
    }
    // A line that is indented more is a part of the item above it.
    const isListed = open !== undefined && !/^(?: {4}|\t)/.test(line)
    if (!isListed && !MARK.test(line)) continue
    const point = pointOf(line)
    if (point !== undefined) points.push(point)
  }
  return [...new Set(points)]
}

/** Lists the questions of an answer that end a line. The questions of the last answer are still open. */
export const questionsIn = (answer: string): ReadonlyArray<string> => {
  const isFenced = Fence.make()
  return answer
    .split(/\r?\n/)
    .filter((line) => !isFenced(line) && /[?？]["')*_]*$/.test(line.slice(-MAX_LINE).trimEnd()))
    .flatMap((line) => pointOf(line) ?? [])
}

/** The most characters of a line that are read; the rest is left out. */
const MAX_LINE = 500

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/

/** The title of a section that lists open points. */
const OPEN_TITLE =
  /^(?:[\d.)]+[ \t]+)?(?:\*\*)?(?:(?:what|still|things|points|questions)[ \t]+(?:is[ \t]+|are[ \t]+|that[ \t]+)?(?:still[ \t]+|stayed[ \t]+)?)?(?:open|unknowns?|unresolved|undecided|unanswered|to be decided|TBD)\b/i

/** A mark of one open point. It has to be a word of its own: `todo.ts` and `open: true` are not marks. */
const MARK =
  /\b(?:TBD|TBC)\b|\bTODO:|\?\?\?|[[(](?:open|unknown|undecided|to be decided|needs clarification)\b[^\])]{0,200}[\])]|^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(?:Open|Unknown|Undecided|Open questions?)(?:\*\*)?:(?:\*\*)?[ \t]+\S/

const pointOf = (line: string): string | undefined => {
  const text = line
    .slice(0, MAX_LINE)
    .trim()
    .replace(/^(?:[-*+]|\d{1,4}[.)])[ \t]+/, "")
  if (/^\[[xX]\]|^~~.*~~$/.test(text)) return undefined
  const point = text.replace(/^\[ \][ \t]*/, "").trim()
  return /[\p{L}\p{N}]/u.test(point) && !NOTHING.test(point) ? point : undefined
}

/** An item that says that nothing is open, such as `None.` or `Nothing is open.` */
const NOTHING = /^[*_]*(?:none|nothing|n\/a|no open (?:points|questions))\b[^?]{0,40}$/i
