/** Files that a message mentions with `@`: with `What does @src/a.ts do?` the model receives the file as well. */
import * as Effect from "effect/Effect"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import type * as Block from "../message/Block.ts"
import * as Picture from "../message/Picture.ts"
import * as PromptText from "../message/PromptText.ts"

/** A mention is at the start of a word, not inside one: an e-mail address mentions no file. */
const mention = /(?<=^|[\s("'`])@([^\s"'`]+)/g

/** A message, with the files and pictures that it mentions. */
export interface Expanded {
  /** The message, preceded by the text of each file once. */
  readonly text: string
  readonly pictures: ReadonlyArray<Block.Image>
  /** Mentions that look like the path of a file, by a slash or an extension, although there is no such file. */
  readonly missing: ReadonlyArray<string>
}

/**
 * Expands the mentions of a message. A mention of a missing file is plain text. A file that exists and cannot be shown
 * (binary and not a picture, secret, ignored, too large) is a failure, since the user would otherwise assume that the
 * model has read it.
 */
export const expand = Effect.fn("Mentions.expand")(function* (workspace: Workspace, message: string) {
  const named = [...new Set(Array.from(message.matchAll(mention), ([, path = ""]) => path))]
  const read = yield* Effect.forEach(named, (path) =>
    Effect.map(readMention(workspace, path), (parts) => ({ path: withoutEnd(path), parts })),
  )
  const mentioned = read.flatMap(({ parts }) => parts)
  const files = mentioned.flatMap((file) => ("text" in file ? [file] : []))
  const pictures = mentioned.flatMap((file) => ("text" in file ? [] : [file]))
  const text = PromptText.text({ question: message, files, stdin: "", form: "" })
  const missing = read.flatMap(({ parts, path }) => (parts.length === 0 && isPathLike(path) ? [path] : []))
  const expanded: Expanded = { text, pictures, missing }
  return expanded
})

/** Returns the message without the text of files. */
export const withoutFiles = (message: string): string =>
  message.replace(/^(?:<file path="(?:[^"\\]|\\.)*">\n.*?<\/file>\n\n)+/s, "")

type Mentioned = PromptText.Part | Block.Image

/** Removes the punctuation that ends a sentence. */
const withoutEnd = (path: string): string => path.replace(/(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/, "")

const isPathLike = (path: string): boolean => /[\\/]|\.\p{L}[\p{L}\d]*$/u.test(path)

/** Tells the user which mentions of a message name no file. Undefined if all of them do. */
export const missingText = ({ missing }: Pick<Expanded, "missing">): string | undefined =>
  missing.length === 0
    ? undefined
    : `${missing.map((path) => `@${path}`).join(", ")}: no such file here; sent as plain words`

/**
 * Reads a mention without the punctuation that ends a sentence, or with a closing bracket if the file's name ends in
 * one.
 */
const readMention = (workspace: Workspace, path: string): Effect.Effect<ReadonlyArray<Mentioned>, FileError> => {
  const read = (path: string): Effect.Effect<ReadonlyArray<Mentioned>, FileError> =>
    Effect.map(workspace.read(path), ({ path, text }) => [{ path, text }]).pipe(
      Effect.catchIf(isNoText, (error) => readPicture(workspace, path, error)),
    )
  const isMissing = ({ reason }: FileError) => reason._tag === "NotFound" || reason._tag === "NotAFile"
  return read(withoutEnd(path)).pipe(
    Effect.catchIf(isMissing, (error) => (/[)\]}]$/.test(path) ? read(path) : Effect.fail(error))),
    Effect.catchIf(isMissing, () => Effect.succeed([])),
  )
}

const isNoText = ({ reason }: FileError): boolean => reason._tag === "Binary" || reason._tag === "TooLarge"

/** Fails with `error` if the file is not a picture. */
const readPicture = (
  { readBytes }: Workspace,
  path: string,
  error: FileError,
): Effect.Effect<ReadonlyArray<Mentioned>, FileError> =>
  Effect.flatMap(readBytes(path, Picture.MAX_BYTES), (bytes) => {
    const picture = Picture.decode(bytes)
    return picture === undefined ? Effect.fail(error) : Effect.succeed([picture])
  })
