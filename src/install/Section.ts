/**
 * Edits a section of a Markdown file between two markers. Every other byte stays, and `remove` takes back what `put`
 * adds.
 */
import { createHash } from "node:crypto"
import { append, create as createFile, cut, withoutMark } from "./internal/text.ts"

/** Returns the first marker. Its digest of the lines shows whether they were edited. */
const beginOf = (lines: ReadonlyArray<string>): string => `<!-- vibe install: begin (${digestOf(lines)}) -->`
const BEGIN = /^<!-- vibe install: begin \(([0-9a-f]{16})\) -->$/
const END = "<!-- vibe install: end -->"

const digestOf = (lines: ReadonlyArray<string>): string =>
  createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16)

/** Returns the text of a new file that has only this section. */
export const create = (lines: ReadonlyArray<string>): string => createFile([beginOf(lines), ...lines, END])

/** Puts the section into a text, in place of an earlier one. */
export const put = (text: string, lines: ReadonlyArray<string>): string => {
  const { body, restore } = withoutMark(text)
  const found = find(body)
  if (found === undefined) return restore(append(body, [beginOf(lines), ...lines, END]))
  const lineEnd = body.slice(found.start, found.end).includes("\r\n") ? "\r\n" : "\n"
  const lastEnd = /\r?\n$/.exec(body.slice(found.start, found.end))?.[0] ?? ""
  return restore(
    body.slice(0, found.start) + [beginOf(lines), ...lines, END].join(lineEnd) + lastEnd + body.slice(found.end),
  )
}

/** Returns whether there is a section that was changed since it was written. */
export const isEdited = (text: string): boolean => {
  const found = find(withoutMark(text).body)
  return found !== undefined && found.digest !== digestOf(found.lines)
}

/** Removes the section, unless it was edited. Returns `undefined` if the file has nothing else, as `create` made it. */
export const remove = (text: string): string | undefined => {
  const { body, restore } = withoutMark(text)
  const found = find(body)
  if (found === undefined || isEdited(text)) return text
  const without = cut(body, found.start, found.end)
  return without === undefined && restore("") === "" ? undefined : restore(without ?? "")
}

interface Found {
  /** The range includes the markers and their line ends. */
  readonly start: number
  readonly end: number
  /** The digest in the first marker. */
  readonly digest: string | undefined
  /** The lines between the markers. */
  readonly lines: ReadonlyArray<string>
}

/** Finds the section that begins at the last begin marker before the first end marker. */
const find = (body: string): Found | undefined => {
  let begun: { readonly start: number; readonly digest: string | undefined } | undefined
  let lines: Array<string> = []
  for (const { 0: line, index } of body.matchAll(/[^\n]*(?:\n|$)/g)) {
    const [begin, digest] = BEGIN.exec(line.trimEnd()) ?? []
    if (begin !== undefined) {
      begun = { start: index, digest }
      lines = []
    } else if (begun !== undefined && line.trimEnd() === END) return { ...begun, end: index + line.length, lines }
    else if (begun !== undefined) lines.push(line.replace(/\r?\n$/, ""))
  }
  return undefined
}
