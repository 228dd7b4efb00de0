/**
 * The source of a symbol as a request shows it: indented by one space a level, within a limit, as a quotation. Numbers
 * of lines would be a tenth of it, and the lines stand in their order without them. Pure.
 */

import { plural } from "../../base/Prose.ts"
import { sanitize } from "../../base/Sanitize.ts"
import * as CommentLines from "../../code/CommentLines.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import { quote } from "../../index/ProjectMap.ts"
import * as Excerpt from "../../lookup/Excerpt.ts"
import * as Branches from "./Branches.ts"
import * as Deciding from "./Deciding.ts"
import * as LongComments from "./LongComments.ts"
import { sizeOf } from "./Material.ts"
import * as Passage from "./Passage.ts"

export interface Limits {
  /** The most lines. Of a longer source the beginning is shown, and the last lines. */
  readonly maxLines: number
  readonly maxTokens: number
}

/** The last lines of a source that is cut. */
const TAIL = 6

/** The most characters of a line. */
const MAX_LINE = 160

const commentNote = (lines: number): string => `… ${plural(lines, "line")} of comment`

/**
 * Writes the lines of a source. Long comments are shortened to their beginnings. A source that is still too long loses
 * most of its docstring first, then the comments between its lines, then parameters that would take the room of its
 * body, and then lines that decide nothing, such as those of a long literal. It says how many.
 */
export const write = (source: string, { maxLines, maxTokens }: Limits): ReadonlyArray<string> => {
  const lines = indented(sanitize(source).split("\n"))
  const fits = (texts: ReadonlyArray<string>) =>
    texts.length <= maxLines && texts.reduce((sum, text) => sum + sizeOf(text), 0) <= maxTokens
  const versions = versionsOf(lines, maxTokens)
  const whole = versions.find(fits)
  if (whole !== undefined) return quote(whole.join("\n"))
  const printed = versions.at(-1) ?? []
  const last = Math.min(TAIL, Math.floor(maxLines / 4))
  const lastTokens = printed.slice(printed.length - last).reduce((sum, line) => sum + sizeOf(line), 0)
  // Long last lines would leave no room for the first ones, which say what it is.
  const tail = lastTokens > maxTokens / 3 ? 0 : last
  const kept = decidingLines(printed, { maxLines, maxTokens }, tail)
  const written: Array<string> = []
  let cut = 0
  for (const [at, line] of printed.entries()) {
    if (kept.has(at)) {
      if (cut > 0) written.push(cutNote(cut))
      cut = 0
      written.push(line)
    } else cut += 1
  }
  return quote([...written, ...(cut > 0 ? [cutNote(cut)] : [])].join("\n"))
}

/** Returns the tokens that a source needs so that none of its code is cut (`write`). */
export const sizeOfCode = (source: string): number => {
  const lines = indented(sanitize(source).split("\n"))
  const sizes = versionsOf(lines, Number.POSITIVE_INFINITY).map((texts) =>
    texts.reduce((sum, text) => sum + sizeOf(text), 0),
  )
  return Math.min(...sizes)
}

/** Writes a source with less and less beside its body. All but the last one have the whole declaration. */
const versionsOf = (lines: ReadonlyArray<string>, maxTokens: number): ReadonlyArray<ReadonlyArray<string>> => {
  const long = LongComments.find(lines, [], 0)
  const { body, docstring, parameters } = headOf(lines, maxTokens)
  const short = new Set([...long, ...docstring])
  const comments = new Set(
    CommentLines.commentsIn(lines).flatMap(({ end, start }) =>
      start < body ? [] : Array.from({ length: end - start }, (_, at) => start + at),
    ),
  )
  const code = lines.filter((_, at) => !comments.has(at))
  const hidden = new Set(Array.from(short).filter((at) => at < body))
  const left = comments.size === 0 ? [] : ["… its comments are left out"]
  return [
    linesWithout(lines, long, new Set()),
    linesWithout(lines, short, new Set()),
    [...linesWithout(code, hidden, new Set()), ...left],
    [...linesWithout(code, hidden, parameters), ...left],
  ]
}

const cutNote = (lines: number): string => `… ${plural(lines, "line")} cut`

/** How much a line counts that decides something, one that follows it, and one of arguments or of a literal. */
const DECIDES = 2
const FOLLOWS = 1.5
const FILLS = 0.2

/** How much less a line counts for each step that it is indented. */
const INDENT = 0.1

/**
 * Returns the positions of the lines of a source that are shown if not all can be: its first and last ones, then those
 * that branch, return or fail, each with the line that follows it, the outer ones first, and then the others. A
 * condition without what it leads to says nothing, so there is no room for it alone.
 */
const decidingLines = (
  lines: ReadonlyArray<string>,
  { maxLines, maxTokens }: Limits,
  tail: number,
): ReadonlySet<number> => {
  const decides = lines.map((line) => Deciding.decides(line))
  const steps = lines.map((line) => indentOf(line))
  const outer = Math.min(...steps.filter((_, at) => lines[at]?.trim() !== ""))
  const isInside = (at: number) => (steps[at] ?? 0) > (steps[at - 1] ?? 0)
  const weigh = (at: number): number => {
    const own = decides[at] ? DECIDES : decides[at - 1] ? FOLLOWS : /[,({[]$/.test(lines[at] ?? "") ? FILLS : 1
    return own - (INDENT * ((steps[at] ?? 0) - outer)) / 2
  }
  const isFixed = (at: number) => at < HEAD || at >= lines.length - tail
  const ranked = Array.from(lines.keys()).toSorted(
    (one, other) => Number(isFixed(other)) - Number(isFixed(one)) || weigh(other) - weigh(one) || one - other,
  )
  const kept = new Set<number>()
  const isShown = (at: number) => at < 0 || at >= lines.length || kept.has(at)
  let left = maxTokens - CUT
  for (const at of ranked) {
    if (kept.size >= maxLines) break
    if (kept.has(at)) continue
    const hasEffect = decides[at] && decides[at + 1] === false && isInside(at + 1) && !kept.has(at + 1)
    const last = hasEffect ? at + 1 : at
    // A line between two that are shown takes the place of a note, and one apart from them needs another.
    const gaps = Number(!isShown(at - 1)) + Number(!isShown(last + 1)) - 1
    const cost = sizeOf(lines[at] ?? "") + (hasEffect ? sizeOf(lines[last] ?? "") : 0)
    const all = cost + (isFixed(at) ? 0 : gaps * CUT)
    if (all > left || kept.size + last - at >= maxLines) {
      if (decides[at] || isFixed(at)) continue
      break
    }
    left -= all
    for (let each = at; each <= last; each++) kept.add(each)
  }
  return withShortGaps(lines, kept)
}

/** Adds the lines that are no longer than the note that they are cut. */
const withShortGaps = (lines: ReadonlyArray<string>, kept: ReadonlySet<number>): ReadonlySet<number> => {
  const shown = new Set(kept)
  for (let at = 0; at < lines.length; at++) {
    if (kept.has(at)) continue
    let end = at
    while (end < lines.length && !kept.has(end)) end++
    const tokens = lines.slice(at, end).reduce((sum, line) => sum + sizeOf(line), 0)
    if (tokens <= CUT) for (let each = at; each < end; each++) shown.add(each)
    at = end
  }
  return shown
}

/** Tokens of a note about lines that are cut. */
const CUT = 7

const indentOf = (line: string): number => (/^[\t ]*/.exec(line)?.[0] ?? "").replaceAll("\t", "  ").length

/** Returns lines without the indentation that all of them have. */
const outdented = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const least = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => (/^[\t ]*/.exec(line)?.[0] ?? "").length),
  )
  return least > 0 ? lines.map((line) => line.slice(least)) : lines
}

/**
 * Returns lines of code with one space for each step of indentation, which is a token less for many of them. Steps are
 * as wide as the narrowest indentation, but for that of the stars of a comment. Tabs stay.
 */
export const indented = (all: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = outdented(all)
  const widths = lines.map((line) => (line.trim() === "" ? 0 : (/^ */.exec(line)?.[0].length ?? 0)))
  const step = Math.min(...widths.filter((width) => width > 1))
  return Number.isFinite(step)
    ? lines.map((line, at) => " ".repeat(Math.ceil((widths[at] ?? 0) / step)) + line.slice(widths[at]))
    : lines
}

/** Writes lines but for hidden ones, and says how many these are. */
const linesWithout = (
  lines: ReadonlyArray<string>,
  comments: ReadonlySet<number>,
  parameters: ReadonlySet<number>,
): ReadonlyArray<string> => {
  const all = new Set(lines.keys())
  const shown = without(all, new Set([...comments, ...parameters]))
  const labeled = lines.map((text) => ({ label: "", text }))
  return printed(labeled, shown, { apart: new Set(), comments }, Number.POSITIVE_INFINITY)
}

/** The share of the tokens above which the parameters of a function are left out for its body. */
const PARAMETERS_SHARE = 0.25

/** Returns the positions of the lines before a body that tell least: of the docstring, and of many parameters. */
const headOf = (lines: ReadonlyArray<string>, maxTokens: number) => {
  // All that does not look like a long declaration is taken for one of a single line.
  const declared = Math.max(1, Excerpt.longDeclaration(lines, "function"))
  const declaration = lines.slice(0, declared).reduce((sum, line) => sum + sizeOf(line), 0)
  const first = declared + lines.slice(declared).findIndex((line) => line.trim() !== "")
  const comment = CommentLines.commentAt(lines, first)
  const range = (from: number, to: number) =>
    new Set(Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at))
  const hasDocstring = comment !== undefined && comment.closer !== ""
  return {
    /** The position of the first line of the body. */
    body: hasDocstring ? comment.end : first,
    docstring: hasDocstring ? range(first + 1, comment.end) : range(0, 0),
    parameters: declaration > PARAMETERS_SHARE * maxTokens ? range(1, declared - 1) : range(0, 0),
  }
}

/** Tokens of a usual line of code. */
const LINE = 13

/** The first lines of a source, which say what it is. */
const HEAD = 3

/** The share of the lines that a statement speaks of; the others are those around them. */
const SHARE = 0.75

/**
 * Writes a source as what is said of it needs: as a whole if it fits, and else its first lines and, for each statement,
 * those with most of its words, with the lines that open the blocks around them, since these have the conditions. Long
 * comments are shortened in any case (`LongComments`). A document, which has no entry, is shown by the passages that
 * have these words. `apart` has the positions of lines that are shown elsewhere in the request, such as those of a
 * method.
 */
export const writeFor = (
  source: string,
  entry: Pick<IndexEntry, "kind"> | undefined,
  statements: ReadonlyArray<string>,
  maxTokens: number,
  options: Omit<ExcerptOptions, "head"> = {},
): ReadonlyArray<string> => {
  const texts = source.split("\n")
  // The layout of a document says something.
  const lines = (entry === undefined ? outdented(texts) : indented(texts)).map((text) => ({ label: "", text }))
  return excerptOf(lines, entry?.kind, statements, maxTokens, { ...options, head: HEAD })
}

interface ExcerptOptions {
  /** The first lines of code that are shown in any case. */
  readonly head?: number | undefined
  readonly apart?: ReadonlySet<number> | undefined
  /** The most tokens that each long comment may show beside its beginning; `MAX_COMMENT` by default. */
  readonly comment?: number | undefined
  /** True if further lines fill the room that the statements leave, as for a check that is to decide. */
  readonly isFilled?: boolean | undefined
}

/** The most tokens of a comment within a source beside its beginning: the passages that statements speak of. */
const MAX_COMMENT = 80

/** The positions of the lines of a source that no statement needs, of each kind. */
interface Unneeded {
  readonly alike: ReadonlySet<number>
  readonly comments: ReadonlySet<number>
}

const unneededIn = (
  lines: ReadonlyArray<string>,
  kind: string | undefined,
  statements: ReadonlyArray<string>,
  comment = MAX_COMMENT,
): Unneeded => ({
  alike: alikeIn(lines, statements),
  comments: kind === undefined ? new Set() : LongComments.find(lines, statements, comment),
})

/** Returns the lines of a source that a request shows if there is room for all that statements may need. */
export const neededLines = (
  lines: ReadonlyArray<string>,
  entry: Pick<IndexEntry, "kind"> | undefined,
  statements: ReadonlyArray<string>,
  comment?: number,
): ReadonlyArray<string> => {
  const { alike, comments } = unneededIn(lines, entry?.kind, statements, comment)
  const written = entry === undefined ? lines : indented(lines)
  return written.filter((_, at) => !alike.has(at) && !comments.has(at))
}

/** A line with what stands before it, such as the mark of a change; empty without one. */
export interface Line {
  readonly label: string
  readonly text: string
}

/**
 * Does the same as `writeFor` for lines that have labels. `kind`: that of the symbol; undefined for a document.
 */
export const excerptOf = (
  lines: ReadonlyArray<Line>,
  kind: string | undefined,
  statements: ReadonlyArray<string>,
  maxTokens: number,
  { apart = new Set(), comment, head = 0, isFilled = false }: ExcerptOptions = {},
): ReadonlyArray<string> => {
  const texts = lines.map(({ text }) => text)
  const { alike, comments } = unneededIn(texts, kind, statements, comment)
  const all = new Set(lines.keys())
  const hidden = new Set([...alike, ...comments])
  const whole = printed(lines, without(all, hidden), { apart, comments }, Number.POSITIVE_INFINITY)
  if (whole.reduce((sum, line) => sum + sizeOf(line), 0) <= WHOLE * maxTokens) return quote(sanitize(whole.join("\n")))
  const most = Math.max(1, Math.floor(((SHARE * maxTokens) / LINE - head) / Math.max(1, statements.length)))
  const place = { startLine: 1, endLine: lines.length, kind: kind ?? "module" }
  const shown =
    kind === undefined
      ? new Set(Passage.find(texts, statements, maxTokens))
      : new Set(lines.slice(0, head).map((_, at) => at))
  for (const statement of kind === undefined ? [] : statements) {
    const excerpt = Excerpt.of(texts.join("\n"), place, statement)(most, most)
    for (const at of excerpt.lines.keys()) shown.add(excerpt.firstLine - 1 + at)
    for (const at of Branches.enclosing(texts, excerpt.firstLine - 1)) shown.add(at)
  }
  // The note about a cut is as long as a line or two.
  for (const at of lines.keys()) {
    if (shown.has(at - 1) && (shown.has(at + 1) || shown.has(at + 2))) shown.add(at)
  }
  const chosen = without(shown, hidden)
  const isWanted = isFilled && kind !== undefined
  const filled = isWanted ? filledUp(lines, chosen, new Set([...hidden, ...apart]), maxTokens) : chosen
  return quote(sanitize(printed(lines, filled, { apart, comments }, maxTokens).join("\n")))
}

/**
 * A source may take this share of its room if it is whole then: to cut a few lines saves little, and they may decide.
 */
const WHOLE = 1.12

/** Tokens of a note about lines that are cut. */
const NOTE = 6

/**
 * Adds lines from the first one on, as far as there is room beside those that are shown already. The writer of a
 * statement saw the source from its first line on too (`write`).
 */
const filledUp = (
  lines: ReadonlyArray<Line>,
  shown: ReadonlySet<number>,
  others: ReadonlySet<number>,
  maxTokens: number,
): ReadonlySet<number> => {
  const filled = new Set(shown)
  const costOf = (at: number) => {
    const text = lines[at]?.text ?? ""
    return text.trim() === "" || others.has(at) ? 0 : sizeOf(labeled(lines[at]))
  }
  const gaps = Array.from(shown).filter((at) => !shown.has(at + 1)).length
  let left = maxTokens - NOTE * gaps - Array.from(shown).reduce((sum, at) => sum + costOf(at), 0)
  for (const at of lines.keys()) {
    if (filled.has(at) || others.has(at)) continue
    left -= costOf(at)
    if (left < 0) break
    filled.add(at)
  }
  return filled
}

const labeled = ({ label, text }: Line = { label: "", text: "" }): string =>
  `${label}${label === "" ? "" : " "}${text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text}`

const without = (positions: ReadonlySet<number>, others: ReadonlySet<number>): ReadonlySet<number> =>
  new Set(Array.from(positions).filter((at) => !others.has(at)))

/** Writes the lines to show with their labels, and says which are cut and which are shown apart. */
const printed = (
  lines: ReadonlyArray<Line>,
  shown: ReadonlySet<number>,
  { apart, comments }: { readonly apart: ReadonlySet<number>; readonly comments: ReadonlySet<number> },
  maxTokens: number,
): ReadonlyArray<string> => {
  const written: Array<string> = []
  let tokens = 0
  let cut = { code: 0, comment: 0 }
  const note = () => {
    if (cut.comment > 0) written.push(commentNote(cut.comment))
    if (cut.code > 0) written.push(cutNote(cut.code))
    cut = { code: 0, comment: 0 }
  }
  for (const [at, each] of lines.entries()) {
    const { text } = each
    const line = labeled(each)
    const isApart = apart.has(at)
    const isShown = !isApart && shown.has(at) && text.trim() !== "" && tokens + sizeOf(line) <= maxTokens
    if (!isShown && !isApart) {
      if (text.trim() !== "") cut[comments.has(at) ? "comment" : "code"] += 1
      continue
    }
    note()
    if (isShown) {
      tokens += sizeOf(line)
      written.push(line)
    } else if (!apart.has(at - 1)) written.push("(shown apart)")
  }
  note()
  return written
}

/** The least lines of a list whose middle is left out, and how many lines of both ends stay. */
const MIN_ALIKE = 20
const ENDS = 3

/**
 * Finds the middle of each long list of data with lines of one shape, such as names of headers. The lines with a longer
 * word of the statements stay.
 */
const alikeIn = (lines: ReadonlyArray<string>, statements: ReadonlyArray<string>): ReadonlySet<number> => {
  const hidden = new Set<number>()
  const shapes = lines.map((line) =>
    /[({]/.test(line) ? "" : line.replaceAll(/"[^"]*"|'[^']*'/g, "w").replaceAll(/[\p{L}\p{N}_$-]+/gu, "w"),
  )
  const words = new Set(statements.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}_$-]{4,}/gu) ?? []))
  const isSaid = (line: string) =>
    (line.toLowerCase().match(/[\p{L}\p{N}_$-]{4,}/gu) ?? []).some((word) => words.has(word))
  for (let from = 0; from < lines.length; ) {
    let to = from + 1
    while (to < lines.length && shapes[to] !== "" && shapes[to] === shapes[from]) to += 1
    if (to - from >= MIN_ALIKE && shapes[from]?.trim() !== "") {
      for (let at = from + ENDS; at < to - ENDS; at++) if (!isSaid(lines[at] ?? "")) hidden.add(at)
    }
    from = to
  }
  return hidden
}

/** Returns whether the written lines of a source are not all that it has. */
export const isCut = (lines: ReadonlyArray<string>): boolean =>
  lines
    .join("\n")
    .split("\n")
    .some((line) => line.startsWith("…") || line.endsWith("…"))
