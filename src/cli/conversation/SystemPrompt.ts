/** The system prompt that the command line gives: `--system TEXT` or `--system-file FILE`. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Files from "../../code/Files.ts"
import * as Input from "../terminal/Input.ts"
import { MAX_BYTES } from "../terminal/Input.ts"

interface Typed {
  readonly system: Option.Option<string>
  readonly systemFile: Option.Option<string>
}

/**
 * Returns the system prompt; `None` if neither option is given. Fails if both are, or if the text is the name of a
 * file.
 */
export const resolve = Effect.fn("SystemPrompt.resolve")(function* ({ system, systemFile }: Typed, command: string) {
  if (Option.isSome(systemFile)) {
    if (Option.isSome(system)) {
      return yield* new UsageError({ message: "there is either --system or --system-file", command })
    }
    return Option.some(yield* read(systemFile.value, command))
  }
  if (Option.isSome(system) && (yield* isFile(system.value))) {
    const message = `--system takes a text, and ${system.value} is a file: --system-file reads it`
    return yield* new UsageError({ message, command })
  }
  return system
})

/** Longer texts are no file names, and neither are several lines. */
const MAX_FILE_NAME = 255

const isFile = Effect.fnUntraced(function* (text: string) {
  if (text.length > MAX_FILE_NAME || text.includes("\n")) return false
  const files = yield* Files.Files
  return Option.exists(yield* Effect.option(files.stat(path.resolve(text))), ({ kind }) => kind === "file")
})

/** The text of the file, unchanged. */
const read = (file: string, command: string) =>
  Effect.flatMap(Input.readNamed(file, { maxBytes: MAX_BYTES, command }), (bytes) =>
    Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      catch: () => new UsageError({ message: `${file}: not a text file`, command }),
    }),
  )
