/** `read_file`: the text of a file, or a range of its lines. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import * as Tool from "../tool/Tool.ts"
import * as ToolResult from "../tool/ToolResult.ts"

const Line = Schema.Number.pipe(Schema.int(), Schema.positive())

/** Numbered lines. What does not fit is not cut in the middle: the result ends with where to go on. */
export const make = (workspace: Workspace): Tool.Tool => named("read_file", workspace.read)

/** The same by another name, with a way to read that says in its own words what it cannot. */
export const named = (
  name: string,
  read: (path: string) => Effect.Effect<{ readonly text: string }, { readonly message: string }>,
): Tool.Tool =>
  Tool.make({
    name,
    description: "Reads a text file, or some of its lines. Lines are numbered.",
    parameters: Schema.Struct({
      path: Schema.String.annotations({ description: "The file, relative to the root" }),
      startLine: Schema.optional(Line.annotations({ description: "The first line, counted from 1" })),
      endLine: Schema.optional(Line.annotations({ description: "The last line, inclusive" })),
    }),
    readOnly: true,
    run: ({ endLine, path, startLine = 1 }) =>
      Effect.map(Tool.orFail(read(path)), ({ text }) => numbered(linesOf(text), startLine, endLine)),
  })

/** In bytes. Leaves room for the line that says where to go on. */
const budget = ToolResult.limit - 200

/** The most of one line that is shown: what is longer was not written to be read. */
const lineLimit = 2000

const numbered = (lines: ReadonlyArray<string>, start: number, end = lines.length): string => {
  if (lines.length === 0) return "(empty file)"
  if (start > lines.length) return `(the file ends at line ${lines.length})`
  const last = Math.min(end, lines.length)
  const shown: Array<string> = []
  let size = 0
  for (let number = start; number <= last; number++) {
    const line = `${number}\t${cut(lines[number - 1] ?? "")}`
    size += Buffer.byteLength(line) + 1
    if (size > budget)
      return [...shown, `(lines ${number} to ${lines.length} not shown: go on with startLine ${number})`].join("\n")
    shown.push(line)
  }
  return shown.join("\n")
}

const cut = (line: string): string =>
  line.length <= lineLimit ? line : `${line.slice(0, lineLimit)} … (${line.length} characters)`

/** A line break at the end of the file begins no line. */
const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/))
