/** The question as the message that a model reads. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as Block from "../../message/Block.ts"
import type { User } from "../../message/Message.ts"
import * as PromptText from "../../message/PromptText.ts"
import * as Stdin from "../terminal/Stdin.ts"
import * as ImageFile from "./ImageFile.ts"

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
  const pictures = yield* Effect.forEach(images, ImageFile.open)
  const text = Block.text(PromptText.text({ question, files: parts, stdin, form }))
  const [first, ...rest] = [...pictures, text] as const
  return Option.some<User>({ role: "user", content: [first ?? text, ...rest] })
})

export const missing = new UsageError({ message: "'ask' needs QUESTION", command: "ask" })

const readStdin = Effect.gen(function* () {
  const { text } = yield* Stdin.Stdin
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
