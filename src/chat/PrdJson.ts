/** A PRD as `prd.json`: its user stories as tasks for programs. Pure. */
import * as Schema from "effect/Schema"
import * as Fence from "./internal/fence.ts"
import * as Lines from "./internal/prdLines.ts"
import * as Prd from "./Prd.ts"
import { slugify } from "./Slug.ts"

export const UserStory = Schema.Struct({
  /** The id in the document, such as `US-001`; `STORY-001` if it has none. */
  id: Schema.NonEmptyString,
  title: Schema.String,
  description: Schema.String,
  acceptanceCriteria: Schema.Array(Schema.String),
  /** 0 is the most urgent, 4 the least. */
  priority: Schema.Int.pipe(Schema.between(0, 4)),
  /** Whether the story is done. */
  passes: Schema.Boolean,
  labels: Schema.Array(Schema.String),
  /** Ids of other stories. */
  dependsOn: Schema.Array(Schema.String),
})
export type UserStory = typeof UserStory.Type

export const PrdJson = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  /** Such as `feature/dark-mode`. */
  branchName: Schema.String,
  userStories: Schema.Array(UserStory),
  metadata: Schema.Struct({
    createdAt: Schema.String,
    version: Schema.Literal("1.0.0"),
    /** The path of the document. */
    sourcePrd: Schema.optional(Schema.NonEmptyString),
  }),
})
export type PrdJson = typeof PrdJson.Type

export interface Options {
  /** In ISO 8601. A line `> Generated:` of the document takes precedence. */
  readonly createdAt: string
  /** Omitted where it is blank. */
  readonly sourcePrd?: string | undefined
}

/** From a document in Markdown. */
export const make = (content: string, { createdAt, sourcePrd = "" }: Options): PrdJson => {
  const lines = storyLines(content)
  const name = Prd.nameOf(content)
  return {
    name,
    description: firstParagraph(
      lines.slice(0, storyHeadings(lines)[0]?.line.number).filter(({ text }) => !text.startsWith(">")),
    ),
    branchName: quotedValue(lines, "Branch") ?? `feature/${slugify(name)}`,
    userStories: userStories(content),
    metadata: {
      createdAt: quotedValue(lines, "Generated") ?? createdAt,
      version: "1.0.0",
      ...(sourcePrd.trim() !== "" && { sourcePrd }),
    },
  }
}

/**
 * The stories of a document: headings of the second to the fourth level with an id, `US-001`, `US-2.1.1`, `EPIC-12` or
 * `Feature 1.1`. Without ids, headings `Word: Title` in the section of user stories; without those, lines in bold such as
 * `- **US-001**: Title`; without those, headings `Word: Title` anywhere except for known names of sections.
 */
export const userStories = (content: string): ReadonlyArray<UserStory> => {
  const lines = storyLines(content)
  return storyHeadings(lines).map((heading, index) => toStory(lines, heading, index))
}

/** From a list, or from one text with commas. None where there are no labels. */
export const parseLabels = (input: unknown): ReadonlyArray<string> | undefined => {
  const given: ReadonlyArray<unknown> = typeof input === "string" ? input.split(",") : Array.isArray(input) ? input : []
  const found = given.flatMap((label) => (typeof label === "string" && label.trim() !== "" ? [label.trim()] : []))
  return found.length === 0 ? undefined : found
}

interface Line {
  readonly number: number
  readonly text: string
  /** 1 to 6 for a heading, else 0. In fenced code there are no headings. */
  readonly level: number
  readonly isFenced: boolean
}

interface Heading {
  readonly line: Line
  /** The id in the heading, if there is one. */
  readonly id: string | undefined
  /** The text before the colon. */
  readonly label: string
  readonly title: string
}

const linesOf = (content: string): ReadonlyArray<Line> => {
  const isFenced = Fence.make()
  return content.split(/\r?\n/).map((text, number) => {
    const inFence = isFenced(text)
    return { number, text, level: inFence ? 0 : (/^(#{1,6})\s/.exec(text)?.[1]?.length ?? 0), isFenced: inFence }
  })
}

/**
 * Where no heading is a story with an id or in the section of stories, lines in bold that are stories are headings: those of
 * the section, or of the whole document where it has none.
 */
const storyLines = (content: string): ReadonlyArray<Line> => {
  const lines = linesOf(content)
  const section = sectionOf(lines)
  const hasHeadings = readHeadings(lines, readWithId).length > 0 || readHeadings(section, readWithLabel).length > 0
  if (hasHeadings) return lines
  const within = new Set(section.length > 0 ? section : lines)
  return lines.map((line) =>
    within.has(line) && line.level === 0 && !line.isFenced && Lines.isStoryInBold(line.text)
      ? { ...line, level: 4, text: line.text.replace(LIST_MARK, "#### ") }
      : line,
  )
}

const LIST_MARK = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?/

const storyHeadings = (lines: ReadonlyArray<Line>): ReadonlyArray<Heading> => {
  const withId = readHeadings(lines, readWithId)
  if (withId.length > 0) return withId
  const inSection = readHeadings(sectionOf(lines), readWithLabel)
  return inSection.length > 0
    ? inSection
    : readHeadings(lines, readWithLabel).filter(({ label }) => !SECTIONS.test(label))
}

type ReadHeading = (text: string) => Omit<Heading, "line"> | undefined

const readHeadings = (lines: ReadonlyArray<Line>, read: ReadHeading): ReadonlyArray<Heading> =>
  lines.flatMap((line) => {
    const heading = line.level >= 2 && line.level <= 4 ? read(withoutBold(line.text.replace(/^#+\s+/, ""))) : undefined
    return heading === undefined ? [] : [{ ...heading, line }]
  })

const readWithId: ReadHeading = (text) => {
  const [, label, title] = IDENTIFIED.exec(text) ?? []
  if (label === undefined || title === undefined) return undefined
  const id = label.replace(/^Feature\s+/i, "FEAT-")
  return { id: id.startsWith("FEAT-") ? id.replaceAll(".", "-") : id, label, title }
}

/** `US-` needs exactly three digits. */
const IDENTIFIED = /^(US-\d{3}(?:\.\d+)*|(?!US-)[A-Z][A-Z0-9]*-\d+|Feature\s+\d+(?:\.\d+)*)(?!\d)\s*[:：]?\s*(.*)/s

const readWithLabel: ReadHeading = (text) => {
  const [, label, title] = /^([^:：]+)[:：]\s*(\S.*)$/.exec(text) ?? []
  return label === undefined || title === undefined ? undefined : { id: undefined, label: label.trim(), title }
}

/** Names of sections that are no stories, whatever follows their colon. */
const SECTIONS =
  /^(?:\d+\.?\s*)?(?:prd|introduction|overview|summary|background|problem|goals?|objectives?|scope|non[- ]goals?|out of scope|(?:user )?stories|(?:non-)?(?:functional )?requirements?|quality(?: gates)?|technical.*|design.*|architecture|implementation.*|dependenc(?:y|ies)|success.*|metrics?|risks?|timeline|milestones?|open questions?|questions?|notes?|appendix|assumptions?|constraints?|security|performance|testing|references?|phase\s*\d*)$/i

/** The lines below the heading of the user stories, up to the next heading of its level. */
const sectionOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const start = lines.findIndex(({ level, text }) => level > 0 && /user stories/i.test(text))
  const head = lines[start]
  if (head === undefined) return []
  const end = lines.findIndex(({ level, number }) => number > start && level > 0 && level <= head.level)
  return lines.slice(start + 1, end === -1 ? undefined : end)
}

const toStory = (lines: ReadonlyArray<Line>, { id, line, title }: Heading, index: number): UserStory => {
  const end = lines.findIndex(({ level, number }) => number > line.number && level > 0 && level <= line.level)
  const below = lines.slice(line.number + 1, end === -1 ? undefined : end)
  const next = below.findIndex(({ level }) => level > 0 && level <= 4)
  const body = next === -1 ? below : below.slice(0, next)
  const urgency = /\bP?([0-4])\b/i.exec(fieldValue(body, "Priority") ?? "")?.[1]
  return {
    id: id ?? `STORY-${String(index + 1).padStart(3, "0")}`,
    title: title.trim(),
    description: firstParagraph(body),
    acceptanceCriteria: findCriteria(body),
    priority: urgency === undefined ? Math.min(index + 1, 4) : Number(urgency),
    passes: false,
    labels: parseLabels(fieldValue(body, "Labels")) ?? [],
    dependsOn: (parseLabels(fieldValue(body, "Depends on")) ?? []).filter((id) => !/^none\b/i.test(id)),
  }
}

/** The first paragraph; a field, a list, a rule or a heading ends it. */
const firstParagraph = (lines: ReadonlyArray<Line>): string => {
  const found: Array<string> = []
  for (const { isFenced, level, text } of lines) {
    const isWords = text.trim() !== "" && level === 0 && !isFenced && !RULE.test(text)
    if (isWords && !FIELD.test(text) && !ITEM.test(text)) found.push(withoutBold(text.replace(DESCRIPTION, "")))
    else if (found.length > 0 || FIELD.test(text)) break
  }
  return found.join(" ").trim()
}

/** The items below the line `Acceptance criteria`; the first list where there is no such line. */
const findCriteria = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const start = lines.findIndex(({ text }) => CRITERIA.test(text))
  const found: Array<string> = []
  for (const { isFenced, text } of lines.slice(start + 1)) {
    const item = isFenced ? undefined : ITEM.exec(text)?.[1]?.trim()
    if (item !== undefined && item !== "") found.push(item)
    else if (FIELD.test(text) || RULE.test(text) || (found.length > 0 && /^\S/.test(text))) break
  }
  return found
}

/** The text after `**Name:**` on its line. */
const fieldValue = (lines: ReadonlyArray<Line>, name: string): string | undefined =>
  lines
    .filter(({ isFenced }) => !isFenced)
    .map(({ text }) => new RegExp(`^(?:[-*]\\s+)?\\**${name}\\**\\s*[:：]\\**\\s*(.+)`, "is").exec(text)?.[1]?.trim())
    .find((value) => value !== undefined)

/** The text after `> Name:` on its line. */
const quotedValue = (lines: ReadonlyArray<Line>, name: string): string | undefined =>
  lines
    .map(({ text }) => new RegExp(`^>\\s*\\**${name}\\**\\s*[:：]\\**\\s*(.+)`, "is").exec(text)?.[1]?.trim())
    .find((value) => value !== undefined)
    ?.replaceAll("`", "")

const CRITERIA = /^\**acceptance criteria\**\s*(?:(?:[:：]\**|\*+)\s*)?$/i

const FIELD = /^(?:[-*]\s+)?\**(?:acceptance criteria|priority|depends on|labels|notes)\**\s*[:：]/i

const DESCRIPTION = /^\**description\**\s*[:：]\**\s*/i

const ITEM = /^\s*[-*]\s+(?:\[[ xX]\]\s*)?(.*)/s

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/

const withoutBold = (text: string): string => text.replaceAll("**", "").trim()
