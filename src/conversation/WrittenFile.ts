/** The result of a tool that has written a file. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as unifiedDiff from "../base/unifiedDiff.ts"
import type { FileError } from "../code/FileError.ts"
import type { Output } from "../code/Output.ts"
import { Failed } from "../tool/ToolError.ts"
import type { ToolResult } from "../tool/ToolResult.ts"

/** The `data` of such a tool's result. */
export const WrittenFile = Schema.Struct({
  path: Schema.String,
  /** The changes, if the file had another text before. */
  diff: Schema.optional(Schema.String),
})
export type WrittenFile = typeof WrittenFile.Type

/** Writes a file, or fails with a message for the model. */
export const write = (output: Output, path: string, content: string): Effect.Effect<ToolResult, Failed> =>
  output.write(path, content).pipe(
    Effect.map(({ before, path }) => {
      const diff =
        before === undefined
          ? undefined
          : unifiedDiff.unifiedDiff({ name: path, text: before }, { name: path, text: content })
      const data: WrittenFile = diff === undefined ? { path } : { path, diff }
      return { text: diff === undefined ? `Wrote ${path}` : `Wrote ${path}\n${diff}`, filesWritten: [path], data }
    }),
    Effect.mapError((error) => new Failed({ message: messageFor(output, error) })),
  )

const messageFor = ({ folder }: Output, { message, path, reason }: FileError): string =>
  reason._tag === "Refused"
    ? `${path} is outside ${folder === "" ? "the folder" : `${folder}/`} or not allowed`
    : message
