/** A section of a Markdown file between two markers; every other byte stays, and `remove` takes back what `put` adds. */
import { append, create as createFile, cut } from "./internal/appended.ts"
import { withoutMark } from "./internal/text.ts"

const BEGIN = "<!-- vibe install: begin -->"
const END = "<!-- vibe install: end -->"

/** A new file that has only this section. */
export const create = (lines: ReadonlyArray<string>): string => createFile([BEGIN, ...lines, END])

/** With the section, in place of an earlier one. */
export const put = (text: string, lines: ReadonlyArray<string>): string => {
  const { body, restore } = withoutMark(text)
  const found = find(body)
  if (found === undefined) return restore(append(body, [BEGIN, ...lines, END]))
  const lineEnd = body.slice(found.start, found.end).includes("\r\n") ? "\r\n" : "\n"
  const lastEnd = /\r?\n$/.exec(body.slice(found.start, found.end))?.[0] ?? ""
  return restore(body.slice(0, found.start) + [BEGIN, ...lines, END].join(lineEnd) + lastEnd + body.slice(found.end))
}

/** Without the section; `undefined` for a file that has nothing else, as `create` made it. */
export const remove = (text: string): string | undefined => {
  const { body, restore } = withoutMark(text)
  const found = find(body)
  if (found === undefined) return text
  const without = cut(body, found.start, found.end)
  return without === undefined && restore("") === "" ? undefined : restore(without ?? "")
}

/** The lines from the last beginning before the first end, with their line ends. */
const find = (body: string): { readonly start: number; readonly end: number } | undefined => {
  let start: number | undefined
  for (const { 0: line, index } of body.matchAll(/[^\n]*(?:\n|$)/g)) {
    if (line.trimEnd() === BEGIN) start = index
    else if (start !== undefined && line.trimEnd() === END) return { start, end: index + line.length }
  }
  return undefined
}
