/** A PRD as `prd.json`: its user stories as tasks for programs. Pure. */
import * as Schema from "effect/Schema"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Fence from "../internal/fence.ts"
import * as Prd from "./Prd.ts"
import * as Lines from "./prdLines.ts"
import { slugify } from "./Slug.ts"
import * as StoryText from "./storyText.ts"

export const UserStory = Schema.Struct({
  /** The id in the document, such as `US-001`; `STORY-001` if it has none. */
  id: Schema.NonEmptyString,
  title: Schema.String,
  description: Schema.String,
  acceptanceCriteria: Schema.Array(Schema.String),
  /** The urgency: 0 is the most urgent, 4 the least. */
  priority: Schema.Int.pipe(Schema.between(0, 4)),
  /** True if the story is done. */
  passes: Schema.Boolean,
  labels: Schema.Array(Schema.String),
  /** The ids of other stories. */
  dependsOn: Schema.Array(Schema.String),
})
export type UserStory = typeof UserStory.Type

export const PrdJson = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  /** The name of a branch, such as `feature/dark-mode`. */
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
  /** The time in ISO 8601. A line `> Generated:` of the document takes precedence. */
  readonly createdAt: string
  /** The path of the document. It is omitted if it is blank. */
  readonly sourcePrd?: string | undefined
}

/** Makes the data from a document in Markdown. */
export const make = (content: string, { createdAt, sourcePrd = "" }: Options): PrdJson => {
  const lines = storyLines(content)
  const name = Prd.nameOf(content)
  return {
    name,
    description: StoryText.firstParagraph(
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
 * Reads the stories of a document: headings of the second to the fourth level with an id, `US-001`, `US-2.1.1`,
 * `EPIC-12` or `Feature 1.1`, which may also be `[US-001]`, in backticks, or the end of the heading in brackets. If
 * there are no ids, it reads headings `Word: Title` in the section of user stories; else lines in bold such as `-
 * **US-001**: Title`; else headings `Word: Title` anywhere except for known names of sections. A second story with the
 * same id is `US-001-2`.
 */
export const userStories = (content: string): ReadonlyArray<UserStory> => read(content).stories

/**
 * Lists the parts of a document that could not be taken, in lines for the user: stories without criteria, ids that
 * occur twice, headings.
 */
export const problems = (content: string): ReadonlyArray<string> => {
  const { headings, lines, stories } = read(content)
  const withoutCriteria = stories.flatMap(({ acceptanceCriteria, id }) => (acceptanceCriteria.length === 0 ? [id] : []))
  const repeated = stories.flatMap(({ id }, at) => {
    const before = headings[at]?.id
    return before === undefined || before === id
      ? []
      : [`${before} is the id of several stories: one of them is ${id} now`]
  })
  const ids = new Set(stories.map(({ id }) => id))
  const unknown = stories.flatMap(({ dependsOn, id }) => {
    const missing = dependsOn.filter((other) => !ids.has(other))
    return missing.length === 0 ? [] : [`${id} depends on ${list(missing)}, which is no story of the document`]
  })
  const untaken = untakenLines(lines, headings).map((text) => `"${shorten(text)}"`)
  return [
    ...(withoutCriteria.length > 0 ? [`No acceptance criteria were found for ${list(withoutCriteria)}`] : []),
    ...shortList(repeated),
    ...shortList(unknown),
    ...(untaken.length > 0
      ? [`Not taken as a story, since it lacks an id such as US-001 in a heading of level 2 to 4: ${list(untaken)}`]
      : []),
  ].map(sanitizeLine)
}

/** Joins words: `a`, `a and b`, `a, b, c, d, e and 2 more`. */
const list = (all: ReadonlyArray<string>): string => {
  const shown = all.length > MAX_LISTED ? [...all.slice(0, MAX_LISTED), `${all.length - MAX_LISTED} more`] : all
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`
}

const shortList = (all: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.length > MAX_LISTED ? [...all.slice(0, MAX_LISTED), `… and ${all.length - MAX_LISTED} more like these`] : all

const MAX_LISTED = 5

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

interface Document {
  readonly lines: ReadonlyArray<StoryText.Line>
  readonly headings: ReadonlyArray<Heading>
  /** The stories, one for each heading. */
  readonly stories: ReadonlyArray<UserStory>
}

const read = (content: string): Document => {
  const lines = storyLines(content)
  const headings = storyHeadings(lines)
  const ids = uniqueIds(headings.map(({ id }, index) => id ?? `STORY-${String(index + 1).padStart(3, "0")}`))
  const idByLabel = new Map<string, string>()
  for (const [at, { id, label }] of headings.entries()) {
    const unique = ids[at] ?? ""
    for (const name of [id, label]) {
      const key = name?.toLowerCase()
      if (key !== undefined && !idByLabel.has(key)) idByLabel.set(key, unique)
    }
  }
  const numbers = new Set(headings.map(({ line }) => line.number))
  const stories = headings.map((heading, at) =>
    toStory(heading, ids[at] ?? "", at, bodyOf(lines, heading.line, numbers), idByLabel),
  )
  return { lines, headings, stories }
}

/** Makes ids unique: a repeated id gets a number that no other id has. */
const uniqueIds = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const given = new Set(ids)
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return ids.map((id) => {
    let [unique, count] = [id, counts.get(id) ?? 1]
    while (used.has(unique) || (unique !== id && given.has(unique))) unique = `${id}-${++count}`
    counts.set(id, count)
    used.add(unique)
    return unique
  })
}

/**
 * Lists the lines that look like a story and were not taken: lines with an id, or headings in the section of stories on
 * the same level.
 */
const untakenLines = (
  lines: ReadonlyArray<StoryText.Line>,
  headings: ReadonlyArray<Heading>,
): ReadonlyArray<string> => {
  const taken = new Set(headings.map(({ line }) => line.number))
  const ids = new Set(headings.flatMap(({ id, label }) => [id, label]))
  const levels = new Set(headings.map(({ line }) => line.level))
  const section = new Set(sectionOf(lines).map(({ number }) => number))
  return lines.flatMap(({ isFenced, level, number, text }) => {
    if (isFenced || taken.has(number)) return []
    const words = level > 0 ? headingText(text) : StoryText.withoutBold(text.replace(LIST_MARK, ""))
    const id = readWithUserStoryId(words)?.label
    const isStory =
      level > 0
        ? id !== undefined || (section.has(number) && levels.has(level) && !SECTIONS.test(words))
        : Lines.isStoryInBold(text) && !(id !== undefined && ids.has(id))
    return isStory ? [words] : []
  })
}

/** Reads labels from a list, or from one text with commas. Undefined if there are no labels. */
export const parseLabels = (input: unknown): ReadonlyArray<string> | undefined => {
  const given: ReadonlyArray<unknown> = typeof input === "string" ? input.split(",") : Array.isArray(input) ? input : []
  const found = given.flatMap((label) => (typeof label === "string" && label.trim() !== "" ? [label.trim()] : []))
  return found.length === 0 ? undefined : found
}

interface Heading {
  readonly line: StoryText.Line
  /** The id in the heading, if there is one. */
  readonly id: string | undefined
  /** The text before the colon. */
  readonly label: string
  readonly title: string
}

const linesOf = (content: string): ReadonlyArray<StoryText.Line> => {
  const isFenced = Fence.make()
  return content.split(/\r?\n/).map((text, number) => {
    const inFence = isFenced(text)
    return { number, text, level: inFence ? 0 : (/^ {0,3}(#{1,6})\s/.exec(text)?.[1]?.length ?? 0), isFenced: inFence }
  })
}

/**
 * Turns lines in bold that are stories into headings, unless a heading is a story with an id or in the section of
 * stories. They are the lines of that section, or of the whole document if it has no such section.
 */
const storyLines = (content: string): ReadonlyArray<StoryText.Line> => {
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

const storyHeadings = (lines: ReadonlyArray<StoryText.Line>): ReadonlyArray<Heading> => {
  if (readHeadings(lines, readWithId).length > 0)
    return readHeadings(lines, (text) => readWithId(text) ?? readWithOtherId(text))
  const inSection = readHeadings(sectionOf(lines), readWithLabel)
  return inSection.length > 0
    ? inSection
    : readHeadings(lines, readWithLabel).filter(({ label }) => !SECTIONS.test(label))
}

type ReadHeading = (text: string) => Omit<Heading, "line"> | undefined

const readHeadings = (lines: ReadonlyArray<StoryText.Line>, readHeading: ReadHeading): ReadonlyArray<Heading> =>
  lines.flatMap((line) => {
    const heading = line.level >= 2 && line.level <= 4 ? readHeading(headingText(line.text)) : undefined
    return heading === undefined ? [] : [{ ...heading, line }]
  })

/** Returns the text without `#` on both sides, without bold, and with `-` for the hyphens that look like it. */
const headingText = (text: string): string =>
  StoryText.withoutBold(text.replace(/^ *#+\s+/, ""))
    .replaceAll(/[\u2010\u2011]/g, "-")
    .replace(/ #{1,6}$/, "")

const readWithId: ReadHeading = (text) => {
  const [, label, title] = IDENTIFIED.exec(text) ?? []
  if (label !== undefined && title !== undefined) {
    const id = label.replace(/^Feature\s+/i, "FEAT-")
    return { id: id.startsWith("FEAT-") ? id.replaceAll(".", "-") : id, label, title: titleOf(title) }
  }
  const story = readWithUserStoryId(text)
  return story !== undefined && /^US-\d{3}(?:\.\d+)*$/.test(story.label) ? { ...story, id: story.label } : undefined
}

/** An id at the beginning of a heading. `US-` needs exactly three digits. */
const IDENTIFIED =
  /^[[(`_]?(US-\d{3}(?:\.\d+)*|(?!US-)[A-Z][A-Z0-9]*-\d+|Feature\s+\d+(?:\.\d+)*)(?!\d)[\])`_]?(?:\([^)]*\))?(.*)/s

/**
 * Reads an id of a user story in any form: `US-1`, `us-001`, `US2`. Beside stories with a valid id, it is taken as it
 * is.
 */
const readWithOtherId: ReadHeading = (text) => {
  const story = readWithUserStoryId(text)
  return story && { ...story, id: story.label.toUpperCase() }
}

/** Reads `1. Story [US-001]: Title`, `✅ US2 - Title`, or `Title (US-001)`. */
const readWithUserStoryId: ReadHeading = (text) => {
  const [, label, rest] = USER_STORY.exec(text) ?? []
  if (label !== undefined && rest !== undefined) return { id: undefined, label, title: titleOf(rest) }
  const [end = "", last] = USER_STORY_LAST.exec(text) ?? []
  return last === undefined ? undefined : { id: undefined, label: last, title: titleOf(text.slice(0, -end.length)) }
}

const USER_STORY =
  /^[^\p{L}\p{N}]{0,9}(?:\d{1,3}(?:\.\d{1,3}){0,3}[.):]?\s+)?[^\p{L}\p{N}]{0,9}(?:(?:user )?story\s+)?[[(`_]?(US-?\d+(?:\.\d+)*)(?![\d\p{L}])[\])`_]?(?:\([^)]*\))?(.*)/isu

const USER_STORY_LAST = /\s[[(`]{1,2}(US-?\d{1,9}(?:\.\d{1,9}){0,3})[\])`]{1,2}$/i

/** Removes the separator between the id and the title. */
const titleOf = (text: string): string => text.replace(SEPARATOR, "").trim()

const SEPARATOR = /^\s*(?:[:：|·•]|[.)](?=\s|$)|[-–—―−]+(?=\s|$)|[–—―]+|(?<!\s)-)?\s*/

const readWithLabel: ReadHeading = (text) => {
  const story = readWithUserStoryId(text) ?? readNumbered(text)
  if (story !== undefined && story.title !== "") return story
  const [, label, title] = /^([^:：]+)[:：]\s*(\S.*)$/.exec(text) ?? []
  return label === undefined || title === undefined ? undefined : { id: undefined, label: label.trim(), title }
}

/** Reads a heading such as `Story 1 - Title`. */
const readNumbered: ReadHeading = (text) => {
  const [, label, rest] = /^((?:user )?story \d+)(?!\d)(.*)/is.exec(text) ?? []
  return label === undefined || rest === undefined ? undefined : { id: undefined, label, title: titleOf(rest) }
}

/** Names of sections that are not stories, whatever follows their colon. */
const SECTIONS =
  /^(?:\d+\.?\s*)?(?:prd|introduction|overview|summary|background|problem|goals?|objectives?|scope|non[- ]goals?|out of scope|(?:user )?stories|(?:non-)?(?:functional )?requirements?|quality(?: gates)?|technical.*|design.*|architecture|implementation.*|dependenc(?:y|ies)|success.*|metrics?|risks?|timeline|milestones?|open questions?|questions?|notes?|appendix|assumptions?|constraints?|security|performance|testing|references?|phase\s*\d*)$/i

/** Returns the lines below the heading of the user stories, up to the next heading of its level. */
const sectionOf = (lines: ReadonlyArray<StoryText.Line>): ReadonlyArray<StoryText.Line> => {
  const start = lines.findIndex(({ level, text }) => level > 0 && /user stories/i.test(text))
  const head = lines[start]
  if (head === undefined) return []
  const end = lines.findIndex(({ level, number }) => number > start && level > 0 && level <= head.level)
  return lines.slice(start + 1, end === -1 ? undefined : end)
}

const toStory = (
  { title }: Heading,
  id: string,
  index: number,
  body: ReadonlyArray<StoryText.Line>,
  idByLabel: ReadonlyMap<string, string>,
): UserStory => {
  const urgency = /\bP?([0-4])\b/i.exec(StoryText.fieldValue(body, StoryText.PRIORITY) ?? "")?.[1]
  return {
    id,
    title,
    description: StoryText.firstParagraph(body),
    acceptanceCriteria: StoryText.findCriteria(body),
    priority: urgency === undefined ? Math.min(index + 1, 4) : Number(urgency),
    passes: false,
    labels: parseLabels(StoryText.fieldValue(body, StoryText.LABELS)) ?? [],
    dependsOn: dependencies(StoryText.fieldValue(body, StoryText.DEPENDS_ON), idByLabel),
  }
}

/** Returns the lines up to the next story, or to the next heading that is not below the heading of the story. */
const bodyOf = (
  lines: ReadonlyArray<StoryText.Line>,
  head: StoryText.Line,
  headings: ReadonlySet<number>,
): ReadonlyArray<StoryText.Line> => {
  let end = head.number + 1
  for (; end < lines.length; end++) {
    const level = lines[end]?.level ?? 0
    if (headings.has(end) || (level > 0 && level <= head.level)) break
  }
  return lines.slice(head.number + 1, end)
}

/**
 * Returns the ids of the stories that a text such as `[US-001] and US2 (the store)` names. Other words stay as they
 * are.
 */
const dependencies = (value: string | undefined, idByLabel: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const named = (parseLabels(value) ?? []).flatMap((part) => {
    const words = part.replaceAll(/[\u2010\u2011]/g, "-")
    const known = idByLabel.get(words.toLowerCase())
    if (known !== undefined) return [known]
    if (NOTHING.test(words)) return []
    const ids = words.match(STORY_IDS) ?? []
    return ids.length > 0 ? ids.map((id) => idByLabel.get(id.toLowerCase()) ?? id) : [part]
  })
  return [...new Set(named)]
}

const NOTHING = /^(?:none\b|nothing\b|n\/a\b|[-–—.]+$)/i

const STORY_IDS = /\b(?:US-?\d+(?:\.\d+)*|[A-Z][A-Z0-9]{1,20}-\d+)\b/gi

/** Returns the text after `> Name:` on its line. */
const quotedValue = (lines: ReadonlyArray<StoryText.Line>, name: string): string | undefined =>
  lines
    .map(({ text }) => new RegExp(`^>\\s*\\**${name}\\**\\s*[:：]\\**\\s*(.+)`, "is").exec(text)?.[1]?.trim())
    .find((value) => value !== undefined)
    ?.replaceAll("`", "")
