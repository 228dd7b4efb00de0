/** `read_file` and `file_read`: the text of a file, or a range of its lines. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Tool from "../tool/Tool.ts"
import { shownLines } from "./internal/shownLines.ts"
import * as SuggestPaths from "./internal/suggestPaths.ts"

const Line = Schema.Number.pipe(Schema.int(), Schema.positive())

export interface Options {
  /** True if lines have numbers. Models that answer with `path:line` need them; models that record purposes do not. */
  readonly isNumbered: boolean
}

/** Makes the tool. A long result is not cut in the middle: it ends with the line to continue from. */
export const make = (workspace: Workspace, { isNumbered }: Options): Tool.Tool =>
  makeNamed("read_file", isNumbered, workspace.read)

/** The same tool for interviews, with numbers. Its error messages refer to the codebase. */
export const makeFileRead = (codebase: Workspace): Tool.Tool =>
  makeNamed("file_read", true, (path) =>
    Effect.mapError(SuggestPaths.fromWorkspace(codebase).read(path), toCodebaseError),
  )

const toCodebaseError = (error: FileError): { readonly message: string } => {
  const { path, reason } = error
  switch (reason._tag) {
    case "Refused":
      return { message: `${path} is outside the codebase or not allowed` }
    case "NotFound":
      return { message: `File not found: ${path}${reason.hint}` }
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
  isNumbered: boolean,
  read: (path: string) => Effect.Effect<{ readonly text: string }, { readonly message: string }>,
): Tool.Tool =>
  Tool.make({
    name,
    description: `Reads a text file, or some of its lines${isNumbered ? ". Lines are numbered." : ", without line numbers."}`,
    parameters: Schema.Struct({
      path: Schema.String.annotations({ description: "The file, relative to the root" }),
      startLine: Schema.optional(Line.annotations({ description: "The first line, counted from 1" })),
      endLine: Schema.optional(Line.annotations({ description: "The last line, inclusive" })),
    }),
    readOnly: true,
    run: ({ endLine, path, startLine = 1 }) =>
      Effect.map(Tool.orFail(read(path)), ({ text }) => show(linesOf(text), startLine, endLine, isNumbered)),
  })

const show = (lines: ReadonlyArray<string>, start: number, end = lines.length, isNumbered: boolean): string =>
  lines.length === 0
    ? "(empty file)"
    : start > lines.length
      ? `(the file ends at line ${lines.length})`
      : shownLines(lines, { start, end, isNumbered }).join("\n")

/** A line break at the end of the file begins no line. */
const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/))
