/**
 * Reads the text below the heading of a user story: its fields, its first paragraph and its acceptance criteria. Pure.
 */

export interface Line {
  readonly number: number
  readonly text: string
  /** The level of a heading, from 1 to 6, else 0. There are no headings in fenced code. */
  readonly level: number
  readonly isFenced: boolean
}

/** Returns the first paragraph; a field, a list, a rule or a heading ends it. */
export const firstParagraph = (lines: ReadonlyArray<Line>): string => {
  const found: Array<string> = []
  for (const line of lines) {
    const { isFenced, level, text } = line
    const isField = readField(line) !== undefined
    const isWords = text.trim() !== "" && level === 0 && !isFenced && !RULE.test(text) && !isField && !ITEM.test(text)
    const words = isWords ? withoutBold(text.replace(DESCRIPTION, "")) : ""
    if (words !== "") found.push(words)
    else if (!isWords && (found.length > 0 || isField)) break
  }
  return found.join(" ").trim()
}

/** Returns the text after `**Name:**`, which is on its line, or in the list or the line below. */
export const fieldValue = (lines: ReadonlyArray<Line>, names: RegExp): string | undefined => {
  for (const [at, line] of lines.entries()) {
    const field = readField(line)
    if (field === undefined || !names.test(field.name)) continue
    const value = field.value !== "" ? field.value : valueBelow(lines, at)
    if (value !== "") return value
  }
  return undefined
}

const valueBelow = (lines: ReadonlyArray<Line>, at: number): string => {
  const ends = (line: Line, length: number): boolean =>
    line.level > 0 || readField(line) !== undefined || (length > 0 && !isNotBlank(line))
  return linesBelow(lines, at, ends)
    .map(({ text }) => (readItem(text)?.text ?? text).trim())
    .join(", ")
}

/** Returns the lines below one, without blank ones at their beginning, up to one that ends them. */
const linesBelow = (
  lines: ReadonlyArray<Line>,
  at: number,
  ends: (line: Line, length: number) => boolean,
): ReadonlyArray<Line> => {
  const below: Array<Line> = []
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next]
    if (line === undefined || ends(line, below.length)) break
    if (below.length > 0 || isNotBlank(line)) below.push(line)
  }
  return below
}

/**
 * Finds the lists and lines below each title `Acceptance criteria`, which may be a line, a heading or an item of a
 * list. Without such a title, it takes the lists with checkboxes that belong to no other field, or else the first such
 * list.
 */
export const findCriteria = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const titles = lines.flatMap((line, at) => {
    const field = readField(line)
    return field !== undefined && CRITERIA.test(field.name) ? [{ at, field, level: line.level }] : []
  })
  if (titles.length > 0) {
    return titles.flatMap(({ at, field, level }) => {
      const below = linesBelow(lines, at, (line) => endsCriteria(line, level, field.isItem))
      return [...criteriaInLine(field.value), ...readCriteria(below)]
    })
  }
  const { lists } = readLists(lines, true)
  const checkable = lists.filter(({ hasBoxes }) => hasBoxes)
  return (checkable.length > 0 ? checkable : lists.slice(0, 1)).flatMap(({ items }) => items)
}

/**
 * Reads `**Acceptance Criteria:** It stays; it is fast`. A remark in brackets, or words that introduce a list, are not
 * criteria.
 */
const criteriaInLine = (value: string): ReadonlyArray<string> =>
  value === "" || /^\(.*\)$/.test(value) || /[:：]$/.test(value)
    ? []
    : value
        .split(/;\s+/)
        .map((criterion) => (readItem(criterion)?.text ?? criterion).trim())
        .filter(Boolean)

const endsCriteria = (line: Line, level: number, isItem: boolean): boolean => {
  if (line.level > 0) return level === 0 || line.level <= level
  if (RULE.test(line.text)) return true
  const field = readField(line)
  return field !== undefined && (isItem || !field.isItem)
}

const readCriteria = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const { lists, words } = readLists(lines, false)
  return lists.length > 0 ? lists.flatMap(({ items }) => items) : words
}

interface List {
  readonly items: Array<string>
  hasBoxes: boolean
}

interface Lists {
  readonly lists: ReadonlyArray<List>
  /** The lines of text before the first list. */
  readonly words: ReadonlyArray<string>
}

/**
 * Reads lists. Lines that continue an item belong to it. Text after a list ends the reading, unless it is the title of
 * a further group. If `skipsFields`, lists below the titles of fields are left out.
 */
const readLists = (lines: ReadonlyArray<Line>, skipsFields: boolean): Lists => {
  const lists: Array<List> = []
  const words: Array<string> = []
  let list: List | undefined
  let isOfField = false
  let isAfterBlank = false

  const readText = (line: Line): "ends" | undefined => {
    const { isFenced, level, text } = line
    const last = list?.items.length ?? 0
    if (list !== undefined && last > 0 && level === 0 && !isFenced && (!isAfterBlank || /^\s/.test(text))) {
      if (!isTitle(line)) {
        list.items[last - 1] = `${list.items[last - 1]} ${text.trim()}`
        return undefined
      }
    }
    if (isOfField && level === 0 && !isAfterBlank) return undefined
    isOfField = false
    list = undefined
    if (level > 0 || isTitle(line)) return undefined
    if (lists.length > 0 && !skipsFields) return "ends"
    if (!FENCE.test(text) && !text.trim().startsWith("|")) words.push(withoutBold(text))
    return undefined
  }

  for (const line of lines) {
    const field = skipsFields ? readField(line) : undefined
    const item = line.isFenced || RULE.test(line.text) ? undefined : readItem(line.text)
    if (field !== undefined) {
      isOfField = field.value === "" || NOTES.test(field.name)
      list = undefined
    } else if (!isNotBlank(line)) {
      isAfterBlank = true
      continue
    } else if (item !== undefined) {
      if (item.text !== "" && !isOfField) {
        if (list === undefined) {
          list = { items: [], hasBoxes: false }
          lists.push(list)
        }
        list.items.push(item.text)
        list.hasBoxes ||= item.hasBox
      }
    } else if (readText(line) === "ends") break
    isAfterBlank = false
  }
  return { lists, words }
}

/** Returns true for the title of a group of criteria: all of the line is emphasised, or it ends with a colon. */
const isTitle = ({ isFenced, text }: Line): boolean =>
  !isFenced && (/^\s*([*_]{1,3})\S.*\1[:：]?\s*$/.test(text) || /[:：][*_]{0,3}\s*$/.test(text))

interface Field {
  readonly name: string
  /** The value on the line of the field. Empty if the value is below. */
  readonly value: string
  /** True if the field is an item of a list. */
  readonly isItem: boolean
}

/** Reads fields such as `**Priority:** P1`, `Priority: P1`, `- **Priority**: P1`, `#### Priority`. */
const readField = ({ isFenced, level, text }: Line): Field | undefined => {
  if (isFenced) return undefined
  const mark = /^\s*(?:#{1,6}\s+|[-*+]\s+)?/.exec(text)?.[0] ?? ""
  const isItem = level === 0 && mark.trim() !== ""
  const rest = text.slice(mark.length).trimEnd()
  const isMarked = level > 0 || /^[*_]{1,3}\S/.test(rest)
  const at = rest.search(/[:：]/)
  // Only a title of its own needs no colon.
  if (at === -1 && !(level > 0 || (isMarked && /[*_]$/.test(rest)))) return undefined
  const before = at === -1 ? rest : rest.slice(0, at)
  if (before.length > MAX_NAME) return undefined
  const name = before
    .replaceAll(/[*_`]|#+$/g, "")
    .replace(/^[^\p{L}]+/u, "")
    .replaceAll(/\s+/g, " ")
    .trim()
  const isKnown = NAMES.test(name) || CRITERIA.test(name) || (isMarked && OTHER_NAMES.test(name))
  if (!isKnown || (isItem && !isMarked && !LISTED_NAMES.test(name))) return undefined
  const value = at === -1 ? "" : rest.slice(at + 1).trim()
  return { name, value: withoutBold(value.replace(/^[*_]{1,3}(?=\s|$)/, "")), isItem }
}

/** The most characters of a field's name. */
const MAX_NAME = 80

const CRITERIA =
  /^(?:acceptance(?: (?:criteria|criterion|tests?|conditions?))?|(?:success )?criteria|definition of done|done when|acs?)(?: \(.*\)| for .*)?$/i

const NOTES = /^(?:technical |implementation )?notes?$/i

export const DEPENDS_ON = /^(?:depends on|dependenc(?:y|ies)|blocked by)$/i

export const LABELS = /^(?:labels?|tags?)$/i

export const PRIORITY = /^priority$/i

const NAMES = /^(?:priority|depends on|labels|notes)$/i

/** Names that items of a list may have without emphasis. Any other item with a colon is a criterion. */
const LISTED_NAMES = /^(?:acceptance criteria|priority|depends on|labels)$/i

/** Names that words of a description may have, too: these are fields only in bold or in a heading. */
const OTHER_NAMES =
  /^(?:dependenc(?:y|ies)|blocked by|label|tags?|note|(?:technical|implementation)(?: (?:notes?|details?|tasks?))?|design(?: notes?)?|(?:sub-?)?tasks?|steps|out of scope|non-?goals|risks?|assumptions?|open questions?|references?|links|story points?|points|estimate|effort|size|complexity|status|type|owner|assignee|epic|files?)$/i

const DESCRIPTION = /^\**description\**\s*[:：]\**\s*/i

/** Reads items such as `- [ ] a`, `1. a`, `2) a`, `a) a`, `• a`, `☐ a`, `AC1: a`. */
const readItem = (text: string): { readonly text: string; readonly hasBox: boolean } | undefined => {
  const [, box, words] = ITEM.exec(text) ?? []
  return words === undefined ? undefined : { text: words.trim(), hasBox: box !== undefined || BOX.test(text) }
}

const ITEM =
  /^\s*(?:(?:[-*+•‣◦·▪–—☐☑☒✓✔✅]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?:\\?\[([ xX✓-]?)\\?\]\s*)?|\**AC[-\s]?\d{1,3}(?:\.\d{1,3})?\**\s*[:.)]\**\s+)(.*)/s

const BOX = /^\s*[☐☑☒✓✔✅]/

const FENCE = /^\s*(?:`{3,}|~{3,})/

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/

export const withoutBold = (text: string): string => text.replaceAll("**", "").trim()

const isNotBlank = ({ text }: Line): boolean => text.trim() !== ""
