/** The question as the message that a model reads, with the pictures and files that the user names. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as Block from "../../message/Block.ts"
import type { User } from "../../message/Message.ts"
import * as Picture from "../../message/Picture.ts"
import * as PromptText from "../../message/PromptText.ts"
import * as Input from "../terminal/Input.ts"

export interface Typed {
  readonly words: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly images: ReadonlyArray<string>
}

/**
 * Composes the message; `None` if neither the arguments nor stdin hold a question. `form` describes the format of the
 * answer.
 */
export const compose = Effect.fn("Question.compose")(function* ({ files, images, words }: Typed, form: string) {
  const question = words.join(" ").trim()
  const stdin = yield* readStdin
  if (question === "" && stdin.trim() === "") {
    return files.length + images.length === 0 ? Option.none() : yield* missing
  }
  const parts = files.length === 0 ? [] : yield* readFiles(files)
  const pictures = yield* Effect.forEach(images, openPicture)
  const text = Block.text(PromptText.text({ question, files: parts, stdin, form }))
  const [first, ...rest] = [...pictures, text] as const
  return Option.some<User>({ role: "user", content: [first ?? text, ...rest] })
})

export const missing = new UsageError({ message: "'ask' needs QUESTION", command: "ask" })

const readStdin = Effect.gen(function* () {
  const { text } = yield* Input.Stdin
  const input = Option.getOrElse(yield* text, () => "")
  if (input.includes("\0")) {
    return yield* new UsageError({ message: "stdin is no text; --image PATH shows a picture", command: "ask" })
  }
  return input.trim() === "" ? "" : input.replace(/\r?\n$/, "")
})

/** Refuses files that are outside the current folder, secret or ignored. */
const readFiles = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const { read } = yield* Workspace.open(".")
  return yield* Effect.forEach(files, (file) => Effect.map(read(file), ({ path, text }) => ({ path, text })))
})

/** Reads a picture. Fails if the file holds none that providers take. */
const openPicture = Effect.fn("Question.openPicture")(function* (file: string) {
  const bytes = yield* Input.readNamed(file, { maxBytes: Picture.MAX_BYTES, command: "ask" })
  const picture = Picture.decode(bytes)
  if (picture !== undefined) return picture
  return yield* new UsageError({ message: `${file}: is no picture; ${Picture.formats} are`, command: "ask" })
})
