/** A Product Requirements Document in what a model says, found while it is said. Pure. */
import * as Schema from "effect/Schema"
import * as Fence from "./internal/fence.ts"
import { slugify } from "./Slug.ts"

/** As a model submits it to the tool `submit_prd`, and as it is found between `[PRD]` and `[/PRD]`. */
export const Prd = Schema.Struct({
  /** What it is about, in any script: `Dark Mode`. */
  name: Schema.String.pipe(Schema.filter((name) => name.trim() !== "" || "it has no name")).annotations({
    description: "The feature's name",
  }),
  /** All of it, in Markdown, without white space around it. */
  content: Schema.String.pipe(Schema.filter((content) => content.trim() !== "" || "it says nothing")).annotations({
    description: "The whole document, in Markdown",
  }),
})
export type Prd = typeof Prd.Type

/** The tool by which a model submits one, where it has tools. */
export const submission = "submit_prd"

/** The name of one that does not name itself. */
export const UNTITLED = "Untitled Feature"

/** Listens to an answer that comes in pieces. However it is cut, what is found is the same. */
export interface Detector {
  /** The next words. */
  readonly push: (text: string) => void
  /** A `[PRD]` is open: what is said now is the document. */
  readonly isOpen: () => boolean
  /** The last document between markers that is complete by now. */
  readonly found: () => Prd | undefined
  /** Once the answer is complete, what is found in all of it: see `detect`. */
  readonly end: () => Prd | undefined
}

/**
 * The last complete document of an answer. It stands between a line `[PRD]` and a line `[/PRD]`; a marker that shares
 * its line with other words marks a document that has a heading, and is a mere mention else. Where no marker opens one,
 * it begins at the last heading `# PRD: Name`, and needs words below. What is fenced is an example.
 */
export const detect = (answer: string): Prd | undefined => {
  const detector = make()
  detector.push(answer)
  return detector.end()
}

/** The last one between markers of an answer that was cut short: what begins at a heading has no end to tell it by. */
export const detectComplete = (answer: string): Prd | undefined => {
  const detector = make()
  detector.push(`${answer}\n`)
  return detector.found()
}

export const make = (): Detector => {
  let isFenced = Fence.make()
  let rest = ""
  let block: Block | undefined
  let heading: Array<string> | undefined
  let found: Prd | undefined

  const open = (line: string, isAlone: boolean) => {
    block = { lines: [line], isAlone, fenced: undefined }
    if (isAlone) heading = undefined
    isFenced = Fence.make()
  }

  const close = (prd: Prd | undefined) => {
    found = prd ?? found
    block = undefined
    isFenced = Fence.make()
  }

  const inBlock = (block: Block, line: string) => {
    const inFence = isFenced(line)
    const closing = closed(line)
    if (closing !== undefined) {
      const prd = documentOf([...block.lines, closing.before], block.isAlone && closing.isAlone)
      // The fence may have been forgotten, or this may be an example: what follows tells.
      if (!inFence) return close(prd)
      block.fenced = prd ?? block.fenced
    } else if (!inFence && opened(line)?.isAlone === true) return open("", true)
    block.lines.push(line)
    // A mere mention, for all we know.
    if (!block.isAlone) below(line, inFence)
  }

  const outside = (line: string) => {
    const inFence = isFenced(line)
    const opening = inFence ? undefined : opened(line)
    if (opening !== undefined) open(opening.after, opening.isAlone)
    if (opening?.isAlone !== true) below(line, inFence)
  }

  const below = (line: string, inFence: boolean) => {
    if (!inFence && NAMED.test(line)) heading = [line]
    else heading?.push(line)
  }

  const take = (line: string) => (block === undefined ? outside(line) : inBlock(block, line))

  return {
    push: (text) => {
      // Pieces of a long line are not split again with each.
      if (!text.includes("\n")) {
        rest += text
        return
      }
      const lines = (rest + text).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) take(withoutReturn(line))
    },
    isOpen: () => block !== undefined,
    found: () => found,
    end: () => {
      take(withoutReturn(rest))
      rest = ""
      if (block?.fenced !== undefined) close(block.fenced)
      return found ?? (heading === undefined ? undefined : titled(heading))
    },
  }
}

/** The first line `# PRD: Name`, else the first heading `# Name`, else `Untitled Feature`. */
export const nameOf = (content: string): string => {
  const lines = unfenced(content.split(/\r?\n/))
  const name = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]?.trim() ?? "").find(Boolean)
  return name(NAMED) ?? name(TITLE) ?? UNTITLED
}

/** `prd-dark-mode.md`: never without a name, and short enough for any file system. */
export const fileName = (name: string): string => `prd-${short(slugify(name) || slugify(UNTITLED))}.md`

/** An open `[PRD]`. */
interface Block {
  readonly lines: Array<string>
  /** Nothing else stands on its line. */
  readonly isAlone: boolean
  /** What it is where a `[/PRD]` within a fence ends it. */
  fenced: Prd | undefined
}

/** `# PRD: Name`; some scripts have a colon of their own. */
const NAMED = /^ {0,3}#[ \t]+PRD[ \t]*[:：](.*)$/

const TITLE = /^ {0,3}#[ \t](.*)$/

const OPEN = "[PRD]"

const CLOSE = "[/PRD]"

/** A line that opens a document begins or ends with the marker, and does not close one, too. */
const opened = (line: string): { readonly after: string; readonly isAlone: boolean } | undefined => {
  const words = line.trim()
  if (words === OPEN) return { after: "", isAlone: true }
  if (words.includes(CLOSE)) return undefined
  if (words.startsWith(OPEN)) return { after: words.slice(OPEN.length), isAlone: false }
  return words.endsWith(OPEN) ? { after: "", isAlone: false } : undefined
}

/** A line that closes one begins or ends with the marker, and has but one. */
const closed = (line: string): { readonly before: string; readonly isAlone: boolean } | undefined => {
  const words = line.trim()
  if (words === CLOSE) return { before: "", isAlone: true }
  if (words.includes(OPEN)) return undefined
  if (words.startsWith(CLOSE)) return { before: "", isAlone: false }
  return words.endsWith(CLOSE) ? { before: line.slice(0, line.lastIndexOf(CLOSE)), isAlone: false } : undefined
}

/** What stands between markers; without lines of their own they mark only what has a heading. */
const documentOf = (lines: ReadonlyArray<string>, isAlone: boolean): Prd | undefined => {
  const content = lines.join("\n").trim()
  if (content === "" || !(isAlone || unfenced(lines).some((line) => HEADING.test(line)))) return undefined
  return { name: nameOf(content), content }
}

const HEADING = /^ {0,3}#{1,6}[ \t]+\S/

const titled = (lines: ReadonlyArray<string>): Prd | undefined => {
  const [, ...body] = lines
  const content = lines.join("\n").trim()
  return body.every((line) => line.trim() === "") ? undefined : { name: nameOf(content), content }
}

const unfenced = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isFenced = Fence.make()
  return lines.filter((line) => !isFenced(line))
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

/** A file's name may have 255 bytes, and what is cut may be half a character. */
const short = (slug: string): string => slug.slice(0, 60).replace(/(?:-|[\uD800-\uDBFF])$/, "")
