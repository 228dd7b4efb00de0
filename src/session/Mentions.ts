/** Files that a message mentions with `@`: with `What does @src/a.ts do?` the model receives the file as well. */
import * as Effect from "effect/Effect"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as PromptText from "../message/PromptText.ts"

/** At the start of a word, not inside one: an e-mail address mentions no file. */
const mention = /(?<=^|[\s("'`])@([^\s"'`]+)/g

/**
 * The message, preceded by the text of each file that it mentions, once. A mention of a missing file is plain text. A
 * file that exists and cannot be shown (binary, secret, ignored, too large) is a failure, since the user would otherwise
 * assume that the model has read it.
 */
export const withFiles = Effect.fn("Mentions.withFiles")(function* (workspace: Workspace, message: string) {
  const named = [...new Set(Array.from(message.matchAll(mention), ([, path = ""]) => path))]
  const files = yield* Effect.forEach(named, (path) => readMention(workspace, path))
  return PromptText.text({ question: message, files: files.flat(), stdin: "", form: "" })
})

/** The message without the text of files. */
export const withoutFiles = PromptText.withoutFiles

/** Without the punctuation that ends a sentence; with a closing bracket where the name ends in one. */
const readMention = (workspace: Workspace, path: string): Effect.Effect<ReadonlyArray<PromptText.Part>, FileError> => {
  const read = (path: string) => Effect.map(workspace.read(path), ({ path, text }) => [{ path, text }])
  const isMissing = ({ reason }: FileError) => reason._tag === "NotFound" || reason._tag === "NotAFile"
  return read(path.replace(/(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/, "")).pipe(
    Effect.catchIf(isMissing, (error) => (/[)\]}]$/.test(path) ? read(path) : Effect.fail(error))),
    Effect.catchIf(isMissing, () => Effect.succeed([])),
  )
}
