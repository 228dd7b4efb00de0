/** Detects a Product Requirements Document (PRD) in the answer of a model. Pure. */
import * as Schema from "effect/Schema"
import * as Fence from "./internal/fence.ts"
import { slugify } from "./Slug.ts"

/** The JSON Schema of a filter without `jsonSchema` would lack the description. */
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

/** The tool that a model submits a document to, where it has tools. */
export const submission = "submit_prd"

/** The name of a document without a name. */
export const UNTITLED = "Untitled Feature"

/**
 * The last complete document of an answer. It is between a line `[PRD]` and a line `[/PRD]`. A marker that shares its line
 * with other words counts only around text that has a heading; otherwise it is only mentioned. Where no marker opens a
 * document, it begins at the last heading `# PRD: Name`, and needs text below. Fenced code is skipped as an example.
 */
export const detect = (answer: string): Prd | undefined => {
  const { block, found, heading } = scan(answer)
  return block?.fenced ?? found ?? (heading === undefined ? undefined : documentBelow(heading))
}

/** The last one between markers. For an answer that was interrupted: a document below a heading may lack its end. */
export const detectComplete = (answer: string): Prd | undefined => scan(answer).found

interface Scan {
  /** The document that is open. */
  block: Block | undefined
  /** The lines since the last `# PRD: Name`, outside of a document. */
  heading: Array<string> | undefined
  /** The last complete document between markers. */
  found: Prd | undefined
}

/** An open `[PRD]`. */
interface Block {
  readonly lines: Array<string>
  /** Its marker has a line of its own. */
  readonly isAlone: boolean
  /** The document, in case that a `[/PRD]` in a fence closes it. */
  fenced: Prd | undefined
}

/** Reads an answer line by line. */
const scan = (answer: string): Scan => {
  const state: Scan = { block: undefined, heading: undefined, found: undefined }
  let isFenced = Fence.make()

  const open = (line: string, isAlone: boolean) => {
    state.block = { lines: [line], isAlone, fenced: undefined }
    if (isAlone) state.heading = undefined
    isFenced = Fence.make()
  }

  const close = (prd: Prd | undefined) => {
    state.found = prd ?? state.found
    state.block = undefined
    isFenced = Fence.make()
  }

  const readInBlock = (block: Block, line: string) => {
    const inFence = isFenced(line)
    const closing = closingMarker(line)
    if (closing !== undefined) {
      const prd = documentOf([...block.lines, closing.before], block.isAlone && closing.isAlone)
      // Either the fence was not closed, or this is an example: the lines that follow decide.
      if (!inFence) return close(prd)
      block.fenced = prd ?? block.fenced
    } else if (!inFence && openingMarker(line)?.isAlone === true) return open("", true)
    block.lines.push(line)
    // The marker may be only mentioned.
    if (!block.isAlone) readHeading(line, inFence)
  }

  const readOutside = (line: string) => {
    const inFence = isFenced(line)
    const opening = inFence ? undefined : openingMarker(line)
    if (opening !== undefined) open(opening.after, opening.isAlone)
    if (opening?.isAlone !== true) readHeading(line, inFence)
  }

  const readHeading = (line: string, inFence: boolean) => {
    if (!inFence && NAMED.test(line)) state.heading = [line]
    else state.heading?.push(line)
  }

  for (const line of answer.split("\n").map(withoutReturn)) {
    if (state.block === undefined) readOutside(line)
    else readInBlock(state.block, line)
  }
  return state
}

/** The first line `# PRD: Name`, else the first heading `# Name`, else `Untitled Feature`. */
export const nameOf = (content: string): string => {
  const lines = withoutFences(content.split(/\r?\n/))
  const name = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]?.trim() ?? "").find(Boolean)
  return name(NAMED) ?? name(TITLE) ?? UNTITLED
}

/** `prd-dark-mode.md`: never without a name, and short enough for any file system. */
export const fileName = (name: string): string => `prd-${truncate(slugify(name) || slugify(UNTITLED))}.md`

/** `# PRD: Name`, also with the full-width colon of Chinese and Japanese. */
const NAMED = /^ {0,3}#[ \t]+PRD[ \t]*[:：](.*)$/

const TITLE = /^ {0,3}#[ \t](.*)$/

const OPEN = "[PRD]"

const CLOSE = "[/PRD]"

/** A line that opens a document begins or ends with the marker, and does not also close one. */
const openingMarker = (line: string): { readonly after: string; readonly isAlone: boolean } | undefined => {
  const words = line.trim()
  if (words === OPEN) return { after: "", isAlone: true }
  if (words.includes(CLOSE)) return undefined
  if (words.startsWith(OPEN)) return { after: words.slice(OPEN.length), isAlone: false }
  return words.endsWith(OPEN) ? { after: "", isAlone: false } : undefined
}

/** A line that closes a document begins or ends with the marker, and does not also open one. */
const closingMarker = (line: string): { readonly before: string; readonly isAlone: boolean } | undefined => {
  const words = line.trim()
  if (words === CLOSE) return { before: "", isAlone: true }
  if (words.includes(OPEN)) return undefined
  if (words.startsWith(CLOSE)) return { before: "", isAlone: false }
  return words.endsWith(CLOSE) ? { before: line.slice(0, line.lastIndexOf(CLOSE)), isAlone: false } : undefined
}

/** The document between markers; markers without lines of their own count only around text that has a heading. */
const documentOf = (lines: ReadonlyArray<string>, isAlone: boolean): Prd | undefined => {
  const content = lines.join("\n").trim()
  if (content === "" || !(isAlone || withoutFences(lines).some((line) => HEADING.test(line)))) return undefined
  return { name: nameOf(content), content }
}

const HEADING = /^ {0,3}#{1,6}[ \t]+\S/

const documentBelow = (lines: ReadonlyArray<string>): Prd | undefined => {
  const [, ...body] = lines
  const content = lines.join("\n").trim()
  return body.every((line) => line.trim() === "") ? undefined : { name: nameOf(content), content }
}

const withoutFences = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isFenced = Fence.make()
  return lines.filter((line) => !isFenced(line))
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

/** File systems allow names of 255 bytes. The cut must not leave half of a surrogate pair. */
const truncate = (slug: string): string => slug.slice(0, 60).replace(/(?:-|[\uD800-\uDBFF])$/, "")
