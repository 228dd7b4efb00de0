/** Files that a person names in a message with `@`: `What does @src/a.ts do?` shows the model the file as well. */
import * as Effect from "effect/Effect"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as PromptText from "../message/PromptText.ts"

/** Before a word, and not in one: an address of mail names no file. */
const mention = /(?<=^|[\s("'`])@([^\s"'`]+)/g

/**
 * The message with the text of each file that it names, once, before its own words. What names nothing that is there is
 * a word like any other; a file that is there and cannot be shown (binary, secret, ignored, too large) is a failure, so
 * that nobody thinks it was.
 */
export const withFiles = Effect.fn("Mentions.shown")(function* (workspace: Workspace, message: string) {
  const named = [...new Set(Array.from(message.matchAll(mention), ([, path = ""]) => path))]
  const files = yield* Effect.forEach(named, (path) => readMention(workspace, path))
  return PromptText.text({ question: message, files: files.flat(), stdin: "", form: "" })
})

/** The message without the text of files. */
export const withoutFiles = (message: string): string =>
  message.replace(/^(?:<file path="(?:[^"\\]|\\.)*">\n.*?<\/file>\n\n)+/s, "")

/** Without the point or the bracket that ends a sentence; with it, where that is the end of the name. */
const readMention = (workspace: Workspace, path: string): Effect.Effect<ReadonlyArray<PromptText.Part>, FileError> => {
  const read = (path: string) => Effect.map(workspace.read(path), ({ path, text }) => [{ path, text }])
  const isMissing = ({ reason }: FileError) => reason._tag === "NotFound" || reason._tag === "NotAFile"
  return read(path.replace(/(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/, "")).pipe(
    Effect.catchIf(isMissing, (error) => (/[)\]}]$/.test(path) ? read(path) : Effect.fail(error))),
    Effect.catchIf(isMissing, () => Effect.succeed([])),
  )
}
