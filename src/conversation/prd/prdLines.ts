/**
 * Recognises the lines of an answer that mark a Product Requirements Document (PRD): its marks, its headings, its
 * fences. Pure.
 */
import * as Fence from "../internal/fence.ts"

/** Splits a text into lines. Line ends of Windows count, too. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))

/** A heading of a PRD: `# PRD: Name`, `## PRD - Name`, `# Product Requirements Document: Name`, also in bold. */
interface NamedHeading {
  /** The level of the heading, from 1 to 3. */
  readonly level: number
  /** The name in the heading, which may be blank. */
  readonly name: string
}

export const namedHeading = (line: string): NamedHeading | undefined => {
  const [, marks = "", name] = NAMED.exec(line) ?? []
  return name === undefined ? undefined : { level: marks.length, name: withoutEmphasis(name.trim()) }
}

/** The colon may be the full-width one of Chinese and Japanese; a dash needs white space, unlike `PRD-123`. */
const NAMED =
  /^ {0,3}(#{1,3})[ \t]+(?:\*\*|__)?(?:PRD|[Pp]roduct [Rr]equirements [Dd]ocument(?: \(PRD\))?)(?:\*\*|__)?[ \t]*(?:[:：]|[-–—][ \t])(.*)$/

const withoutEmphasis = (name: string): string =>
  name
    .replace(/^(?:\*\*|__)/, "")
    .replace(/(?:\*\*|__)$/, "")
    .trim()

export const isHeading = (line: string): boolean => HEADING.test(line)

const HEADING = /^ {0,3}#{1,6}[ \t]+\S/

/** Returns true for a heading, or for a line that is all in bold. */
export const isTitle = (line: string): boolean => isHeading(line) || BOLD.test(line)

const BOLD = /^ {0,3}\*\*[^*]+\*\*:?[ \t]*$/

/** Returns the name in a line in bold that takes the place of a heading: `**PRD: Name**`. */
export const nameInBold = (line: string): string | undefined =>
  BOLD.test(line) ? namedHeading(`# ${line.trim()}`)?.name : undefined

/**
 * Turns headings that are underlined into headings with `#` and a blank line below, so that the number of lines stays.
 */
export const withMarkedHeadings = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isUnderlined = (at: number) =>
    UNDERLINE.test(lines[at + 1] ?? "") && isNotBlank(lines[at] ?? "") && !isNotBlank(lines[at - 1] ?? "")
  return lines.map((line, at) => {
    if (at > 0 && isUnderlined(at - 1)) return ""
    return isUnderlined(at) ? `${lines[at + 1]?.includes("=") ? "#" : "##"} ${line.trim()}` : line
  })
}

const UNDERLINE = /^ {0,3}(?:={3,}|-{3,})[ \t]*$/

/** Returns true for lines such as `- **US-001**: Title`, `**US-001: Title**`, `1. **Story 1**`. */
export const isStoryInBold = (line: string): boolean => STORY_IN_BOLD.test(line)

const STORY_IN_BOLD = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\*\*[[(`]?(?:US-?|(?:User )?[Ss]tory )\d+/

const MARKS = ["[PRD]", "[/PRD]"] as const

const OPEN = /\[PRD\]/i

const CLOSE = /\[\/PRD\]/i

/** A line that is a mark and nothing else but emphasis, or the `#` of a heading: `**[PRD]**`, `### [/PRD]`. */
const ALONE = /^(?:#{1,6}[ \t]+)?([*_]{0,3})\\?\[(\/?)PRD\\?\]:?\1:?$/i

const markAlone = (words: string): "opens" | "closes" | undefined => {
  const [, , slash] = ALONE.exec(words) ?? []
  return slash === undefined ? undefined : slash === "" ? "opens" : "closes"
}

export const isMark = (line: string): boolean => markAlone(line.trim()) !== undefined

export const mayBecomeMark = (line: string): boolean => {
  const words = line.trim().toUpperCase()
  return words !== "" && MARKS.some((mark) => mark.startsWith(words))
}

/**
 * Reads a line that opens a document. It begins or ends with the mark, or has a heading after it, and does not also
 * close a document. Words before the mark belong to the answer.
 */
export const openingMark = (line: string): { readonly after: string; readonly isAlone: boolean } | undefined => {
  const words = line.trim()
  if (markAlone(words) === "opens") return { after: "", isAlone: true }
  const at = words.search(OPEN)
  if (at === -1 || CLOSE.test(words)) return undefined
  const after = words.slice(at + MARKS[0].length)
  if (at === 0) return { after, isAlone: false }
  const heading = after.replace(/^[*_]{1,3}/, "").trimStart()
  if (isHeading(heading)) return { after: heading, isAlone: false }
  return /\[PRD\]$/i.test(words) ? { after: "", isAlone: false } : undefined
}

/**
 * Reads a line that closes a document. It begins or ends with the mark, and does not also open one. A mark with words
 * on both sides is only mentioned, unless nothing else closes the document.
 */
export const closingMark = (
  line: string,
): { readonly before: string; readonly isAlone: boolean; readonly isMention: boolean } | undefined => {
  const words = line.trim()
  if (markAlone(words) === "closes") return { before: "", isAlone: true, isMention: false }
  if (OPEN.test(words)) return undefined
  if (words.search(CLOSE) === 0) return { before: "", isAlone: false, isMention: false }
  const at = line.toUpperCase().length === line.length ? line.toUpperCase().lastIndexOf(MARKS[1]) : line.search(CLOSE)
  if (at === -1) return undefined
  const isMention = line.slice(at + MARKS[1].length).trim() !== ""
  return { before: line.slice(0, at), isAlone: false, isMention }
}

/** Returns true for a line that may begin a document if a fence holds all of it. */
const begins = (line: string | undefined): boolean =>
  line !== undefined && (isHeading(line) || markAlone(line.trim()) === "opens")

/** Returns the lines outside of fenced blocks, without the fences. */
export const withoutFences = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isFenced = Fence.make()
  return lines.filter((line) => !isFenced(line))
}

/**
 * Returns the content of the fence that holds all of the lines, if a document begins in it; otherwise the lines
 * themselves. Fences in the document may look like the end of the fence around it: those that open another have a
 * language.
 */
export const unwrap = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, last] = [lines.findIndex(isNotBlank), lines.findLastIndex(isNotBlank)]
  const [, fence, language = ""] = FENCE.exec(lines[first] ?? "") ?? []
  if (fence === undefined || !LANGUAGES.includes(language.trim().toLowerCase())) return lines
  if (!begins(lines.slice(first + 1).find(isNotBlank))) return lines
  let depth = 1
  for (let at = first + 1; at <= last; at++) {
    const [, inner = "", info = ""] = FENCE.exec(lines[at] ?? "") ?? []
    if (inner === "" || inner[0] !== fence[0]) continue
    if (info.trim() !== "") depth++
    // A shorter fence belongs to the document, like one that is opened in it.
    else if (depth > 1 || inner.length >= fence.length) depth--
    if (depth === 0) return at === last ? lines.slice(first + 1, last) : lines
  }
  // The fence was not closed.
  return lines.slice(first + 1)
}

/** The languages that a fence around a document may name. */
const LANGUAGES = ["", "markdown", "md"]

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/

/**
 * Returns a document without the fence around it, and without marks and half a fence at its ends. Takes linear time.
 */
export const trim = (lines: ReadonlyArray<string>): string => {
  const inside = unwrap(lines)
  const kindOf = Fence.kinds()
  const opens = inside.map((line) => kindOf(line) === "opens")
  let last = inside.length - 1
  let rest = ""
  while (last >= 0) {
    const line = inside[last] ?? ""
    const closing = closingMark(line)
    const mark = closing?.isMention === true ? undefined : closing
    const isHalf = (isBareFence(line) && opens[last] === true) || openingMark(line)?.isAlone === true
    if (mark !== undefined && mark.before.trim() !== "") {
      rest = mark.before
      break
    }
    if (isNotBlank(line) && mark === undefined && !isHalf) {
      rest = line
      break
    }
    last--
  }
  if (last < 0) return ""
  const first = inside.findIndex(isNotBlank)
  const from = openingMark(inside[first] ?? "")?.isAlone === true ? first + 1 : first
  return [...inside.slice(from, last), rest].join("\n").trim()
}

const isBareFence = (line: string): boolean => FENCE.exec(line)?.[2]?.trim() === ""

const isNotBlank = (line: string): boolean => line.trim() !== ""
