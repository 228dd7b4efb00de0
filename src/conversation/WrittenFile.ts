/** The result of a tool that has written a file, and the files that a conversation has written. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as unifiedDiff from "../base/unifiedDiff.ts"
import type { FileError } from "../code/FileError.ts"
import type { Output } from "../code/Output.ts"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { NodeId } from "../message/NodeId.ts"
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

/**
 * Lists the files that a conversation has written. It reads them from the conversation's path, so files of other
 * branches are not included. Lists the paths as the tools report them, each once, in the order of the first write.
 * Reads the whole path.
 */
export const onPath = (
  forest: Forest.Service,
  at: NodeId | undefined,
): Effect.Effect<ReadonlyArray<string>, ForestError> =>
  at === undefined
    ? Effect.succeed([])
    : Effect.map(forest.path(at), ({ nodes }) => [
        ...new Set(nodes.flatMap(({ source }) => (source.type === "tool" ? (source.filesWritten ?? []) : []))),
      ])
