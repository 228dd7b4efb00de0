/** `read_file` and `file_read`: the text of a file, or a range of its lines. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Tool from "../tool/Tool.ts"
import * as ToolResult from "../tool/ToolResult.ts"

const Line = Schema.Number.pipe(Schema.int(), Schema.positive())

/** Numbered lines. A long result is not cut in the middle: it ends with the line to continue from. */
export const make = (workspace: Workspace): Tool.Tool => makeNamed("read_file", workspace.read)

/** The same tool for interviews, whose error messages refer to the codebase. */
export const makeFileRead = (codebase: Workspace): Tool.Tool =>
  makeNamed("file_read", (path) => Effect.mapError(codebase.read(path), toCodebaseError))

const toCodebaseError = (error: FileError): { readonly message: string } => {
  const { path, reason } = error
  switch (reason._tag) {
    case "Refused":
      return { message: `${path} is outside the codebase or not allowed` }
    case "NotFound":
    case "NotAFolder":
      return { message: `File not found: ${path}` }
    case "NotAFile":
      return { message: `${path} is a directory, not a file` }
    default:
      return error
  }
}

const makeNamed = (
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
      Effect.map(Tool.orFail(read(path)), ({ text }) => numberLines(linesOf(text), startLine, endLine)),
  })

/** In bytes. The rest of the limit is for the line with the place to continue from. */
const MAX_SHOWN_BYTES = ToolResult.limit - 200

/** The result has only the beginning of longer lines, which are generated. */
const MAX_LINE_CHARS = 2000

const numberLines = (lines: ReadonlyArray<string>, start: number, end = lines.length): string => {
  if (lines.length === 0) return "(empty file)"
  if (start > lines.length) return `(the file ends at line ${lines.length})`
  const last = Math.min(end, lines.length)
  const shown: Array<string> = []
  let size = 0
  for (let number = start; number <= last; number++) {
    const line = `${number}\t${shorten(lines[number - 1] ?? "")}`
    size += Buffer.byteLength(line) + 1
    if (size > MAX_SHOWN_BYTES)
      return [...shown, `(lines ${number} to ${lines.length} not shown: go on with startLine ${number})`].join("\n")
    shown.push(line)
  }
  return shown.join("\n")
}

const shorten = (line: string): string =>
  line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)} … (${line.length} characters)`

/** A line break at the end of the file begins no line. */
const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/))
