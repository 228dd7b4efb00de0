/** A Product Requirements Document (PRD): how a model is asked for one, and how its answer is searched for it. Pure. */
import * as Schema from "effect/Schema"
import * as Fence from "../internal/fence.ts"
import * as Lines from "./prdLines.ts"
import { slugify } from "./Slug.ts"

/** Refuses a blank text. A filter without `jsonSchema` would leave the description out of the JSON Schema. */
const notBlank = (issue: string) =>
  Schema.String.pipe(Schema.filter((text) => text.trim() !== "" || issue, { jsonSchema: { minLength: 1 } }))

/** A document that a model submits to the tool `submit_prd`, or writes between `[PRD]` and `[/PRD]`. */
export const Prd = Schema.Struct({
  /** The name of the feature, in any script: `Dark Mode`. */
  name: notBlank("it has no name").annotations({ description: "The feature's name, such as Dark Mode" }),
  /** The whole document in Markdown, without surrounding white space. */
  content: notBlank("it says nothing").annotations({ description: "The whole document, in Markdown" }),
})
export type Prd = typeof Prd.Type

/** Returns true if a line is only a mark around a document, which is for programs. */
export const isMark: (line: string) => boolean = Lines.isMark

/** Returns true if a line, of which only the beginning has arrived, may become a mark. */
export const mayBecomeMark: (line: string) => boolean = Lines.mayBecomeMark

/** The tool to which a model submits a document, if it has tools. */
export const submission = "submit_prd"

/** The name of a document without a name. */
export const UNTITLED = "Untitled Feature"

/**
 * The reason that a document may not be meant as one, or not be complete:
 *
 * - `unclosed`: its end mark is missing
 * - `cut off`: the answer ended before it did
 * - `fenced`: it is code in an answer that says more, which may be an example
 * - `unmarked`: it has neither marks nor the heading of a PRD
 */
export type Doubt = "unclosed" | "cut off" | "fenced" | "unmarked"

export interface Findings {
  /** The last complete document. */
  readonly complete: Prd | undefined
  /** A text that is only likely to be a document. It is never one that a complete document follows. */
  readonly doubtful: { readonly prd: Prd; readonly doubt: Doubt } | undefined
}

/**
 * Returns the last document of an answer. It is between a line `[PRD]` and a line `[/PRD]`, in letters of either case.
 * A mark that shares its line with other words counts only around text that has a heading; otherwise it is only
 * mentioned. If no mark opens a document, or none closes it, the document begins at the last heading `# PRD: Name`, and
 * needs text below. Fenced code is skipped as an example, unless a fence holds the whole document.
 */
export const detect = (answer: string): Prd | undefined => {
  const { complete, doubtful } = find(answer)
  return complete ?? (doubtful?.doubt === "unclosed" ? doubtful.prd : undefined)
}

/**
 * Returns the last document between marks. It is for an answer that was interrupted: a document below a heading may
 * lack its end.
 */
export const detectComplete = (answer: string): Prd | undefined => find(answer, false).complete

/**
 * Finds everything in an answer that may be a document. `isWhole` says that the model has ended the answer by itself.
 * Takes linear time.
 */
export const find = (answer: string, isWhole = true): Findings => {
  const lines = Lines.unwrap(Lines.linesOf(answer))
  const { block, example, found, heading } = scan(lines)
  const below = heading === undefined ? undefined : documentBelow(heading)
  const fenced = isWhole ? block?.fenced?.() : undefined
  if (fenced !== undefined) return { complete: fenced, doubtful: undefined }
  const open = block?.isAlone === true ? documentInOpen(block.lines) : undefined
  if (open !== undefined) return { complete: found, doubtful: { prd: open, doubt: isWhole ? "unclosed" : "cut off" } }
  if (isWhole && found === undefined && below !== undefined) return { complete: below, doubtful: undefined }
  if (below !== undefined) return { complete: found, doubtful: { prd: below, doubt: isWhole ? "unclosed" : "cut off" } }
  const doubtful = found === undefined ? guess(lines, example) : undefined
  return { complete: found, doubtful }
}

/** Returns the whole answer as a document, without marks and fences at its ends. Undefined if it says nothing. */
export const wholeAnswer = (answer: string): Prd | undefined => documentOf(Lines.linesOf(answer), true)

interface Scan {
  /** The document that is open. */
  block: Block | undefined
  /** The lines since the last `# PRD: Name`, outside of a document. */
  heading: Array<string> | undefined
  /** The last complete document between marks. */
  found: Prd | undefined
  /** The last fenced code, outside of a document. */
  example: ReadonlyArray<string> | undefined
}

/** A `[PRD]` that is not closed yet. */
interface Block {
  readonly lines: Array<string>
  /** True if its mark has a line of its own. */
  readonly isAlone: boolean
  /** Returns the document for the case that the last `[/PRD]` in a fence or among other words closes it. */
  fenced: (() => Prd | undefined) | undefined
}

/** Reads an answer line by line. */
const scan = (lines: ReadonlyArray<string>): Scan => {
  const state: Scan = { block: undefined, heading: undefined, found: undefined, example: undefined }
  let kindOf = Fence.kinds()
  let code: Array<string> = []
  let level = 0

  const open = (line: string, isAlone: boolean) => {
    state.block = { lines: [line], isAlone, fenced: undefined }
    if (isAlone) state.heading = undefined
    kindOf = Fence.kinds()
  }

  const close = (prd: Prd | undefined) => {
    if (prd !== undefined) {
      state.found = prd
      state.heading = undefined
    }
    state.block = undefined
    kindOf = Fence.kinds()
  }

  const readInBlock = (block: Block, line: string) => {
    const inFence = kindOf(line) !== "text"
    const closing = Lines.closingMark(line)
    if (closing !== undefined) {
      const { length } = block.lines
      const document = () =>
        documentOf([...block.lines.slice(0, length), closing.before], block.isAlone && closing.isAlone)
      if (!inFence && !closing.isMention) return close(document())
      // Either the fence was not closed, or this is an example or a mention: the next lines decide.
      block.fenced = document
    } else if (!inFence && Lines.openingMark(line)?.isAlone === true) return open("", true)
    block.lines.push(line)
    // The mark may be only mentioned.
    if (!block.isAlone) readHeading(line, inFence)
  }

  const readOutside = (line: string) => {
    const kind = kindOf(line)
    const inFence = kind !== "text"
    readCode(line, kind)
    const opening = inFence ? undefined : Lines.openingMark(line)
    if (opening !== undefined) open(opening.after, opening.isAlone)
    const isEnd = !inFence && Lines.closingMark(line)?.isAlone === true
    // The opening mark of the document is missing.
    if (isEnd && state.heading !== undefined) {
      state.found = documentBelow(state.heading) ?? state.found
      state.heading = undefined
    } else if (opening?.isAlone !== true) readHeading(line, inFence)
  }

  /**
   * Reads a line of fenced code. A fence that holds a document with its marks and with sections is not an example of
   * the marks.
   */
  const readCode = (line: string, kind: Fence.LineKind) => {
    if (kind === "inside") code.push(line)
    if (kind === "opens") code = []
    if (kind !== "closes") return
    state.example = code
    const [first, last] = [code.find(isNotBlank), code.findLast(isNotBlank)]
    const isMarked = Lines.openingMark(first ?? "")?.isAlone === true && Lines.closingMark(last ?? "")?.isAlone === true
    const prd = isMarked ? documentOf(code, true) : undefined
    if (prd !== undefined && hasSections(prd)) state.found = prd
  }

  const readHeading = (line: string, inFence: boolean) => {
    const named = inFence ? undefined : Lines.namedHeading(line)
    // A heading of a lower level is a part of the document.
    if (named !== undefined && (state.heading === undefined || named.level <= level)) {
      state.heading = [line]
      level = named.level
    } else state.heading?.push(line)
  }

  for (const line of lines) {
    if (state.block === undefined) readOutside(line)
    else readInBlock(state.block, line)
  }
  return state
}

/**
 * Returns the name in the first heading of a PRD, which may be in bold alone, else the first heading `# Name`, else
 * `Untitled Feature`.
 */
export const nameOf = (content: string): string => {
  const lines = Lines.withMarkedHeadings(Lines.withoutFences(Lines.linesOf(content)))
  const name = (of: (line: string) => string | undefined) => lines.map((line) => of(line)?.trim() ?? "").find(Boolean)
  return (
    name((line) => Lines.namedHeading(line)?.name) ??
    name((line) => Lines.nameInBold(line)) ??
    name((line) => TITLE.exec(line)?.[1]) ??
    UNTITLED
  )
}

/** Makes a name such as `prd-dark-mode.md`. It is never without a name, and short enough for any file system. */
export const fileName = (name: string): string => `prd-${truncate(slugify(name) || slugify(UNTITLED))}.md`

const TITLE = /^ {0,3}#[ \t](.*)$/

/** Returns the document between marks. Marks without lines of their own count only around text that has a heading. */
const documentOf = (lines: ReadonlyArray<string>, isAlone: boolean): Prd | undefined => {
  const content = Lines.trim(lines)
  if (content === "" || !(isAlone || Lines.withoutFences(content.split("\n")).some(Lines.isHeading))) return undefined
  return { name: nameOf(content), content }
}

const documentBelow = (lines: ReadonlyArray<string>): Prd | undefined => {
  const content = Lines.trim(lines)
  return content.includes("\n") ? { name: nameOf(content), content } : undefined
}

/** Returns the document in a block without an end mark: it begins below the last heading of a PRD in the block. */
const documentInOpen = (lines: ReadonlyArray<string>): Prd | undefined => {
  const { heading } = scan(Lines.unwrap(lines).filter((line) => Lines.openingMark(line)?.isAlone !== true))
  return heading === undefined ? undefined : documentBelow(heading)
}

/** Finds a document in code, or one that only looks like a PRD: it has a title that says so, or user stories. */
const guess = (lines: ReadonlyArray<string>, example: ReadonlyArray<string> | undefined): Findings["doubtful"] => {
  const prd = looksLike(lines)
  if (prd !== undefined) return { prd, doubt: "unmarked" }
  const inside = example && find(example.join("\n"))
  const code = inside?.complete ?? inside?.doubtful?.prd
  return code !== undefined && hasSections(code) ? { prd: code, doubt: "fenced" } : undefined
}

const looksLike = (lines: ReadonlyArray<string>): Prd | undefined => {
  const isFenced = Fence.make()
  const text = Lines.withMarkedHeadings(lines.map((line) => (isFenced(line) ? "" : line)))
  const title = text.findIndex((line) => SPEAKING_TITLE.test(line.slice(0, MAX_TITLE)))
  const isTold = title >= 0 && text.slice(title + 1).some((line) => Lines.isHeading(line) || Lines.isStoryInBold(line))
  const from = isTold ? title : hasStories(text) ? text.findIndex(Lines.isTitle) : -1
  return from < 0 ? undefined : documentOf(lines.slice(from), true)
}

/**
 * Returns true if there are stories. Stories in bold, or with only a number, count if a section says that they are
 * stories: otherwise they may be a list of finished work.
 */
const hasStories = (text: ReadonlyArray<string>): boolean => {
  const count = (pattern: RegExp) => text.filter((line) => pattern.test(line)).length
  if (count(STORY) > 1) return true
  if (count(STORIES) === 0) return false
  const stories = count(STORY) + text.filter(Lines.isStoryInBold).length + count(NUMBERED_STORY)
  return stories > 1 || (stories === 1 && count(REQUIREMENTS) > 0)
}

/** A heading, or a line in bold, that begins or ends with the kind of the document: `# Dark Mode PRD`. */
const SPEAKING_TITLE =
  /^ {0,3}(?:#{1,3}[ \t]+|\*\*)(?:(?:PRD|[Pp]roduct [Rr]equirements)\b|.{0,200}\b(?:PRD|[Pp]roduct [Rr]equirements(?: [Dd]ocument)?)\)?(?:\*\*)?[ \t]*$)/

/** The most characters of a line that are read, since the pattern tries each of them. */
const MAX_TITLE = 300

const STORY = /^ {0,3}#{2,5}[ \t]+(?:\*\*)?[[(`]?US-?\d+/

const NUMBERED_STORY = /^ {0,3}#{2,5}[ \t]+(?:\*\*)?(?:User )?[Ss]tory \d+/

/** The heading of a section, also in bold or with its number: `## 3. User Stories`. */
const STORIES = /^ {0,3}(?:#{1,5}[ \t]|\*\*)[^\p{L}]*User [Ss]tories\b/u

const REQUIREMENTS = /^ {0,3}(?:#{1,5}[ \t]|\*\*)[^\p{L}]*(?:Functional )?[Rr]equirements\b/u

const hasSections = ({ content }: Prd): boolean =>
  Lines.withoutFences(content.split("\n")).filter(Lines.isHeading).length > 1

const isNotBlank = (line: string): boolean => line.trim() !== ""

/** Shortens a name: file systems allow names of 255 bytes. The cut must not leave half of a surrogate pair. */
const truncate = (slug: string): string => slug.slice(0, 60).replace(/(?:-|[\uD800-\uDBFF])$/, "")

/** The system prompt of a model that helps a user to write a PRD. */
export const PRD_SYSTEM_PROMPT = `You are helping create a Product Requirements Document (PRD) with the person you talk to. Your part is the document: do not start implementing what it describes.

While anything that matters is unclear, ask:
- Ask clarifying questions with lettered options (A, B, C, D), so that a question can be answered by its number and a letter, such as "1A, 2C". Leave room for an answer of the person's own.
- Ask one set of at most five questions at a time, and wait for the answers. What you learn decides what you ask next.
- Ask about the problem and the goal, who it is for, what it does, what it does not do, and how to tell that it is done. Do not ask what the codebase or the conversation tells you already.

Once the context is sufficient, generate the complete PRD, in Markdown:
- A heading "# PRD: " followed by the feature's name, and below it a paragraph that says what the feature is and why.
- The section "## User Stories", with a heading "### US-001: Title" for each story, a description, a line "**Acceptance Criteria:**", and below it a list of checkable items, each "- [ ] " and what holds when it is done. A story is small enough for one sitting; those that others build on come first. A line "**Priority:** P1" and a line "**Depends on:** US-001" where they apply.
- Sections for the functional requirements, for what is out of scope, and for what is still open.

Wrap the final PRD in the markers [PRD] and [/PRD]: a line that is [PRD] and nothing else, the whole document, and a line that is [/PRD] and nothing else. Use them for nothing else.

Where you have a tool submit_prd, call it with the whole document instead of writing the markers, and then say in a sentence that it is done. When the person asks for changes, give the whole document again, changed.`
